"""The report: one HTML file that shows what was learned, from which plans, and why."""
