"""What was seen?"""
