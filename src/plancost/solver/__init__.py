"""Linear and mixed-integer programs: what they are, and who solves them."""
