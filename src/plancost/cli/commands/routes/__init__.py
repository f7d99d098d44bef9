"""``plancost routes``: costs of streets from trips that were driven."""

from __future__ import annotations

from plancost.cli.command import Family
from plancost.cli.commands.routes import (
    ask,
    evaluate,
    explain,
    explore,
    generate,
    learn,
    predict,
    report,
)

COMMAND = Family(
    "routes",
    "learn costs of streets from driven trips, and predict routes",
    "Networks and trips are CSV files; no PDDL is involved.",
    (
        learn.COMMAND,
        predict.COMMAND,
        explain.COMMAND,
        evaluate.COMMAND,
        ask.COMMAND,
        report.COMMAND,
        explore.COMMAND,
        generate.COMMAND,
    ),
)
