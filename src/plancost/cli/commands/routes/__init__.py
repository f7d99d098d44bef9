"""``plancost routes``: street networks and trips."""
