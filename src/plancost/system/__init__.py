"""The floor: clocks, processes, memory and worker pools. Knows nothing of planning."""
