"""The arguments of ``plancost evaluate`` alone; what it shares with ``learn`` is added there."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli.numbers import count_from_one, counts_from_one, share

METHODS = ("ours", "strict", "unit", "initial", "maxent")
"""As `plancost.evaluation.methods.Method`, without loading it."""
SYNTHETIC = ("grid", "transport")
SIZES = ("side", "places", "vehicles", "packages")

EVALUATE_HELP = """CASE is as for plancost learn. Its plans are split, every method learns from one
part, and the other part is measured: the share of plans that are optimal under the learned
costs, regret (cost of the plan over the optimal cost), and overlap of the predicted plan with the
observed one (F1 of the multisets of actions). With --synthetic, plans of a generated world with
hidden true costs take the place of CASE.

methods:
  ours     plancost learn, with the options below
  strict   the same with --solution scf --reorderings same --ties observed
  unit     all costs 1
  initial  the costs in the PDDL (or --initial-costs), raised to at least 1
  maxent   maximum-entropy inverse reinforcement learning, where the state graph fits"""


def methods(text: str) -> tuple[str, ...]:
    """Such as ``ours,unit``."""
    found = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for name in found:
        if name not in METHODS:
            raise argparse.ArgumentTypeError(
                f"unknown method '{name}'; known are {', '.join(METHODS)}"
            )
    return found


def add_evaluate_arguments(parser: argparse.ArgumentParser) -> None:
    """What is held out, what is compared, and where it goes."""
    parser.add_argument(
        "case", type=Path, nargs="?", metavar="CASE", help="case folder or CSV manifest"
    )
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument(
        "--folds",
        type=count_from_one,
        metavar="K",
        help="K splits, so that every plan is held out once (default: 5)",
    )
    parts.add_argument(
        "--test-share",
        type=share,
        metavar="X",
        help="one split with this share held out, such as 0.3",
    )
    parser.add_argument(
        "--split",
        choices=["observations", "tasks"],
        default="observations",
        help="hold out single plans, or all plans of a task together (default: observations)",
    )
    parser.add_argument(
        "--methods",
        type=methods,
        metavar="M,M,...",
        help="what to compare (default: all; with --synthetic all but initial)",
    )
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="write JSON, CSV and Markdown into this folder"
    )
    parser.add_argument(
        "--synthetic",
        choices=SYNTHETIC,
        metavar="WORLD",
        help="study a generated world with hidden true costs: grid or transport",
    )
    parser.add_argument(
        "--plans",
        type=counts_from_one,
        metavar="N,N,...",
        help="synthetic: numbers of plans to learn from (default: 5,10,20,40)",
    )
    parser.add_argument(
        "--held-out",
        type=count_from_one,
        metavar="N",
        help="synthetic: plans, each on a task of its own, to measure on (default: 20)",
    )
    parser.add_argument(
        "--seeds",
        type=count_from_one,
        metavar="N",
        help="synthetic: how many hidden cost functions, from --seed on (default: 3)",
    )
    for name in SIZES:
        parser.add_argument(
            f"--{name}", type=count_from_one, metavar="N", help="synthetic: size of the world"
        )
