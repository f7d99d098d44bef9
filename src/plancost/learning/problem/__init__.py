"""What is asked, in numbers: options, concept, task, rows, objectives."""
