"""Which costs predict best? Those under which the observed plans are most likely."""
