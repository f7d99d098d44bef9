"""PDDL out of a result: the user's own files with the learned costs."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import UsageError
from plancost.observations.features import kept_parameters, read_features
from plancost.observations.shares import read_shares
from plancost.results.pddl_out import folder_names, write_pddl
from plancost.results.result import Result


def write_result_pddl(result: Result, directory: Path) -> list[Path]:
    """Write the domain and the problems of a result with its costs into a folder.

    With several cost functions, into one folder for each group inside that folder.
    """
    case = result.case
    if case is None:
        raise UsageError("this result was not learned in this session, so its case is not known")
    if case.domain is None:
        raise UsageError("these costs were not learned from PDDL, so there is none to write")
    problems = [(problem, case.tasks[task].actions) for problem, task in case.problems]
    if not result.groups:
        features = read_features(result.options.get("linear", ()), case.domain)
        kept = {
            **read_shares(result.options.get("share", ()), case.domain, features),
            **kept_parameters(features, case.domain),
        }
        return write_pddl(case.domain, problems, result.costs, directory, kept)
    folders = folder_names([group.name for group in result.groups])
    return [
        path
        for group, folder in zip(result.groups, folders, strict=True)
        for path in write_pddl(case.domain, problems, group.costs, directory / folder)
    ]
