"""What can be asked of `learn`: one field for each option, from which the flags are made.

`checked` is the one place that checks values, for the command line and for the library. Messages
name options as in the library, between backquotes; the command line writes its flags instead.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from plancost.errors import InputError, UsageError
from plancost.values import decimal, ratio, shown, whole


def _option(default: Any, words: str, **more: Any) -> Any:
    return field(default=default, metadata={"help": words, **more})


@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """Options of `learn`; names are those of the flags."""

    solution: str = _option(
        "mcf",
        "when a plan counts as optimal; or likely: costs under which plans are most likely",
        choices=("mcf", "scf", "icf", "likely"),
    )
    ties: str = _option(
        "none",
        "scf: plans of equal cost that do not count against a plan: none, other orders of the "
        "same actions, or plans observed on the same task",
        choices=("none", "reorderings", "observed"),
    )
    suboptimality: str | float | int | None = _option(
        None, "a plan counts if it costs at most W times as much as any other", metavar="W"
    )
    refine: bool | str | Path | Mapping[str, int] = _option(
        False,
        "stay close to known costs: those of the PDDL, a column of links.csv, or a file of costs",
        metavar="FROM",
    )
    bounds: Path | str | Mapping[str, Any] | None = _option(
        None, 'JSON such as {"(drive * b)": [2, 5]}', metavar="FILE"
    )
    features: tuple[str, ...] = _option(
        (),
        "what costs are made of (likely: shrunk towards): 'schema', 'drive ?from ?to', a column, "
        "turns, none; repeatable",
        metavar="SPEC",
    )
    groups: int | None = _option(None, "learn K cost functions and divide the plans", metavar="K")
    alternatives: str | int = _option(
        "exact", "exact, all, baseline, or K alternatives a plan (the paper)", metavar="WHICH"
    )
    solver: str = _option("scip", "of the paper's integer program", choices=("scip", "cbc"))
    oracle: str = _option(
        "auto", "who looks for cheaper plans", choices=("auto", "graph", "planners")
    )
    time_limit: float | None = _option(300.0, "seconds for the whole command, or none", metavar="S")
    memory_limit: int | None = _option(None, "megabytes", metavar="MB")
    jobs: int | None = _option(None, "processes at a time (default: cores)", metavar="N")
    seed: int = _option(0, "of everything random", metavar="N")
    scheduler: str | None = _option(
        None, "likely: the address of a Dask scheduler, whose workers compute", metavar="ADDRESS"
    )

    def factor(self, own: Fraction | None) -> Fraction:
        """How many times as much as others a plan may cost, unless it has a factor of its own."""
        if own is not None or self.suboptimality is None:
            return own or Fraction(1)
        return ratio(self.suboptimality, "suboptimality")


def checked(**values: Any) -> LearnOptions:
    """Options with these values; raises `UsageError` in the words of the caller."""
    fields = {option.name: option for option in dataclasses.fields(LearnOptions)}
    for name in values:
        if name not in fields:
            near = difflib.get_close_matches(name, fields, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise UsageError(f"there is no option {shown(name)}{hint}")
    clean = {name: _clean(fields[name], value) for name, value in values.items()}
    options = LearnOptions(**clean)
    for words in _contradictions(options):
        raise UsageError(words)
    return options


def as_json(options: LearnOptions) -> dict[str, Any]:
    """All options that change the meaning of an answer, as RESULT.json keeps them."""
    left_out = ("solution", "alternatives", "jobs", "scheduler")
    values = {
        option.name: getattr(options, option.name)
        for option in dataclasses.fields(options)
        if option.name not in left_out
    }
    return {name: _plain(value) for name, value in values.items()}


def _clean(option: dataclasses.Field[Any], value: Any) -> Any:
    try:
        if option.name in _CLEANERS:
            return _CLEANERS[option.name](value, f"`{option.name}`")
    except InputError as error:
        raise UsageError(str(error)) from error
    choices = option.metadata["choices"]
    if not isinstance(value, str) or value not in choices:
        allowed = ", ".join(choices[:-1]) + f" or {choices[-1]}"
        raise UsageError(f"`{option.name}` must be {allowed}, not {shown(value)}")
    return str(value)


def _contradictions(options: LearnOptions) -> Iterator[str]:
    """What makes no sense together."""
    is_exact, is_baseline = options.alternatives == "exact", options.alternatives == "baseline"
    has_factor, has_groups = options.suboptimality is not None, options.groups is not None
    if options.solution == "likely":
        if options.bounds is not None or has_factor:
            yield "`bounds` and `suboptimality` do not go with `solution` likely; take mcf"
        if not is_exact or has_groups:
            yield (
                "`alternatives` and `groups` do not go with `solution` likely: a column `group` "
                "does"
            )
        if options.oracle == "planners":
            yield "`solution` likely needs state graphs: leave `oracle` out"
    elif options.scheduler is not None:
        yield "`scheduler` is for `solution` likely: other concepts run on this machine"
    if "none" in options.features and len(options.features) > 1:
        yield "`features` none does not go with other features"
    if options.ties != "none" and options.solution != "scf":
        yield "`ties` belongs to `solution` scf: in other concepts plans of equal cost do not count"
    if has_factor and options.solution == "scf":
        yield "`suboptimality` does not go with `solution` scf; take mcf or icf"
    if has_groups and options.solution == "icf":
        yield "`groups` does not go with `solution` icf: it is about all plans"
    if has_groups and not is_exact:
        yield "`groups` needs `alternatives` exact"
    if options.features and not is_exact:
        yield "`features` needs `alternatives` exact"
    if has_factor and not is_exact and not is_baseline:
        yield "`suboptimality` needs `alternatives` exact: the paper's program does not have it"
    if options.solver != "scip" and (is_exact or is_baseline):
        yield "`solver` is of the paper's integer program: give `alternatives` a number, or all"


def _alternatives(value: Any, what: str) -> str | int:
    if isinstance(value, str) and value in ("exact", "all", "baseline"):
        return str(value)
    try:
        return _count(value, what)
    except InputError:
        words = "must be exact, all, baseline or a number of alternatives of at least 1"
        raise InputError(f"{what} {words}, not {shown(value)}") from None


def _suboptimality(value: Any, what: str) -> str | None:
    if value is None:
        return None
    found = ratio(value, what)
    return None if found == 1 else str(found)


def _refine(value: Any, what: str) -> bool | str | Path | Mapping[str, int]:
    if isinstance(value, str | Path | Mapping):
        return value
    if hasattr(value, "costs"):  # a result
        return {"costs": value.costs}
    try:
        return {False: False, True: True}[value]
    except (KeyError, TypeError):
        words = "must be true or false, a column, a file or a mapping of costs"
        raise InputError(f"{what} {words}, not {shown(value)}") from None


def _bounds(value: Any, what: str) -> str | Path | Mapping[str, Any] | None:
    if value is None or isinstance(value, str | Path | Mapping):
        return value
    raise InputError(f"{what} must be a file or a mapping, not {shown(value)}")


def texts(value: Any, what: str) -> tuple[str, ...]:
    """One text or several."""
    found = () if value is None else value
    names = tuple(found) if isinstance(found, Iterable) and not isinstance(found, str) else (found,)
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"{what} must be texts such as 'schema', not {shown(name)}")
    return names


def _time_limit(value: Any, what: str) -> float | None:
    if value is None or value == "none":
        return None
    found = decimal(value)
    if found is None or found <= 0:
        raise InputError(f"{what} must be a number of seconds above 0, or none, not {shown(value)}")
    return float(found)


def _count(value: Any, what: str, least: int = 1) -> int:
    return whole(value, what, least=least, text=True)


def _count_or_none(value: Any, what: str) -> int | None:
    return None if value is None else _count(value, what)


_CLEANERS: dict[str, Callable[[Any, str], Any]] = {
    "alternatives": _alternatives,
    "bounds": _bounds,
    "features": texts,
    "groups": lambda value, what: None if value is None else _count(value, what, least=2),
    "jobs": _count_or_none,
    "memory_limit": _count_or_none,
    "refine": _refine,
    "scheduler": lambda value, what: None if value is None else str(value),
    "seed": lambda value, what: _count(value, what, least=0),
    "suboptimality": _suboptimality,
    "time_limit": _time_limit,
}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | str | int | float):
        return value
    number = decimal(value)
    if number is None:
        return str(value)
    return int(number) if number.denominator == 1 else float(number)
