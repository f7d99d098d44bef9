"""The lowest layer: clocks, processes, memory and worker pools. It does not depend on planning."""
