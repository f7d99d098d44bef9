"""Under which costs are most plans optimal?"""
