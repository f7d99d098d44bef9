"""Progress for people: bars on a terminal and in a notebook."""
