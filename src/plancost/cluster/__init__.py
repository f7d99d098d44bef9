"""Pieces of work on many machines, on a Dask cluster (the extra ``cluster``)."""
