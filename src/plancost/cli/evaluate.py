"""``plancost evaluate``: options in, one table out, files on request."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from plancost.cli import exit_codes
from plancost.cli.arguments import learn_options
from plancost.cli.console import as_text
from plancost.cli.evaluate_arguments import SIZES
from plancost.cli.tables import console_for_output
from plancost.cli.talk import talking
from plancost.cli.terminal import say, say_json
from plancost.errors import InputError, UsageError
from plancost.evaluation.evaluate import EvaluateOptions, Evaluation
from plancost.evaluation.evaluate import evaluate as evaluate_case
from plancost.evaluation.methods import Method
from plancost.evaluation.recovery import SMALL_WORLDS, Recovery, RecoveryOptions, recover
from plancost.evaluation.splits import SplitBy
from plancost.evaluation.tables import (
    evaluation_table,
    recovery_table,
    write_evaluation,
    write_recovery,
)
from plancost.files.tables import TextTable
from plancost.generators.hidden import LARGEST_TRUE_COST
from plancost.generators.world import World

_SYNTHETIC_ONLY = ("plans", "held_out", "seeds", *SIZES)
_CASE_ONLY = ("folds", "test_share", "domain")


def evaluate(arguments: argparse.Namespace) -> int:
    """``plancost evaluate``."""
    _check_usage(arguments)
    if arguments.synthetic is None:
        return _on_a_case(arguments)
    return _on_a_world(arguments)


def _on_a_case(arguments: argparse.Namespace) -> int:
    options = EvaluateOptions(
        folds=arguments.folds or 5,
        test_share=arguments.test_share,
        split_by=SplitBy(arguments.split),
        methods=_methods(arguments) or tuple(Method),
        default_cost=1 if arguments.default_cost is None else arguments.default_cost,
        learning=learn_options(arguments),
    )
    with talking(arguments) as progress:
        found = evaluate_case(arguments.case, options, domain=arguments.domain, progress=progress)
    with _writing(arguments, lambda folder: write_evaluation(found, folder)):
        _show(arguments, found.to_json, evaluation_table(found), _about_case(found))
    nothing = all(summary.plans == 0 for summary in found.summaries)
    return exit_codes.UNDECIDED if nothing else exit_codes.OK


def _on_a_world(arguments: argparse.Namespace) -> int:
    usual = RecoveryOptions()
    options = RecoveryOptions(
        plans=arguments.plans or usual.plans,
        held_out=arguments.held_out or usual.held_out,
        seeds=arguments.seeds or usual.seeds,
        methods=_methods(arguments) or usual.methods,
        learning=learn_options(arguments),
    )
    with talking(arguments) as progress:
        found = recover(_world(arguments), options, progress=progress)
    with _writing(arguments, lambda folder: write_recovery(found, folder)):
        _show(arguments, found.to_json, recovery_table(found), _about_world(found))
    return exit_codes.OK


def _check_usage(arguments: argparse.Namespace) -> None:
    if (arguments.case is None) is (arguments.synthetic is None):
        raise UsageError("evaluate needs either a CASE or --synthetic WORLD")
    wrong = _CASE_ONLY if arguments.case is None else _SYNTHETIC_ONLY
    for name in wrong:
        if getattr(arguments, name) is not None:
            other = "a CASE" if arguments.case is None else "--synthetic"
            raise UsageError(f"--{name.replace('_', '-')} goes with {other}")


def _methods(arguments: argparse.Namespace) -> tuple[Method, ...]:
    return tuple(map(Method, arguments.methods or ()))


def _world(arguments: argparse.Namespace) -> World:
    world = SMALL_WORLDS[arguments.synthetic]
    own = {item.name for item in fields(world)}
    sizes = {name: getattr(arguments, name) for name in SIZES if getattr(arguments, name)}
    for name in sizes:
        if name not in own:
            raise UsageError(f"{arguments.synthetic} has no size --{name}")
    return replace(world, **sizes)


def _about_case(found: Evaluation) -> list[str]:
    splits = list(dict.fromkeys(trial.split for trial in found.trials))
    lines = [
        f"{found.case.plan_count} plans of {len(found.case.tasks)} tasks; held out by "
        f"{found.options.split_by}, {len(splits)} split{'s' if len(splits) > 1 else ''}; "
        f"{found.seconds['total']:.0f} s"
    ]
    lines += [f"{s.method}: {s.reason}" for s in found.summaries if s.reason is not None]
    return lines + [f"note: {note}" for note in found.case.remarks]


def _about_world(found: Recovery) -> list[str]:
    sizes = ", ".join(f"{name} {value}" for name, value in found.sizes.items())
    return [
        f"{found.world} ({sizes}): {found.states} states, {found.actions} actions, true costs "
        f"1 to {LARGEST_TRUE_COST}; {found.options.held_out} held-out plans for each of "
        f"{found.options.seeds} seed{'s' if found.options.seeds > 1 else ''}; "
        f"{found.seconds:.0f} s"
    ]


def _show(
    arguments: argparse.Namespace,
    content: Callable[[], dict[str, Any]],
    table: TextTable,
    about: list[str],
) -> None:
    if arguments.json:
        say_json(content())
    elif not arguments.quiet:
        console = console_for_output()
        _print_table(console, table)
        for line in about:
            console.print(as_text(line))


def _print_table(console: Console, table: TextTable) -> None:
    drawn = Table(box=SIMPLE_HEAD)
    for number, heading in enumerate(table.headings):
        drawn.add_column(heading, justify="right" if number else "left")
    for row in table.rows:
        drawn.add_row(*map(as_text, row))
    console.print(drawn)


@contextmanager
def _writing(arguments: argparse.Namespace, write: Callable[[Path], list[Path]]) -> Iterator[None]:
    """Write the files first, and show the rest whatever became of them."""
    written: list[Path] = []
    failure: InputError | None = None
    if arguments.output is not None:
        try:
            written = write(arguments.output)
        except InputError as error:
            failure = error
    yield
    if failure is not None:
        raise failure
    for path in written:
        if not (arguments.quiet or arguments.json):
            say(f"wrote {path}")
