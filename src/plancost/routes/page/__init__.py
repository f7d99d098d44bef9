"""The page with the map: links where they are, trips beside their cheapest alternatives."""
