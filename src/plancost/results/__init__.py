"""What learning leaves behind: the verified result, as JSON and as PDDL."""
