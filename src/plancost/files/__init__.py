"""The lowest layer: untrusted files are read safely, and files are written atomically."""
