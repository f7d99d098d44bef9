"""One page to look at: what was learned, what is proven, the map, and every plan."""
