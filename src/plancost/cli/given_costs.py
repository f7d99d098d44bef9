"""The costs that ``verify`` and ``explain`` are given, and what their file says of learning."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plancost.cli.command import add_case, add_domain, add_quiet
from plancost.cli.options import add, add_option, add_options, given_options, learn_options
from plancost.errors import InputError, UsageError
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.options import LearnOptions

_UNREADABLE = (AttributeError, TypeError, ValueError, UsageError)


def add_check_arguments(parser: argparse.ArgumentParser, quiet: str) -> None:
    """The arguments of both commands."""
    add_case(parser)
    add(parser, "costs COSTS.json: a RESULT.json or a plain object of costs", Path)
    add_domain(parser)
    add_option(parser, "default_cost", "cost of the actions that the file does not name", least=1)
    add_quiet(parser, quiet, json="print the result as JSON")
    add_options(parser, Topic.OPTIMALITY, Topic.SEARCH)


@dataclass(frozen=True)
class GivenCosts:
    """What is asked of the costs in a file."""

    file: dict[str, Any] | None
    """The content of a RESULT.json; None: a plain file of costs."""
    options: LearnOptions
    """Which plans count as optimal is as the file says, unless something else was asked for."""
    asks_the_same: bool = False
    """Whether the file was learned with the same notion of an optimal plan."""

    @classmethod
    def read(cls, arguments: argparse.Namespace) -> GivenCosts:
        """Read the file, if it is a RESULT.json."""
        from plancost.results.learned import concept_of
        from plancost.results.recorded import read_back

        file, asked = _result_file(arguments), learn_options(arguments)
        if file is None:
            return cls(None, asked)
        said: dict[str, Any] = {"concept": concept_of(file)}
        try:
            said |= read_back(file.get("options") or {}, arguments.costs, Topic.OPTIMALITY)
        except _UNREADABLE:
            said |= read_back({}, arguments.costs, Topic.OPTIMALITY)
        given = given_options(LearnOptions, arguments)
        if arguments.solution is not None:
            given["concept"] = asked.concept
        options = replace(asked, **(said | {name: given[name] for name in said.keys() & given}))
        return cls(file, options, options == replace(options, **said))

    def as_learned(self, path: Path) -> LearnOptions:
        """With what the file says was known about costs when they were learned."""
        from plancost.results.recorded import read_back

        try:
            recorded = (self.file or {}).get("options") or {}
            return replace(self.options, **read_back(recorded, path, Topic.COSTS))
        except _UNREADABLE as error:
            raise InputError("the options in this RESULT.json cannot be read", path) from error


def _result_file(arguments: argparse.Namespace) -> dict[str, Any] | None:
    from plancost.observations.cost_files import read_json
    from plancost.system.stages import reading

    path: Path = arguments.costs
    if path.is_fifo():
        raise InputError("this is a pipe, and it is read twice; write it to a file first", path)
    with reading(path, learn_options(arguments).deadline()):
        content = read_json(path)
    if isinstance(content, dict) and "format" in content and "optimal_plans" in content:
        return content
    return None
