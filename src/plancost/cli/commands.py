"""The subcommands: options in, library call, table or JSON out, exit status back."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from plancost import api
from plancost.cli import exit_codes
from plancost.cli.arguments import learn_options
from plancost.cli.progress_bar import ProgressBar
from plancost.cli.tables import print_result
from plancost.learning.concept import Concept, Reorderings, Solution, Ties
from plancost.observations.case import load_case
from plancost.processes import Limits
from plancost.results.pddl_out import write_pddl
from plancost.results.result import Result


def learn(arguments: argparse.Namespace) -> int:
    """``plancost learn``."""
    options = learn_options(arguments)
    with ProgressBar(quiet=arguments.quiet) as progress:
        case = load_case(
            arguments.case,
            domain=arguments.domain,
            skip_invalid=options.skip_invalid,
            limits=Limits(options.time_limit_s, options.memory_limit_mb),
            jobs=options.jobs,
            progress=progress,
        )
        result = api.learn(case, options, progress=progress)
    if arguments.output is not None:
        result.write(arguments.output)
    if arguments.pddl_out is not None:
        problems = [(problem, case.tasks[task].actions) for problem, task in case.problems]
        write_pddl(case.domain, problems, result.costs, arguments.pddl_out)
    _show(result, arguments)
    if not (arguments.quiet or arguments.json):
        for path in (arguments.output, arguments.pddl_out):
            if path is not None:
                print(f"wrote {path}")
    if result.interrupted:
        return exit_codes.INTERRUPTED
    if result.exists is False:
        return exit_codes.NO_IDEAL
    if not result.verified or (result.solution == "icf" and result.exists is None):
        return exit_codes.UNDECIDED
    return exit_codes.OK


def verify(arguments: argparse.Namespace) -> int:
    """``plancost verify``."""
    file = _result_file(arguments.costs)
    options = learn_options(arguments)
    if arguments.solution is None and file is not None:
        options = replace(options, concept=_concept_of(file))
    with ProgressBar(quiet=arguments.quiet) as progress:
        result = api.verify(
            arguments.case, arguments.costs, options, domain=arguments.domain, progress=progress
        )
    _show(result, arguments)
    if not result.verified:
        return exit_codes.UNDECIDED
    if file is not None and options.concept == _concept_of(file):
        claimed = file.get("optimal_plans")
        if claimed != result.optimal_plans:
            if not arguments.json:
                print(
                    f"{arguments.costs} says {claimed} optimal plans; "
                    f"the check finds {result.optimal_plans}."
                )
            return exit_codes.CONTRADICTED
        if not (arguments.quiet or arguments.json):
            print(f"This agrees with {arguments.costs}.")
    return exit_codes.OK


def _show(result: Result, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(json.dumps(result.to_json(), indent=1, ensure_ascii=False))
    elif not arguments.quiet:
        print_result(result)


def _result_file(path: Path) -> dict[str, Any] | None:
    """The content of a RESULT.json, or None for a plain file of costs."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None  # the library reads it again and says what is wrong
    if isinstance(content, dict) and "format" in content and "optimal_plans" in content:
        return content
    return None


def _concept_of(file: dict[str, Any]) -> Concept:
    """The concept that a RESULT.json was learned for."""
    try:
        solution = Solution(file.get("solution", "mcf"))
        options = file.get("options") or {}
        return Concept(
            solution,
            bool(file.get("strict")) and solution is Solution.ICF,
            Reorderings(options.get("reorderings", "distinct")),
            Ties(options.get("ties", "alternatives")),
        )
    except (ValueError, AttributeError):
        return Concept()
