"""Several cost functions: each plan belongs to one of them."""
