"""A stream of plans: which are outliers, have preferences changed, and what are the costs now?"""
