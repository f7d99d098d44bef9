"""Do learned costs say anything about plans that were not learned from?"""
