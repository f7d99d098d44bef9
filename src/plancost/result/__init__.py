"""What is known now: the result, its file, its tables, and costs written back into PDDL or CSV."""
