"""The costs that ``verify`` and ``explain`` are given, and what their file says of learning."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli.command import add_case, add_domain, add_quiet
from plancost.cli.options import add, add_option, add_options, given_options, learn_options
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.options import LearnOptions

if TYPE_CHECKING:
    from plancost.results.claims import Claims


def add_check_arguments(parser: argparse.ArgumentParser, quiet: str) -> None:
    """The arguments of both commands."""
    add_case(parser)
    add(parser, "costs COSTS.json: a RESULT.json, or JSON with a cost for each action", Path)
    add_domain(parser)
    add_option(parser, "default_cost", "cost of the actions that the file does not name", least=1)
    add_quiet(parser, quiet, json="print the result as JSON")
    add_options(parser, Topic.OPTIMALITY, Topic.SEARCH)


@dataclass(frozen=True)
class GivenCosts:
    """What is asked of the costs in a file."""

    claims: Claims
    """What the file says."""
    options: LearnOptions
    """Which plans count as optimal is as the file says, unless something else was asked for."""
    asks_the_same: bool = False
    """Whether it is a RESULT.json learned with the same notion of an optimal plan."""

    @classmethod
    def read(cls, arguments: argparse.Namespace) -> GivenCosts:
        """Read the file."""
        from plancost.results.claims import read_claims
        from plancost.results.recorded import as_said
        from plancost.system.stages import reading

        asked = learn_options(arguments)
        with reading(arguments.costs, asked.deadline()):
            claims = read_claims(arguments.costs)
        given = list(given_options(LearnOptions, arguments))
        if arguments.solution is not None:
            given.append("concept")
        options = as_said(claims, asked, given, Topic.OPTIMALITY)
        the_same = options == as_said(claims, options, (), Topic.OPTIMALITY)
        return cls(claims, options, claims.is_result and the_same)

    def as_learned(self) -> LearnOptions:
        """With what the file says was known about costs when they were learned."""
        from plancost.results.recorded import as_said

        return as_said(self.claims, self.options, (), Topic.COSTS)
