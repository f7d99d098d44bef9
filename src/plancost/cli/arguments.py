"""The arguments of ``plancost`` and its subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.completion_arguments import add_completion
from plancost.cli.doctor_arguments import add_doctor
from plancost.cli.evaluate_arguments import EVALUATE_HELP, add_evaluate_arguments
from plancost.cli.generate_arguments import add_generate
from plancost.cli.monitor_arguments import MONITOR_HELP, add_monitor_arguments
from plancost.cli.numbers import count_from_one, count_from_zero, seconds
from plancost.cli.parser import Parser
from plancost.cli.report_arguments import add_learn_report, add_plot, add_report
from plancost.cli.reproduce_arguments import add_reproduce
from plancost.cli.shared_arguments import (
    Commands,
    add_case_files,
    add_command,
    add_jobs,
    add_memory,
    add_no_cache,
    add_seed,
    add_talk,
)
from plancost.cli.solve_arguments import add_apply, add_solve
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions, OracleName, SolverName
from plancost.observations.bounds_files import CostBound, parse_fix, read_bounds
from plancost.observations.cost_files import CostConflicts
from plancost.observations.plan_costs import parse_suboptimality, parse_tolerance
from plancost.oracles.graph_limits import GraphLimits
from plancost.version import __version__

_CASE_HELP = """CASE is a folder with domain.pddl, problems NAME.pddl and observed plans of
NAME.pddl called NAME.plan, NAME.*.plan, NAME.plan.N or NAME.soln; or a CSV manifest with
the columns problem,plan and optionally count,cost,time,group,suboptimality (then with
--domain). With a group column every group gets a cost function of its own."""


def build_parser() -> Parser:
    """The whole command line."""
    parser = Parser(
        prog="plancost",
        description="Learn what actions cost by watching plans.",
        epilog=exit_codes.help_text(exit_codes.ALL),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"plancost {__version__}")
    commands: Commands[argparse.ArgumentParser] = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    _learn(commands)
    _check(
        commands,
        "verify",
        "check by search how many observed plans are optimal under given costs",
        exit_codes.VERIFY,
        "no progress, no table: only what contradicts the file, and the exit status",
    )
    _check(
        commands,
        "explain",
        "say of each plan that is not optimal why it is not",
        exit_codes.EXPLAIN,
        "no progress, no explanations: only the exit status, which says whether there are any "
        "that could not be found",
    )
    add_plot(commands)
    add_report(commands)
    _evaluate(commands)
    _monitor(commands)
    add_apply(commands)
    add_solve(commands)
    add_generate(commands)
    add_reproduce(commands)
    add_doctor(commands)
    add_completion(commands)
    return parser


def _learn(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "learn",
        "learn costs under which observed plans are optimal",
        _CASE_HELP,
        exit_codes.LEARN,
    )
    parser.add_argument("case", type=Path, metavar="CASE", help="case folder or CSV manifest")
    _learning(parser)
    _sharing_compared(parser)
    parser.add_argument(
        "--groups",
        type=count_from_one,
        metavar="K",
        help="learn K cost functions and divide the plans among them, so that most plans are "
        "optimal under the costs of their group; 1: one for all plans, also where the manifest "
        "has a group column (default: one for each name in the group column, else 1)",
    )
    parser.add_argument(
        "--ranges",
        action="store_true",
        help="find for each action the least and greatest cost it can have while the same plans "
        "stay optimal at the same sum of costs (or of changes); needs an answer that is proven",
    )
    parser.add_argument(
        "--least-factors",
        action="store_true",
        help="find for each plan how near to optimal it can be at best (also within --max-cost)",
    )
    parser.add_argument(
        "--prove",
        action="store_true",
        help="without --time-limit: go on until both objectives are proven, however long that "
        "takes, and not only while the second one makes progress",
    )
    parser.add_argument(
        "--pddl-out",
        type=Path,
        metavar="DIR",
        help="write the domain and the problems with the learned costs into this folder",
    )
    parser.add_argument(
        "--output", type=Path, metavar="RESULT.json", help="write the result to this file"
    )
    _checkpoint(parser)
    add_learn_report(parser)
    _common(parser, "no progress, no table")


def _checkpoint(parser: argparse.ArgumentParser) -> None:
    """Where a killed run is gone on from."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--checkpoint",
        type=Path,
        metavar="DIR",
        help="keep in this folder what was found, so that the same command goes on after it was "
        "stopped or killed; removed at the end (default with --output: RESULT.json.checkpoint)",
    )
    where.add_argument("--no-checkpoint", action="store_true", help="keep none")
    parser.add_argument(
        "--checkpoint-every",
        type=seconds,
        default=LearnOptions.checkpoint_every_s,
        metavar="S",
        help="write it at most every S seconds, and not before learning has taken as long "
        "(default: %(default)g)",
    )


def _checkpoint_folder(arguments: argparse.Namespace) -> Path | None:
    if getattr(arguments, "no_checkpoint", True):
        return None
    if arguments.checkpoint is None and arguments.output is not None:
        return Path(f"{arguments.output}.checkpoint")
    return Path(arguments.checkpoint) if arguments.checkpoint is not None else None


def _learning(parser: argparse.ArgumentParser) -> None:
    """What is learned and how, for every command that learns."""
    _concept(parser, default="mcf")
    _suboptimality(parser)
    _known_costs(parser)
    _sharing(parser)
    parser.add_argument(
        "--refine",
        action="store_true",
        help="start from the costs in the PDDL and change them as little as possible",
    )
    parser.add_argument(
        "--initial-costs",
        type=Path,
        metavar="FILE",
        help="refine the costs of this file instead (RESULT.json or a plain object)",
    )
    parser.add_argument(
        "--default-cost",
        type=count_from_zero,
        metavar="N",
        help="initial cost of the actions that --initial-costs does not name",
    )
    parser.add_argument(
        "--cost-conflicts",
        choices=[choice.value for choice in CostConflicts],
        default="error",
        help="where two problems give one action two initial costs (default: error)",
    )
    parser.add_argument(
        "--alternatives",
        default="exact",
        metavar="K",
        help="what each plan is compared with: 'exact' (all alternatives, without listing "
        "them), the K cheapest alternatives, 'all' (listed), or 'baseline' for no learning "
        "(default: exact)",
    )
    parser.add_argument(
        "--top-k-seed",
        type=count_from_zero,
        default=0,
        metavar="K",
        help="exact: begin the second objective with the K cheapest alternatives of each task, "
        "which can pay where planners do the search (default: 0)",
    )
    parser.add_argument(
        "--solver",
        choices=[choice.value for choice in SolverName],
        default="highs",
        help="who solves the MILPs (default: highs; cbc needs the extra plancost[cbc])",
    )


def _evaluate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "evaluate",
        "learn from some plans, measure on held-out ones, and compare",
        EVALUATE_HELP,
        exit_codes.EVALUATE,
    )
    add_evaluate_arguments(parser)
    _learning(parser)
    _common(parser, "no progress, no table")


def _monitor(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "monitor",
        "watch a stream of plans for outliers and for changes of costs",
        MONITOR_HELP,
        exit_codes.MONITOR,
    )
    add_monitor_arguments(parser)
    _common(parser, "no progress, no sentences: only notes, and the files")


def _known_costs(parser: argparse.ArgumentParser) -> None:
    """What is known about costs beforehand."""
    parser.add_argument(
        "--fix",
        action="append",
        default=[],
        metavar="ACTION=N",
        help="this action costs N, e.g. '(drive a b)=3'; * stands for any argument (repeatable)",
    )
    parser.add_argument(
        "--bounds",
        type=Path,
        metavar="FILE",
        help='bounds of single costs: JSON such as {"(drive * b)": [2, 5]}, or CSV with the '
        "columns action,least,greatest",
    )
    parser.add_argument(
        "--max-cost", type=count_from_one, metavar="M", help="no action costs more than M"
    )
    parser.add_argument(
        "--cost-tolerance",
        default="0",
        metavar="T",
        help="how far a plan may be from the cost that the manifest gives it: a number, or "
        "a part such as 5%% (default: 0)",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--soft-costs",
        action="store_true",
        help="plans may miss the costs that the manifest gives, by as little as possible in all",
    )
    how.add_argument(
        "--ignore-costs", action="store_true", help="leave the costs that the manifest gives"
    )


def _sharing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--share",
        action="append",
        default=[],
        metavar="WHAT",
        help="let actions share costs: 'drive ?from ?to' if drive's cost depends on these "
        "parameters only, 'drive' if on none, 'schema' for one cost for each action schema "
        "(repeatable)",
    )
    parser.add_argument(
        "--linear",
        action="append",
        default=[],
        metavar="WHAT",
        help="costs linear in numbers of the PDDL: 'drive (road-length ?from ?to)' if drive costs "
        "a constant plus a weight times this function; several functions have a weight each "
        "(repeatable)",
    )


def _sharing_compared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--compare-unshared",
        action="store_true",
        help="learn without --share and --linear as well, and say what they cost in optimal plans",
    )


def _bounds(arguments: argparse.Namespace) -> tuple[CostBound, ...]:
    fixed = tuple(parse_fix(text) for text in getattr(arguments, "fix", ()))
    file = getattr(arguments, "bounds", None)
    return fixed if file is None else fixed + read_bounds(file)


def _check(
    commands: Commands[argparse.ArgumentParser],
    name: str,
    summary: str,
    statuses: Mapping[int, str],
    quiet: str,
) -> None:
    parser = add_command(commands, name, summary, _CASE_HELP, statuses)
    parser.add_argument("case", type=Path, metavar="CASE", help="case folder or CSV manifest")
    parser.add_argument(
        "costs", type=Path, metavar="COSTS.json", help="a RESULT.json or a plain object of costs"
    )
    _concept(parser, default=None)
    _suboptimality(parser)
    parser.add_argument(
        "--default-cost",
        type=count_from_one,
        metavar="N",
        help="cost of the actions that the file does not name",
    )
    _common(parser, quiet)


def _concept(parser: argparse.ArgumentParser, default: str | None) -> None:
    of_file = default or "as the file says, else mcf"
    parser.add_argument(
        "--solution",
        choices=[choice.value for choice in Solution],
        default=default,
        help="mcf: most plans optimal; scf: most plans cheaper than every alternative; "
        "icf: all plans optimal, or say that this cannot be "
        f"(default: {of_file})",
    )
    parser.add_argument(
        "--strict", action="store_true", help="with icf: cheaper than every alternative"
    )
    parser.add_argument(
        "--reorderings",
        choices=[choice.value for choice in Reorderings],
        default="distinct",
        help="strict: whether another order of the same actions is an alternative "
        "(default: distinct)",
    )
    parser.add_argument(
        "--ties",
        choices=[choice.value for choice in Ties],
        default="alternatives",
        help="strict: whether observed plans of one task may tie (observed) or are each "
        "other's alternatives (default)",
    )


def _suboptimality(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--suboptimality",
        metavar="W",
        help="a plan counts as optimal if it costs at most W times what every alternative "
        "costs, e.g. 1.1 or 11/10; a column of the manifest is for single plans (default: 1)",
    )


def _common(parser: argparse.ArgumentParser, quiet: str) -> None:
    add_case_files(parser)
    parser.add_argument(
        "--on-invalid",
        choices=["error", "skip"],
        default="error",
        help="what to do with a plan that does not solve its problem (default: error)",
    )
    parser.add_argument("--time-limit", type=seconds, metavar="S", help="seconds for the whole run")
    parser.add_argument(
        "--oracle",
        choices=[choice.value for choice in OracleName],
        default="auto",
        help="who looks for cheaper plans: explicit state graphs, planners, or graphs where "
        "they fit and planners elsewhere (default: auto)",
    )
    parser.add_argument(
        "--graph-limit",
        type=count_from_one,
        default=GraphLimits().states,
        metavar="STATES",
        help="the largest state graph to build (default: %(default)s)",
    )
    add_memory(parser)
    add_jobs(parser, "planners and other processes at work at the same time on this machine")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="run the planners on the Dask cluster of this scheduler, e.g. tcp://host:8786 "
        "(needs the extra plancost[cluster])",
    )
    add_seed(parser)
    add_no_cache(parser)
    add_talk(parser, quiet)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def learn_options(arguments: argparse.Namespace) -> LearnOptions:
    """The options of the library."""
    return LearnOptions(
        concept=Concept(
            Solution(arguments.solution or "mcf"),
            arguments.strict,
            Reorderings(arguments.reorderings),
            Ties(arguments.ties),
        ),
        refine=getattr(arguments, "refine", False),
        initial_costs=getattr(arguments, "initial_costs", None),
        default_cost=arguments.default_cost,
        cost_conflicts=CostConflicts(getattr(arguments, "cost_conflicts", "error")),
        alternatives=getattr(arguments, "alternatives", "baseline").lower(),
        oracle=OracleName(arguments.oracle),
        graph_limits=GraphLimits(
            states=arguments.graph_limit, transitions=10 * arguments.graph_limit
        ),
        solver=SolverName(getattr(arguments, "solver", "highs")),
        time_limit_s=arguments.time_limit,
        prove=getattr(arguments, "prove", False),
        started_at=getattr(arguments, "started_at", None),
        memory_limit_mb=arguments.memory_limit,
        jobs=arguments.jobs,
        scheduler=arguments.scheduler,
        seed=arguments.seed,
        use_cache=not arguments.no_cache,
        ranges=getattr(arguments, "ranges", False),
        groups=getattr(arguments, "groups", None),
        top_k_seed=getattr(arguments, "top_k_seed", 0),
        skip_invalid=arguments.on_invalid == "skip",
        allow_outside=arguments.allow_outside,
        bounds=_bounds(arguments),
        max_cost=getattr(arguments, "max_cost", None),
        cost_tolerance=parse_tolerance(getattr(arguments, "cost_tolerance", "0")),
        soft_costs=getattr(arguments, "soft_costs", False),
        ignore_costs=getattr(arguments, "ignore_costs", False),
        share=tuple(getattr(arguments, "share", ())),
        linear=tuple(getattr(arguments, "linear", ())),
        compare_unshared=getattr(arguments, "compare_unshared", False),
        least_factors=getattr(arguments, "least_factors", False),
        suboptimality=parse_suboptimality(arguments.suboptimality or "1"),
        checkpoint=_checkpoint_folder(arguments),
        checkpoint_every_s=getattr(arguments, "checkpoint_every", LearnOptions.checkpoint_every_s),
    )
