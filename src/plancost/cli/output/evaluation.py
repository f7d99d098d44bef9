"""The table of an evaluation, and what it was done on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from plancost.cli.output.console import as_text
from plancost.cli.output.tables import console_for_output
from plancost.evaluation.evaluate import Evaluation
from plancost.evaluation.recovery import Recovery
from plancost.evaluation.tables import differences_table, evaluation_table, recovery_table
from plancost.files.tables import TextTable
from plancost.generators.hidden import LARGEST_TRUE_COST


def print_evaluation(found: Evaluation | Recovery) -> None:
    """Print the tables and a few lines about them."""
    if isinstance(found, Evaluation):
        table, about = evaluation_table(found), _about_case(found)
    else:
        table, about = recovery_table(found), _about_world(found)
    differences = differences_table(found)
    if differences is None:
        print_text_table(table, about)
    else:
        print_text_table(table, ())
        print_text_table(differences, ("differences in pairs, with 95 % intervals", *about))


def print_text_table(table: TextTable, about: Sequence[str]) -> None:
    """Print a table and lines about it."""
    console = console_for_output()
    drawn = Table(box=SIMPLE_HEAD)
    for number, heading in enumerate(table.headings):
        drawn.add_column(heading, justify="right" if number else "left")
    for row in table.rows:
        drawn.add_row(*map(as_text, row))
    console.print(drawn)
    for line in about:
        console.print(as_text(line))


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
