"""Costs of streets from trips that were driven: networks, trips, routes. No PDDL is involved."""
