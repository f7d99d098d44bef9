"""The front door of the library: learn, verify, explain, and what they share.

    observations -> oracles -> learning -> verified result

The functions return values and raise `plancost.errors`; they never print.
"""
