"""plancost: learn what actions cost by watching plans."""

from plancost.version import __version__

__all__ = ["__version__"]
