"""What the bounds rest on, written so that others can check it."""
