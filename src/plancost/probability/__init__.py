"""How sure is it? Samples of costs, the plans that are optimal under them, and what to ask next."""
