"""What the exit status of ``plancost`` means."""

from __future__ import annotations

OK = 0
BAD_INPUT = 1
USAGE = 2
NO_IDEAL = 3
UNDECIDED = 4
CONTRADICTED = 5
INTERRUPTED = 130
TERMINATED = 143

HELP = """exit status:
  0    an answer (also when a limit stopped it: the answer says what is proven)
  1    a file is wrong
  2    the options are wrong
  3    icf: proven that no such costs exist
  4    undecided, or not verified within the limits
  5    verify: the check contradicts the file
  130  interrupted (143: terminated); the best answer so far is kept
"""
