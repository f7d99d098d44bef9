"""The paper's algorithm, LACFIP^k."""
