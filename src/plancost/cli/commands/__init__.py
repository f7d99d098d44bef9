"""One file a command: its arguments and what it does."""
