"""Pictures of a case as a map: places, what moves cost, and the observed plans as routes."""
