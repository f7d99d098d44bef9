"""Does everything that plancost needs work on this machine?"""
