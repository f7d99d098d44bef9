"""From RESULT.json back to a `Result`, and whether a result belongs to a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.files.input_files import read_json
from plancost.learning.diagnose.explanations import Reason
from plancost.observations.case import Case, load_case
from plancost.observations.files import name_within
from plancost.observations.parts import without_plans
from plancost.observations.planfile import plan_cost
from plancost.observations.replay import replay
from plancost.results.document import decode, must_be
from plancost.results.result import (
    FORMAT,
    NEEDED_BY_DEMAND,
    NEEDED_BY_GIVEN,
    NEEDED_BY_REASON,
    Document,
    ExplanationKeys,
    Inequality,
    Result,
)
from plancost.system.values import PathLike, as_path


def read_result(path: PathLike) -> Result:
    """Read a RESULT.json.

    Args:
        path: The file.

    Returns:
        The result; its `case` is None, since that is not part of the file.

    Raises:
        InputError: It is not a RESULT.json.
    """
    file = as_path(path, "path")
    return result_in(read_json(file, "this result"), file)


def result_in(content: object, path: Path) -> Result:
    """The result that is in the content of a RESULT.json; `path` is for messages."""
    if not isinstance(content, dict) or "format" not in content:
        raise InputError("this is not a RESULT.json of plancost learn --output", path)
    if content["format"] != FORMAT:
        raise InputError(must_be("format", str(FORMAT), content["format"]), path)
    found = vars(decode(content, Document, path))
    del found["format"]
    result = Result(**found)
    for number, item in enumerate(result.observations):
        if item.explanation is not None:
            _check_explanation(item.explanation, f"observations[{number}].explanation", path)
    _check_certificate(result.conflict_certificate, "conflict_certificate", path)
    return result


def result_and_case(
    result: Result | PathLike, case: PathLike | Case | None, domain: PathLike | None = None
) -> tuple[Result, Case]:
    """A result and what it was learned from, each read if it is a path.

    Without a case it is the one that the result knows; any other must fit.
    """
    path = None if isinstance(result, Result) else as_path(result, "result")
    result = result if isinstance(result, Result) else read_result(result)
    if case is None:
        if result.case is None:
            raise UsageError(
                "this result was read from a file, which does not hold its case; add case=..."
            )
        return result, result.case
    if not isinstance(case, Case):
        skips = result.options.get("on_invalid") == "skip"
        case = load_case(case, domain=domain, skip_invalid=skips)
        case = without_plans(case, result.options.get("drop", ()))
    check_fits(result, case, path)
    return result, case


def check_fits(result: Result, case: Case, path: Path | None) -> None:
    """Raise `InputError` unless the result was learned from this case, as it is now."""
    costs_of_group = {group.name: group.costs for group in result.groups}
    for costs in (result.costs, *costs_of_group.values()):
        _check_actions(costs, case, path)
    if len(result.observations) != len(case.observations):
        raise InputError(
            f"it speaks of {len(result.observations)} observed plans and the case has "
            f"{len(case.observations)}; learn again",
            path,
        )
    for item, observation in zip(result.observations, case.observations, strict=True):
        found = name_within(case.root, observation.plan_file)
        if item.plan != found:
            raise InputError(
                f"it speaks of the plan {item.plan} where the case has {found}; learn again", path
            )
        if result.groups and item.group not in costs_of_group:
            raise InputError(f"it does not say which of its groups {item.plan} belongs to", path)
        cost = plan_cost(observation.plan, costs_of_group.get(item.group or "", result.costs))
        if item.cost != cost:
            raise InputError(
                f"{item.plan} costs {cost} under these costs and not {item.cost}; it must have "
                "changed, so learn again",
                path,
            )
        if item.rival is not None:
            task = case.tasks[observation.task].sas
            if not replay(task, item.rival).is_valid:
                raise InputError(f"the rival of {item.plan} is no plan of {item.problem}", path)


def _check_actions(costs: Mapping[str, int], case: Case, path: Path | None) -> None:
    for name in case.actions:
        if name not in costs:
            raise InputError(f"there is no cost for {name}, so it belongs to another case", path)
    if len(costs) > len(case.actions):
        name = next(name for name in costs if name not in set(case.actions))
        raise InputError(f"there is no action {name} in the case, so it belongs to another", path)


def _check_explanation(explanation: ExplanationKeys, place: str, path: Path) -> None:
    """Raise `InputError` unless there is all that it takes to put it into words."""
    reason = explanation["reason"]
    if reason not in set(Reason):
        words = "one of " + ", ".join(Reason)
        raise InputError(must_be(f"{place}.reason", words, reason), path)
    _check_keys(explanation, NEEDED_BY_REASON.get(reason, ()), place, path)
    _check_certificate(explanation.get("certificate", ()), f"{place}.certificate", path)


def _check_certificate(certificate: Sequence[Inequality], place: str, path: Path) -> None:
    for number, item in enumerate(certificate):
        own = f"{place}[{number}]"
        _check_keys(item, NEEDED_BY_GIVEN if "given" in item else NEEDED_BY_DEMAND, own, path)
        if "suboptimality" in item:
            decode(item["suboptimality"], Fraction, path, f"{own}.suboptimality")


def _check_keys(item: Mapping[str, object], needed: Iterable[str], place: str, path: Path) -> None:
    for key in needed:
        if key not in item:
            raise InputError(f"{place}.{key} is missing", path)
