"""The exact strategy: implicit hitting sets, then the least costs."""
