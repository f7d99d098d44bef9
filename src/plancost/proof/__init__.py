"""Can others check it? Bounds as trees of cases, and a checker that stands alone."""
