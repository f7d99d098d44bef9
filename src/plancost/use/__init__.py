"""What people do with costs: predict plans, compare methods, watch a stream of plans."""
