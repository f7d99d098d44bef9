"""Pieces of work on many machines, by Dask's scheduler (the extra ``cluster``)."""
