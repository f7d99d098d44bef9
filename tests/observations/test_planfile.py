from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.observations.planfile import action_name, parse_plan, read_plan, write_plan


def test_comments_cost_line_case_blanks_and_windows_line_ends() -> None:
    text = (
        "\ufeff; a comment\r\n(Move A  B)\r\n\r\n ( act )\r\n(move b c) ; why\r\n"
        "; cost = 3 (unit cost)\r\n"
    )
    assert parse_plan(text) == ("(move a b)", "(act)", "(move b c)")


NOT_LINE_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What str.splitlines takes for the end of a line beside the three that PDDL knows."""


@pytest.mark.parametrize("sign", NOT_LINE_ENDS)
def test_only_line_ends_end_a_comment(sign: str) -> None:
    assert parse_plan(f"(move a b) ; then{sign}(move b c)\n(act)") == ("(move a b)", "(act)")
    with pytest.raises(InputError, match=r"p\.plan:1: "):
        parse_plan(f"(move a b){sign}(move b c)", Path("p.plan"))
    with pytest.raises(InputError, match=r"p\.plan:2: "):
        parse_plan(f"; one{sign}line\nmove", Path("p.plan"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    assert parse_plan(f"(a) ; x{end}(b){end}{end};{end}(c){end}") == ("(a)", "(b)", "(c)")
    with pytest.raises(InputError, match=r"p\.plan:3: "):
        parse_plan(f"(a){end}{end}b", Path("p.plan"))


@pytest.mark.parametrize("line", ["(move \u212a b)", "(move a\u2028b)", "(move a\xa0b)", "\xa0"])
def test_letters_that_only_look_like_ascii(line: str) -> None:
    """The sign for Kelvin would be k in lower case, and other blanks would be blanks."""
    with pytest.raises(InputError, match=r"p\.plan:1: .* outside ASCII, which plans have only in"):
        parse_plan(line, Path("p.plan"))
    assert parse_plan(f"(a) ; {line}") == ("(a)",)


def test_an_empty_plan() -> None:
    assert parse_plan("; nothing to do\n") == ()


@pytest.mark.parametrize(
    "line", ["0.0: (move a b) [1]", "3:(move a b)", "0.00100: ( move a b ) [10.0]"]
)
def test_a_temporal_plan_has_its_own_message(line: str) -> None:
    with pytest.raises(InputError, match=r"p\.plan:2: .*temporal plan"):
        parse_plan(f"(move a b)\n{line}\n", Path("p.plan"))


@pytest.mark.parametrize(
    "line", ["move a b", "(move a b", "(move (a) b)", "()", "(a) (b)", "(a) b"]
)
def test_a_malformed_line_is_named(line: str) -> None:
    with pytest.raises(InputError, match=r"p\.plan:1: expected one '\(action"):
        parse_plan(line, Path("p.plan"))


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "p.plan"
    path.write_bytes(b"\xff\xfe\x00(")
    with pytest.raises(InputError, match="not UTF-8"):
        read_plan(path)
    path.write_bytes(b"(a)\r(b)\r\n\xff")
    with pytest.raises(InputError, match=r"p\.plan:3: this file is not UTF-8 text"):
        read_plan(path)
    with pytest.raises(InputError, match="cannot read this plan"):
        read_plan(tmp_path / "missing.plan")


def test_what_is_written_is_read_again() -> None:
    plan = ("(move a b)", "(act)")
    assert parse_plan(write_plan(plan)) == plan
    assert action_name("Move  A b ") == action_name("(move a B)") == "(move a b)"


def test_steps_as_fast_downward_prints_them() -> None:
    assert parse_plan("cook toast toaster (1)\nWait (0)\n(go a)\n") == (
        "(cook toast toaster)",
        "(wait)",
        "(go a)",
    )
    for text in ("cook toast", "cook (a)", "cook (toast) (1)", "cook toast 1"):
        with pytest.raises(InputError, match="expected one"):
            parse_plan(text)
