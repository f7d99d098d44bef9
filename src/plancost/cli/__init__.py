"""The command `plancost`: the only place that prints and exits."""
