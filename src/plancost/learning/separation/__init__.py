"""Rows that costs break: found on state graphs or by planners."""
