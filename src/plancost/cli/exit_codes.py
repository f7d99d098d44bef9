"""What the exit status of ``plancost`` means, command by command."""

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

_WRONG = {BAD_INPUT: "a file is wrong, or cannot be written", USAGE: "the options are wrong"}
_PROGRAM = "a planner, the translator, the solver or the cluster failed, or is missing"
_FAILED = {FAILED: _PROGRAM}
_GOES_ON = "interrupted (143: terminated); the same command goes on from here"

COMMON: Mapping[int, str] = {
    OK: "done",
    **_WRONG,
    **_FAILED,
    INTERRUPTED: "interrupted (143: terminated)",
}
"""For commands that have no more to say."""

LEARN: Mapping[int, str] = {
    OK: "an answer (also when a limit stopped it: the answer says what is proven)",
    **_WRONG,
    NO_IDEAL: "icf: proven that no such costs exist",
    UNDECIDED: "undecided, or not verified within the limits",
    FAILED: f"{_PROGRAM}; the best answer so far is kept",
    INTERRUPTED: "interrupted (143: terminated); the best answer so far is kept",
}
VERIFY: Mapping[int, str] = {
    OK: "checked; a RESULT.json agrees with the check",
    **_WRONG,
    UNDECIDED: "not checked in full within the limits",
    CONTRADICTED: "the check contradicts the RESULT.json",
    **_FAILED,
    INTERRUPTED: "interrupted (143: terminated) before there was an answer",
}
EXPLAIN: Mapping[int, str] = {
    OK: "every plan that is not optimal is explained",
    **_WRONG,
    UNDECIDED: "something is not checked, or not explained, within the limits",
    **_FAILED,
    INTERRUPTED: "interrupted (143: terminated) before there was an answer",
}
EVALUATE: Mapping[int, str] = {
    OK: "measured; the table says what could not be measured",
    **_WRONG,
    UNDECIDED: "nothing could be measured within the limits",
    **_FAILED,
    INTERRUPTED: "interrupted (143: terminated) before there was an answer",
}
MONITOR: Mapping[int, str] = {
    OK: "all plans that the stream has so far are dealt with",
    **_WRONG,
    UNDECIDED: "not all plans were dealt with within the limits",
    **_FAILED,
    INTERRUPTED: "interrupted (143: terminated); with --state the same command goes on from here",
}
GENERATE: Mapping[int, str] = {
    OK: "the pool is complete and the tasks are written",
    BAD_INPUT: "the folder cannot be written, or is of another pool",
    USAGE: "the options are wrong",
    UNDECIDED: "given up: too few plans were found within the limits",
    **_FAILED,
    INTERRUPTED: _GOES_ON,
}
REPRODUCE: Mapping[int, str] = {
    OK: "all runs have records (also of runs that a limit stopped); tables are written",
    BAD_INPUT: "a file is wrong",
    USAGE: "the options are wrong",
    UNDECIDED: "a pool was given up: too few plans were found within the limits",
    **_FAILED,
    INTERRUPTED: _GOES_ON,
}
APPLY: Mapping[int, str] = {
    OK: "the PDDL is written",
    **_WRONG,
    UNDECIDED: "the problem was not grounded within the limits",
    **_FAILED,
    INTERRUPTED: "interrupted (143: terminated); nothing is written",
}
SOLVE: Mapping[int, str] = {
    OK: "found, and proven to be the cheapest",
    **_WRONG,
    UNSOLVABLE: "proven that the problem has no plan",
    UNDECIDED: "a limit was reached before any plan was found",
    UNPROVEN: "plans, but a limit or a failure came before they were proven to be the cheapest",
    FAILED: f"{_PROGRAM}, and there is no plan to show",
    INTERRUPTED: "interrupted (143: terminated) before there was an answer",
}
DOCTOR: Mapping[int, str] = {
    OK: "all that plancost needs works",
    BAD_INPUT: "something that plancost needs is missing or broken",
    USAGE: "the options are wrong",
}
COMPLETION: Mapping[int, str] = {OK: "the script is printed", USAGE: "the options are wrong"}

ALL: Mapping[int, str] = {
    OK: "an answer (also when a limit stopped it: the answer says what is proven)",
    **_WRONG,
    NO_IDEAL: "proven that there is none (learn --solution icf: costs; solve: a plan)",
    UNDECIDED: "undecided, or not verified within the limits",
    CONTRADICTED: "verify: the check contradicts the file",
    UNPROVEN: "solve: plans that are not proven to be the cheapest",
    FAILED: f"{_PROGRAM}; the best answer so far is kept",
    BUG: "a bug in plancost, whatever the command",
    INTERRUPTED: "interrupted (143: terminated); the best answer so far is kept",
}


def help_text(meanings: Mapping[int, str]) -> str:
    """The end of a command's help."""
    lines = [f"  {status:<4} {meaning}" for status, meaning in meanings.items()]
    return "\n".join(["exit status:", *lines, ""])
