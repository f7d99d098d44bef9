"""What was observed: PDDL, plan files, grounded tasks, replayed plans."""
