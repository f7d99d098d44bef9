"""The floor: files read without trust and written whole or not at all."""
