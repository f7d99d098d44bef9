"""From observed plans to costs: formulations, searches and proofs."""
