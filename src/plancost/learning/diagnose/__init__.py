"""What else to say about an answer: explanations, ranges, least factors."""
