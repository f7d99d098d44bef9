"""A learned result, asked again: a page on this machine that changes the question.

Needs the extra ``plancost[explore]``. Only the command line imports this folder.
"""
