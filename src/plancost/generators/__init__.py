"""Generators of planning problems, pools of their plans, and learning tasks drawn from pools."""
