"""The subcommands: options in, library call, table or JSON out, exit status back."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from plancost.api import check, pddl
from plancost.api import learn as learning
from plancost.cli import exit_codes
from plancost.cli.arguments import learn_options
from plancost.cli.outputs import Outputs
from plancost.cli.report import check_report_options, report_of_learning
from plancost.cli.tables import print_check, print_explanations, print_result
from plancost.cli.talk import talking
from plancost.cli.terminal import say, say_json
from plancost.errors import InputError, UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.observations.bounds_files import checked_bound
from plancost.observations.plan_costs import parse_tolerance
from plancost.results.claims import Claims, contradiction, read_claims
from plancost.results.result import Result
from plancost.system.stages import reading


def learn(arguments: argparse.Namespace) -> int:
    """``plancost learn``."""
    options = learn_options(arguments)
    check_report_options(arguments)
    with talking(arguments) as progress:
        result = learning.learn(arguments.case, options, domain=arguments.domain, progress=progress)
    outputs = Outputs()
    if arguments.output is not None:
        outputs.write(result, arguments.output)
    with outputs.writing():
        if arguments.pddl_out is not None:
            pddl.write_result_pddl(result, arguments.pddl_out)
    pages: list[Path] = []
    with outputs.writing():
        pages = report_of_learning(result, arguments)
    _show(result, arguments)
    if outputs.failed:
        outputs.report()
        return exit_codes.BAD_INPUT
    if not (arguments.quiet or arguments.json):
        for path in (arguments.output, arguments.pddl_out, *pages):
            if path is not None:
                say(f"wrote {path}")
    if result.is_finished:
        learning.remove_checkpoints(result)
    if result.interrupted:
        return exit_codes.INTERRUPTED
    if result.exists is False:
        return exit_codes.NO_IDEAL
    if result.failures and not result.is_complete:
        return exit_codes.FAILED
    if not result.verified or (result.solution == "icf" and result.exists is None):
        return exit_codes.UNDECIDED
    return exit_codes.OK


def verify(arguments: argparse.Namespace) -> int:
    """``plancost verify``."""
    claims = _claims(arguments)
    options = _options_for(arguments, claims)
    with talking(arguments) as progress:
        result = check.verify(
            arguments.case, claims, options, domain=arguments.domain, progress=progress
        )
    _show(result, arguments, print_check)
    if not result.verified:
        return exit_codes.FAILED if result.failures else exit_codes.UNDECIDED
    asked = (options.concept, options.suboptimality)
    if claims.is_result and asked == (claims.concept, claims.suboptimality):
        contradicted = contradiction(claims, result)
        if contradicted is not None:
            if not arguments.json:
                say(f"{arguments.costs} says {contradicted}.")
            return exit_codes.CONTRADICTED
        if not (arguments.quiet or arguments.json):
            say(f"This agrees with {arguments.costs}.")
    return exit_codes.OK


def explain(arguments: argparse.Namespace) -> int:
    """``plancost explain``."""
    claims = _claims(arguments)
    options = _as_learned(_options_for(arguments, claims), claims)
    with talking(arguments) as progress:
        result = check.explain(
            arguments.case, claims, options, domain=arguments.domain, progress=progress
        )
    if arguments.json:
        say_json(result.to_json())
    elif not arguments.quiet:
        print_explanations(result)
    unexplained = any(
        item.optimal is False
        and (
            item.explanation.get("reason") == "not proven"
            if item.explanation is not None
            else bool(result.failures)
        )
        for item in result.observations
    )
    _say_failures(result)
    if result.verified and not unexplained:
        return exit_codes.OK
    return exit_codes.FAILED if result.failures else exit_codes.UNDECIDED


def _options_for(arguments: argparse.Namespace, claims: Claims) -> LearnOptions:
    """The options of a check: the concept is the file's unless another was asked for."""
    options = learn_options(arguments)
    if arguments.solution is None and claims.is_result:
        options = replace(options, concept=claims.concept)
    if arguments.suboptimality is None and claims.is_result:
        options = replace(options, suboptimality=claims.suboptimality)
    return options


def _as_learned(options: LearnOptions, claims: Claims) -> LearnOptions:
    """With what the file says was known about costs when it was learned."""
    path, recorded = claims.path, claims.options if claims.is_result else {}
    try:
        bounds = tuple(
            checked_bound(str(pattern), least, greatest, path)
            for pattern, least, greatest in recorded.get("bounds", ())
        )
        return replace(
            options,
            bounds=bounds,
            max_cost=recorded.get("max_cost"),
            cost_tolerance=parse_tolerance(recorded.get("cost_tolerance", "0")),
            share=tuple(map(str, recorded.get("share", ()))),
            linear=tuple(map(str, recorded.get("linear", ()))),
            soft_costs=bool(recorded.get("soft_costs")),
            ignore_costs=bool(recorded.get("ignore_costs")),
        )
    except (AttributeError, TypeError, ValueError, UsageError) as error:
        raise InputError("the options in this RESULT.json cannot be read", path) from error


def _show(
    result: Result,
    arguments: argparse.Namespace,
    show: Callable[[Result], None] = print_result,
) -> None:
    if arguments.json:
        say_json(result.to_json())
    elif not arguments.quiet:
        show(result)
    _say_failures(result)


def _say_failures(result: Result) -> None:
    for failure in result.failures:
        say(f"plancost: {failure}", error=True)


def _claims(arguments: argparse.Namespace) -> Claims:
    """What the file of costs says."""
    with reading(arguments.costs, learn_options(arguments).deadline()):
        return read_claims(arguments.costs)
