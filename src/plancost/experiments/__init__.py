"""The paper's evaluation, done again: runs that leave records, reports that read them."""
