"""Which costs to take of all those that make the same plans optimal."""
