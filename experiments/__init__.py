"""The paper's evaluation: its learning tasks, tables and figures. Not part of the package.

    python -m experiments table2 --scale small --output DIR

docs/results.md has the outcome, and `python -m experiments --help` says how to ask for more.
"""
