"""Errors name options to users of the command and parameters to callers of the library."""

from __future__ import annotations

import pytest

from plancost.errors import InputError, InvalidPlanError, UsageError, all_of, on_command_line
from plancost.learning.problem.options import LearnOptions


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("--time-limit takes a number", "time_limit_s takes a number"),
        ("add --groups 1 to ignore it", "add groups=1 to ignore it"),
        ("name it with --domain FILE", "name it with domain=FILE"),
        ("--fix and --bounds goes with --ranges", "bounds goes with ranges"),
        ("(--on-invalid skip)", "(skip_invalid=True)"),
        ("--strict goes with --solution icf", "strict goes with solution='icf'"),
        ("goes with --alternatives exact", "goes with alternatives='exact'"),
        ("found '--groups' and a--b, x --", "found '--groups' and a--b, x --"),
    ],
)
def test_who_reads_it(message: str, said: str) -> None:
    assert LearnOptions().exact_only is None  # its options are known
    assert str(UsageError(message)) == said
    assert str(InputError(message)) == said
    with on_command_line(), on_command_line():
        assert str(UsageError(message)) == message
    assert str(UsageError(message)) == said


def test_all_that_is_wrong_at_once() -> None:
    errors = [InvalidPlanError(f"no {number}") for number in range(7)]
    assert all_of(errors[:1]) is errors[0] and all_of(errors[:1] * 3) is errors[0]
    found = all_of(errors, " (x)")
    assert isinstance(found, InvalidPlanError)
    assert str(found) == "7 plans are wrong (x): no 0; no 1; no 2; no 3; no 4; and 2 more"
