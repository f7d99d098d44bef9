"""``plancost evaluate``: learn from some plans, measure on others, and compare methods."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, Output, add_case, add_domain, add_quiet
from plancost.cli.number_arguments import positive, positive_list, share
from plancost.cli.options import add, add_options, learn_options
from plancost.cli.output.terminal import print_json, print_written
from plancost.errors import UsageError
from plancost.evaluation.splits import SplitBy
from plancost.learning.problem.declaration import Topic

if TYPE_CHECKING:
    from plancost.evaluation.evaluate import Evaluation
    from plancost.evaluation.recovery import Recovery
    from plancost.generators.world import World

METHODS = ("ours", "mean", "likely", "strict", "unit", "initial", "maxent")
"""As `plancost.evaluation.methods.Method`, without loading it."""
SYNTHETIC = ("grid", "transport", "city")
_SIZES = {
    "side": "grid: cells along a side",
    "places": "transport: places",
    "vehicles": "transport: vehicles",
    "packages": "transport: packages",
    "links": "city: directed links, about",
}
_SYNTHETIC_ONLY = ("plans", "held_out", "seeds", *_SIZES)
_CASE_ONLY = ("folds", "test_share", "domain")
_TEXT = """CASE is as for plancost learn. Its plans are split, every method learns from one
part, and the other part is measured: the share of plans that are optimal under the learned
costs, regret (cost of the plan over the optimal cost), and overlap of the predicted plan with the
observed one (F1 of the multisets of actions). With --synthetic, plans of a generated world with
hidden true costs replace CASE.

methods:
  ours     plancost learn, with the options below
  mean     the same with --choose mean
  likely   the same with --choose likely
  strict   the same with --solution scf --reorderings same --ties observed
  unit     all costs 1
  initial  the costs in the PDDL (or --initial-costs), raised to at least 1
  maxent   maximum-entropy inverse reinforcement learning, where the state graph fits; the spread
           of its prior is chosen by cross-validation"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_case(parser, nargs="?")
    add_domain(parser)
    add(parser, "--output DIR: write JSON, CSV and Markdown into this folder", Path)
    add_quiet(parser, "no progress, no table", json="print the result as JSON")
    _add_splits(parser)
    _add_synthetic(parser)
    topics = (Topic.OPTIMALITY, Topic.COSTS, Topic.METHOD, Topic.SEARCH)
    add_options(parser, *topics, without=("drop", "require"))


def _methods(text: str) -> tuple[str, ...]:
    """Such as ``ours,unit``."""
    found = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for name in found:
        if name not in METHODS:
            raise argparse.ArgumentTypeError(
                f"unknown method '{name}'; known are {', '.join(METHODS)}"
            )
    return found


def _add_splits(parser: argparse.ArgumentParser) -> None:
    parts = parser.add_mutually_exclusive_group()
    add(parts, "--folds K: K splits, so that every plan is held out once (default: 5)", positive)
    add(parts, "--test-share X: one split with this share held out, such as 0.3", share)
    add(
        parser,
        "--split: hold out single plans, or all plans of a task together (default: observations)",
        choices=[choice.value for choice in SplitBy],
        default="observations",
    )
    add(
        parser,
        "--methods M,M,...: what to compare (default: all; with --synthetic all but initial)",
        _methods,
    )


def _add_synthetic(parser: argparse.ArgumentParser) -> None:
    add(
        parser,
        "--synthetic WORLD: study a world with hidden true costs: grid, transport or city",
        choices=SYNTHETIC,
    )
    add(
        parser,
        "--plans N,N,...: synthetic: numbers of plans to learn from (default: 5,10,20,40)",
        positive_list,
    )
    add(
        parser,
        "--held-out N: synthetic: plans, each on a task of its own, to measure on (default: 20)",
        positive,
    )
    add(
        parser,
        "--seeds N: synthetic: number of hidden cost functions; the first is that of --seed "
        "(default: 3)",
        positive,
    )
    for name, meaning in _SIZES.items():
        add(parser, f"--{name} N: synthetic {meaning}", positive)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate on a case or on a generated world."""
    _check_usage(arguments)
    found = _on_a_case(arguments) if arguments.synthetic is None else _on_a_world(arguments)
    return _write_and_show(found, arguments)


def _on_a_case(arguments: argparse.Namespace) -> Evaluation:
    from plancost.cli.output.messages import progress_and_log
    from plancost.evaluation.evaluate import EvaluateOptions, evaluate
    from plancost.evaluation.methods import Method

    options = EvaluateOptions(
        folds=arguments.folds or 5,
        test_share=arguments.test_share,
        split_by=SplitBy(arguments.split),
        methods=tuple(map(Method, arguments.methods or Method)),
        default_cost=1 if arguments.default_cost is None else arguments.default_cost,
        learning=learn_options(arguments),
    )
    with progress_and_log(arguments) as progress:
        return evaluate(arguments.case, options, domain=arguments.domain, progress=progress)


def _on_a_world(arguments: argparse.Namespace) -> Recovery:
    from plancost.cli.output.messages import progress_and_log
    from plancost.evaluation.methods import Method
    from plancost.evaluation.recovery import RecoveryOptions, recover

    usual = RecoveryOptions()
    options = RecoveryOptions(
        plans=arguments.plans or usual.plans,
        held_out=arguments.held_out or usual.held_out,
        seeds=arguments.seeds or usual.seeds,
        methods=tuple(map(Method, arguments.methods or usual.methods)),
        learning=learn_options(arguments),
    )
    with progress_and_log(arguments) as progress:
        return recover(_world(arguments), options, progress=progress)


def _check_usage(arguments: argparse.Namespace) -> None:
    if (arguments.case is None) is (arguments.synthetic is None):
        raise UsageError("evaluate needs either a CASE or --synthetic WORLD")
    wrong = _CASE_ONLY if arguments.case is None else _SYNTHETIC_ONLY
    for name in wrong:
        if getattr(arguments, name) is not None:
            other = "a CASE" if arguments.case is None else "--synthetic"
            raise UsageError(f"--{name.replace('_', '-')} goes with {other}")


def _world(arguments: argparse.Namespace) -> World:
    from plancost.evaluation.recovery import SMALL_WORLDS

    world = SMALL_WORLDS[arguments.synthetic]
    own = {item.name for item in fields(world)}
    sizes = {name: getattr(arguments, name) for name in _SIZES if getattr(arguments, name)}
    for name in sizes:
        if name not in own:
            raise UsageError(f"{arguments.synthetic} has no size --{name}")
    return replace(world, **sizes)


def _write_and_show(found: Evaluation | Recovery, arguments: argparse.Namespace) -> int:
    """Write the files first, and show the rest even if that failed."""
    from plancost.cli.output.evaluation import print_evaluation
    from plancost.cli.outputs import Outputs
    from plancost.evaluation.evaluate import Evaluation

    outputs = Outputs()
    written: list[Path] = []
    with outputs.writing():
        if arguments.output is not None:
            written = _write(found, arguments.output)
    if arguments.json:
        print_json(found.to_json())
    elif not arguments.quiet:
        print_evaluation(found)
    if outputs.failed:
        outputs.report()
        return exit_codes.BAD_INPUT
    print_written(written, arguments)
    if isinstance(found, Evaluation) and not any(summary.plans for summary in found.summaries):
        return exit_codes.UNDECIDED
    return exit_codes.OK


def _write(found: Evaluation | Recovery, folder: Path) -> list[Path]:
    from plancost.evaluation.evaluate import Evaluation
    from plancost.evaluation.tables import write_evaluation, write_recovery

    if isinstance(found, Evaluation):
        return write_evaluation(found, folder)
    return write_recovery(found, folder)


def _output_files(arguments: argparse.Namespace) -> list[Path]:
    from plancost.evaluation.tables import FILES

    return [arguments.output / name for name in FILES]


COMMAND = Command(
    "evaluate",
    "learn from some plans, measure on held-out ones, and compare",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "measured; the table says what could not be measured",
        {exit_codes.UNDECIDED: "nothing could be measured within the limits"},
        stopped=exit_codes.NO_ANSWER,
    ),
    output=Output.FOLDER,
    output_files=_output_files,
    shares_memory=True,
)
