"""Measurements: run with ``make bench``; nothing here is imported by plancost."""
