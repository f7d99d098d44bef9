"""Which set of plans next? Conflicts, inequalities, relaxation, integer program."""
