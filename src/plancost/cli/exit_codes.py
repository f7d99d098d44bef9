"""What the exit status of ``plancost`` means."""

from __future__ import annotations

from collections.abc import Mapping

OK = 0
BAD_INPUT = 1
USAGE = 2
NO_IDEAL = 3
UNSOLVABLE = 3
UNDECIDED = 4
CONTRADICTED = 5
UNPROVEN = 6
FAILED = 7
BUG = 70
INTERRUPTED = 130
TERMINATED = 143

WRONG = {BAD_INPUT: "a file is wrong, or cannot be written", USAGE: "the options are wrong"}
PROGRAM = "a planner, the translator, the solver or the cluster failed, or is missing"
STOPPED = "interrupted (143: terminated)"
NO_ANSWER = f"{STOPPED} before there was an answer"
RESUMABLE = f"{STOPPED}; the same command resumes from here"

COMMON: Mapping[int, str] = {OK: "done", **WRONG, FAILED: PROGRAM, INTERRUPTED: STOPPED}
"""For commands that have no more to say."""

ALL: Mapping[int, str] = {
    OK: "an answer (also if a limit stopped it: the answer says what is proven)",
    **WRONG,
    NO_IDEAL: "proven that there is none (learn --solution icf: costs; solve: a plan)",
    UNDECIDED: "undecided, or not verified within the limits",
    CONTRADICTED: "verify: the check contradicts the file",
    UNPROVEN: "solve: plans that are not proven to be the cheapest",
    FAILED: f"{PROGRAM}; the best answer so far is kept",
    BUG: "a bug in plancost, with any command",
    INTERRUPTED: f"{STOPPED}; the best answer so far is kept",
}


def help_text(meanings: Mapping[int, str]) -> str:
    """The end of a command's help."""
    lines = [f"  {status:<4} {meaning}" for status, meaning in meanings.items()]
    return "\n".join(["exit status:", *lines, ""])
