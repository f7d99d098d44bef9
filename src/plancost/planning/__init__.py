"""Using learned costs: in a problem that nobody observed, and to find its cheapest plans."""
