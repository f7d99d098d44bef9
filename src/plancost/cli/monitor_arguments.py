"""The arguments of ``plancost monitor`` alone; what it shares with ``learn`` is added there."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli.numbers import count_from_one, share

DRIFT = ("cusum", "adwin", "page-hinkley")
"""As `plancost.monitoring.drift.DriftMethod`, without loading it."""

MONITOR_HELP = """RESULT.json is what plancost learn wrote, with one cost function and from no more
than plans and initial costs. The stream is a CSV manifest with the columns problem,plan and
optionally count,time (others are not used), read in the order of its rows. For each plan: its
regret (cost over optimal cost) under the current costs, and whether it is an outlier. When the
regrets of the stream show that costs have changed, they are learned again from the last plans.
With --state the same command later goes on with the rows that were added."""


def add_monitor_arguments(parser: argparse.ArgumentParser) -> None:
    """What is watched, when to raise alarms, and where things are kept."""
    parser.add_argument(
        "result", type=Path, metavar="RESULT.json", help="what plancost learn wrote"
    )
    parser.add_argument(
        "--observations",
        type=Path,
        required=True,
        metavar="STREAM.csv",
        help="the stream of plans",
    )
    parser.add_argument(
        "--training",
        type=Path,
        metavar="CASE",
        help="the plans that RESULT.json was learned from, to find out by cross-validation what "
        "regret is usual (default: the files that it names, beside the domain or beside itself)",
    )
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="CASE",
        help="plans that were held out from learning, to find it out from these instead",
    )
    parser.add_argument(
        "--state", type=Path, metavar="FILE", help="keep what is known in this file, and go on"
    )
    parser.add_argument(
        "--false-alarms",
        type=share,
        default=0.05,
        metavar="X",
        help="at most this share of usual plans is called outliers (default: %(default)s)",
    )
    parser.add_argument(
        "--window",
        type=count_from_one,
        default=40,
        metavar="N",
        help="plans to learn from after a change (default: %(default)s)",
    )
    parser.add_argument(
        "--drift",
        choices=DRIFT,
        default="cusum",
        help="who detects a change (default: cusum; the others need the extra plancost[drift])",
    )
    parser.add_argument(
        "--run-length",
        type=count_from_one,
        default=1000,
        metavar="N",
        help="without a change, at least so many plans on average between two alarms of drift "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--folds",
        type=count_from_one,
        default=5,
        metavar="K",
        help="of cross-validation (default: %(default)s)",
    )
    parser.add_argument(
        "--no-relearn", action="store_true", help="keep the costs whatever is detected"
    )
    parser.add_argument(
        "--default-cost",
        type=count_from_one,
        metavar="N",
        help="cost of the actions that RESULT.json does not name (default: 1)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="RESULT.json",
        help="write the result there whenever costs are learned again",
    )
    # The concept is that of RESULT.json, and it is always learned exactly.
    parser.set_defaults(
        solution=None,
        strict=False,
        reorderings="distinct",
        ties="alternatives",
        alternatives="exact",
        suboptimality=None,
    )
