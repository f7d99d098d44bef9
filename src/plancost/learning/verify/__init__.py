"""The independent check of an answer, by search."""
