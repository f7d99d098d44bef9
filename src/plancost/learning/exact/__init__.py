"""The exact strategy: implicit hitting set, then the least costs."""
