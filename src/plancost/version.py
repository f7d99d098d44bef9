"""The version of plancost."""

__version__ = "1.0.0.dev0"
