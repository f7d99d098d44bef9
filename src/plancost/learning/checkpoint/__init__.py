"""What a killed run leaves behind, so that it can be resumed."""
