"""Declared options as flags, and what was given as options again."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from plancost.cli.options import add, add_option, add_options, given_options, learn_options
from plancost.errors import UsageError, on_command_line
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.options import LearnOptions
from plancost.observations.plan_costs import Tolerance


def parsed(*words: str, topics: tuple[Topic, ...] = tuple(Topic)) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser, *topics)
    return parser.parse_args(words)


def test_nothing_given_is_all_defaults_but_the_number_of_jobs() -> None:
    options = learn_options(parsed())
    assert options == LearnOptions(jobs=options.jobs)


def test_values_of_flags() -> None:
    words = (
        "--solution scf --ties observed --fix (a)=3 --fix (b)=4 --cost-tolerance 5% --no-cache "
        "--on-invalid skip --graph-limit 7 --alternatives ALL"
    )
    options = learn_options(parsed(*words.split()))
    assert options.concept == Concept("scf", ties="observed")  # type: ignore[arg-type]
    assert [(bound.pattern, bound.least) for bound in options.bounds] == [("(a)", 3), ("(b)", 4)]
    assert options.cost_tolerance == Tolerance(options.cost_tolerance.amount, is_part=True)
    assert (options.use_cache, options.skip_invalid) == (False, True)
    assert (options.graph_limits.states, options.graph_limits.transitions) == (7, 70)
    assert options.alternatives == "all"


def test_only_the_options_of_a_topic() -> None:
    arguments = parsed("--seed", "3", topics=(Topic.SEARCH,))
    assert given_options(LearnOptions, arguments).keys() == {"seed", "jobs"}
    assert not hasattr(arguments, "share")
    with pytest.raises(SystemExit):
        parsed("--share", "x", topics=(Topic.SEARCH,))


def test_checkpoints_or_none() -> None:
    assert learn_options(parsed("--checkpoint", "kept")).checkpoint == Path("kept")
    message = "--checkpoint does not go with --no-checkpoint"
    with on_command_line(), pytest.raises(UsageError, match=message):
        learn_options(parsed("--checkpoint", "kept", "--no-checkpoint"))


def test_one_option_with_another_default_and_least_value() -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_option(parser, "default_cost", "another help", 2, least=1)
    add(parser, "--name, --old-name N: a name")
    assert "another help" in parser.format_help()
    assert parser.parse_args([]).default_cost == 2
    assert parser.parse_args(["--old-name", "x"]).name == "x"
    with pytest.raises(argparse.ArgumentError, match="expected a whole number from 1 to"):
        parser.parse_args(["--default-cost", "0"])
