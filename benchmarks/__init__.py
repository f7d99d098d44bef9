"""Speed and correctness, measured beside the tests; not in the wheel."""
