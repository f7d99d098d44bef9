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

PROGRAM = "a planner, the translator, the solver or the cluster failed, or is missing"
NO_ANSWER = " before there was an answer"
KEPT = "; the best answer so far is kept"
RESUMABLE = "; the same command resumes from here"


def meanings(ok: str, others: Mapping[int, str], stopped: str = "") -> Mapping[int, str]:
    """What the statuses of a command mean: success, those of its own, and when it is stopped."""
    found = {
        OK: ok,
        BAD_INPUT: "a file is wrong, or cannot be written",
        USAGE: "the options are wrong",
        FAILED: PROGRAM,
        INTERRUPTED: f"interrupted (143: terminated){stopped}",
        **others,
    }
    return dict(sorted(found.items()))


COMMON = meanings("done", {})
"""For commands that have no more to say."""
ALL = meanings(
    "an answer (also if a limit stopped it: the answer says what is proven)",
    {
        NO_IDEAL: "proven that there is none (learn --solution icf: costs; solve: a plan)",
        UNDECIDED: "undecided, or not verified within the limits",
        CONTRADICTED: "verify, check-proof: the check contradicts the file",
        UNPROVEN: "solve: plans that are not proven to be the cheapest",
        FAILED: f"{PROGRAM}{KEPT}",
        BUG: "a bug in plancost, with any command",
    },
    stopped=KEPT,
)


def help_text(meanings: Mapping[int, str]) -> str:
    """The end of a command's help."""
    lines = [f"  {status:<4} {meaning}" for status, meaning in meanings.items()]
    return "\n".join(["exit status:", *lines, ""])
