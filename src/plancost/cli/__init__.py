"""The command line: the only part of plancost that prints or exits."""
