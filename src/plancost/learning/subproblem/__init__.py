"""Can these plans be optimal together? One set of plans at a time."""
