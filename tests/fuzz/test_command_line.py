"""The command line: whatever is typed, one sentence and status 2, or options that make sense."""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plancost
from conftest import TABLE_1, WriteGraphCase
from plancost.cli.options import learn_options
from plancost.cli.parser import build_parser
from plancost.errors import PlancostError, UsageError
from support.fuzzing import check, examples, ground_once, run

PARSER = build_parser()
VALUES = [
    *("0", "1", "2", "7", "-1", "1.5", "1e400", "1e-9", "nan", "inf", "9" * 30, "9" * 5000, ""),
    *("x", "exact", "all", "mcf", "scf", "icf", "auto", "²", "٣", "é", "\x1b[2J", "=", "(a)=1"),
    *("(move a b)=3", "(move * *)=9", "move ?a", "schema", "5%", "1/0", "1e999999999", "--", "-"),
    *("none.json", "/dev/zero", "."),
]


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [a for a in parser._actions if a.option_strings and a.dest not in ("help", "version")]


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with some of its options, their values, and words that belong nowhere."""
    name, parser = draw(st.sampled_from(list(_commands(PARSER))))
    words = [name]
    for _ in range(draw(st.integers(0, 5))):
        option = draw(st.sampled_from(_options(parser) or [None]))  # type: ignore[list-item]
        if option is not None:
            words.append(draw(st.sampled_from(option.option_strings)))
            if option.nargs != 0:
                words.append(draw(st.sampled_from([*VALUES, *map(str, option.choices or ())])))
        if draw(st.booleans()):
            words.insert(1, draw(st.sampled_from(VALUES)))
    return words


@examples(150)
@given(command_lines())
def test_anything_typed(words: list[str]) -> None:
    err = io.StringIO()
    try:
        with contextlib.redirect_stderr(err):
            parsed = PARSER.parse_args(words)
    except SystemExit as error:
        assert error.code == 2, words
        assert len(err.getvalue().splitlines()) == 1, err.getvalue()
        assert "; see plancost" in err.getvalue()
        return
    if parsed.command in ("learn", "verify", "explain", "evaluate", "monitor"):
        with contextlib.suppress(PlancostError):
            learn_options(parsed)


@st.composite
def learn_lines(draw: st.DrawFn) -> list[str]:
    """Options of learn that are read well, with numbers from small to large."""
    number = st.sampled_from(["1", "2", "3", "50", "1000000", "999999999999"])
    options = {
        "--solution": st.sampled_from(["mcf", "scf", "icf"]),
        "--alternatives": st.sampled_from(["exact", "baseline"]),
        "--suboptimality": st.sampled_from(["1", "1.5", "11/10", "1000000"]),
        "--fix": st.sampled_from(["(move a b)=3", "(move * *)=9", "(move * b)=1000000000000"]),
        "--share": st.sampled_from(["schema", "move ?a", "move"]),
        "--max-cost": number,
        "--groups": number,
        "--graph-limit": number,
        "--memory-limit": st.sampled_from(["2000", "999999999999"]),
        "--seed": number,
        "--default-cost": number,
        "--time-limit": st.sampled_from(["5", "1000000000"]),
        "--ties": st.sampled_from(["alternatives", "observed"]),
        "--reorderings": st.sampled_from(["distinct", "same"]),
    }
    flags = ["--ranges", "--least-factors", "--refine", "--strict", "--compare-unshared", "--json"]
    words: list[str] = []
    for name in draw(st.lists(st.sampled_from(sorted(options)), max_size=4, unique=True)):
        words += [name, draw(options[name])]
    return words + draw(st.lists(st.sampled_from(flags), max_size=2, unique=True))


def test_options_of_learn(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plancost.observations.case.ground", ground_once)
    case = write_graph_case(TABLE_1, ["abd", "acef", "abdcef"])

    @examples(30)
    @given(learn_lines())
    def fuzz(words: list[str]) -> None:
        check(["learn", case, "--oracle", "graph", "--jobs", "1", "--no-cache", *words])

    fuzz()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "learn x --time-limt 3",
            "unknown option '--time-limt' (did you mean --time-limit?); see plancost learn --help",
        ),
        ("lern x", "unknown command 'lern' (did you mean learn?); see plancost --help"),
        (
            "generate grid --sied 3 --output x",
            "unknown option '--sied' (did you mean --side?); see plancost generate grid --help",
        ),
        (
            "learn x --solution mfc",
            "unknown value for --solution: 'mfc' (did you mean mcf?); see plancost learn --help",
        ),
        ("learn x y", "unknown argument 'y'; see plancost learn --help"),
        ("learn", "the following arguments are required: CASE; see plancost learn --help"),
        (
            "learn x --jobs 0",
            "argument --jobs: expected a whole number from 1 to 1000, not '0'; "
            "see plancost learn --help",
        ),
    ],
)
def test_wrong_usage_is_one_sentence(words: str, said: str) -> None:
    ended = run(words.split())
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == f"plancost: {said}\n"


def test_a_bug_says_that_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> int:
        raise KeyError("nobody expected this")

    monkeypatch.setattr("plancost.doctor.checks.all_checks", broken)
    ended = run(["doctor"])
    assert ended.status == 70
    assert ended.err.startswith("plancost: this is a bug in plancost (KeyError: 'nobody expected")
    assert len(ended.err.splitlines()) == 1


def test_more_about_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> int:
        raise KeyError("nobody expected this")

    monkeypatch.setattr("plancost.api.learn.learn", broken)
    ended = run(["learn", "x", "--verbose"])
    assert ended.status == 70
    assert "Traceback" in ended.err
    assert ended.err.splitlines()[-1].endswith("please report it")


def test_no_more_groups_than_plans(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plancost.observations.case.ground", ground_once)
    case = write_graph_case(TABLE_1, ["abd", "acef", "abdcef"])
    result = plancost.learn(case, plancost.LearnOptions(groups=99, use_cache=False))
    assert len(result.groups) == 3
    said = "99 groups were asked for, but there are only 3 different plans to divide"
    assert said in result.notes
    alone = write_graph_case(TABLE_1, ["abd"], "alone")
    assert len(plancost.learn(alone, plancost.LearnOptions(groups=2)).groups) == 1


def test_words_for_concepts() -> None:
    """Plain strings in the library are what they say, or refused."""
    concept = plancost.Concept("scf")  # type: ignore[arg-type]
    assert concept.is_strict
    assert concept == plancost.Concept(plancost.Solution.SCF)
    options = plancost.LearnOptions(concept="scf")  # type: ignore[arg-type]
    assert options.concept.is_strict
    for wrong in ("SCF?", 3, None):
        with pytest.raises(UsageError, match="solution is one of mcf, scf, icf"):
            plancost.Concept(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="concept is one of mcf, scf, icf"):
        plancost.LearnOptions(concept="best")  # type: ignore[arg-type]


def test_a_check_does_not_say_how_costs_were_learned(
    write_graph_case: WriteGraphCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plancost.observations.case.ground", ground_once)
    case = write_graph_case(TABLE_1, ["abd", "acef", "abdcef"])
    for groups in (1, 2):
        options = plancost.LearnOptions(groups=groups, use_cache=False)
        plancost.learn(case, options).write(tmp_path / "result.json")
        found = plancost.explain(case, tmp_path / "result.json")
        assert found.alternatives == "given"
