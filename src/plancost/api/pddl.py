"""PDDL out of a result: the user's own files with the learned costs."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import UsageError
from plancost.observations.case import Case
from plancost.observations.features import kept_parameters, read_features
from plancost.observations.shares import read_shares
from plancost.results.pddl_out import folder_names, make_directory, write_pddl
from plancost.results.reading import result_and_case
from plancost.results.result import Result
from plancost.system.values import PathLike, as_path


def write_result_pddl(
    result: Result | PathLike,
    directory: PathLike,
    *,
    case: PathLike | Case | None = None,
    domain: PathLike | None = None,
) -> list[Path]:
    """Write the domain and the problems of a result with its costs.

    Args:
        result: A result, or the path of a RESULT.json.
        directory: The folder to write to; with several cost functions, one for each group is made
            inside of it.
        case: What the result was learned from; None: as the result knows.
        domain: The PDDL domain, if `case` is a manifest.

    Returns:
        The files that were written.

    Raises:
        InputError: The result is of another case, or the folder cannot be written.
        UsageError: There is no PDDL, or the case is not known.
    """
    folder = as_path(directory, "directory")
    known, own = result_and_case(result, case, domain)
    return _write(known, own, folder)


def _write(result: Result, case: Case, directory: Path) -> list[Path]:
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
    make_directory(directory)
    return [
        path
        for group, folder in zip(result.groups, folders, strict=True)
        for path in write_pddl(case.domain, problems, group.costs, directory / folder)
    ]
