"""What is needed to publish plancost, and not to use it."""
