"""Costs that are linear in numbers of the PDDL: ``--linear "drive (road-length ?from ?to)"``.

A *feature* is a numeric function over parameters of an action schema. Its values stand in
``:init`` and never change (effects on other numbers than the total cost are refused when the
domain is read). The cost of every ground action of the schema is a constant plus a weight for
each feature times the value of that feature.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.observations.case import Case
from plancost.observations.pddl import Domain, Problem, Term, split_action, term_text
from plancost.observations.pddl.costs import is_count, number_text
from plancost.observations.sexpr import Atom, SList, read, words
from plancost.observations.shares import Kept

CONSTANT = "constant"
"""What the constant part of a cost is called among the weights."""
LARGEST_VALUE = 10**9
"""Weights times values stay within exact arithmetic."""

Weights = Mapping[str, Mapping[str, int]]
"""For each schema its constant and the weight of each feature, by name."""


@dataclass(frozen=True)
class Feature:
    """A numeric function over parameters of a schema and constants of the domain."""

    function: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        """As it stands in the option."""
        return term_text([self.function, *self.arguments])


Features = Mapping[str, tuple[Feature, ...]]
"""The features of each schema whose cost is linear."""


def read_features(texts: Iterable[str], domain: Domain) -> dict[str, tuple[Feature, ...]]:
    """The features that ``--linear`` names, once they are known to be some of the domain."""
    found: dict[str, tuple[Feature, ...]] = {}
    for text in texts:
        said = f"--linear '{text}'"
        schema, *terms = _items(text, said)
        if not isinstance(schema, Atom) or schema.text not in domain.schemas:
            name = schema.text if isinstance(schema, Atom) else "of that name"
            known = ", ".join(domain.schemas)
            raise UsageError(f"{said}: the domain has no action {name}, only {known}")
        if schema.text in found:
            raise UsageError(f"{said}: the action {schema.text} has features already")
        if not terms:
            raise UsageError(
                f"{said} names no feature; write '{schema.text} (FUNCTION ?parameter ...)', or "
                f"--share {schema.text} for one cost"
            )
        features = tuple(_feature(term, schema.text, domain, said) for term in terms)
        if len(set(features)) < len(features):
            raise UsageError(f"{said} names a feature twice")
        found[schema.text] = features
    return found


def kept_parameters(features: Features, domain: Domain) -> Kept:
    """The positions of the parameters that linear costs depend on."""
    return {
        schema: tuple(
            position
            for position, name in enumerate(domain.schemas[schema].variables)
            if any(name in feature.arguments for feature in own)
        )
        for schema, own in features.items()
    }


def case_values(case: Case, features: Features) -> dict[str, tuple[int, ...]]:
    """The values of the features of each action of A whose cost is linear.

    All problems must give a term the same value: the actions of A are known by name only.
    """
    assert case.domain is not None
    found: dict[str, tuple[int, ...]] = {}
    given: dict[Term, tuple[int, Path]] = {}
    for problem, task in case.problems:
        for action in sorted(case.tasks[task].actions):
            schema, _ = split_action(action)
            if schema not in features:
                continue
            found[action] = feature_values(features, case.domain, problem, action)
            terms = _terms(features, case.domain, action)
            for term, value in zip(terms, found[action], strict=True):
                first, where = given.setdefault(term, (value, problem.path))
                if first != value:
                    raise InputError(
                        f"{term_text(term)} is {first} in {where} and {value} in "
                        f"{problem.path}; a feature of an action must be the same everywhere"
                    )
    return found


def feature_values(
    features: Features, domain: Domain, problem: Problem, action: str
) -> tuple[int, ...]:
    """The values of the features of one ground action, as the problem gives them."""
    schema, _ = split_action(action)
    values = []
    for term in _terms(features, domain, action):
        value = problem.init_values.get(term)
        if value is None:
            raise InputError(
                f":init gives no value to {term_text(term)}, a feature of the action {schema} "
                f"that {action} needs",
                problem.path,
            )
        if not is_count(value) or value > LARGEST_VALUE:
            raise InputError(
                f"{term_text(term)} is {number_text(value)}; a feature of the action {schema} "
                f"must be a whole number from 0 to {LARGEST_VALUE} (choose a smaller unit)",
                problem.path,
            )
        values.append(int(value))
    return tuple(values)


def linear_cost(
    weights: Mapping[str, int], features: Iterable[Feature], values: Iterable[int]
) -> int:
    """What an action costs: never less than 1, as all costs."""
    total = weights.get(CONSTANT, 0)
    for feature, value in zip(features, values, strict=True):
        total += weights.get(str(feature), 0) * value
    return max(1, total)


def costs_from_weights(case: Case, weights: Weights, names: Iterable[str]) -> dict[str, int]:
    """What weights say that some of the actions of a case cost; others are left out."""
    if case.domain is None or not weights:
        return {}
    features = features_of(weights, case.domain)
    wanted = {name for name in names if split_action(name)[0] in features}
    found: dict[str, int] = {}
    for problem, task in case.problems:
        for name in wanted & case.tasks[task].actions:
            schema, _ = split_action(name)
            values = feature_values(features, case.domain, problem, name)
            found[name] = linear_cost(weights[schema], features[schema], values)
    return found


def features_of(
    weights: Weights, domain: Domain, path: Path | None = None
) -> dict[str, tuple[Feature, ...]]:
    """The features that weights belong to; `path` is where these stand, for messages."""
    texts = [
        " ".join([schema, *(name for name in own if name != CONSTANT)])
        for schema, own in weights.items()
    ]
    try:
        return read_features(texts, domain)
    except UsageError as error:
        raise InputError(
            f"the weights do not fit the domain {domain.name}: {error}", path
        ) from error


def _items(text: str, said: str) -> tuple[Atom | SList, ...]:
    try:
        items = read(f"(define {text})", Path("--linear")).items[1:]
    except InputError as error:
        raise UsageError(f"{said}: expected 'ACTION (FUNCTION ?parameter ...) ...'") from error
    return items or (Atom("", 0, 0, 0),)


def _feature(term: Atom | SList, schema: str, domain: Domain, said: str) -> Feature:
    texts = None if isinstance(term, Atom) else words(term)
    if not texts:
        raise UsageError(f"{said}: expected a feature such as (FUNCTION ?parameter ...)")
    function, *arguments = texts
    if function not in domain.functions or function == "total-cost":
        known = ", ".join(name for name in domain.functions if name != "total-cost")
        only = f"only {known}" if known else "it has none"
        raise UsageError(f"{said}: the domain has no numeric function {function} for this, {only}")
    if len(arguments) != len(domain.functions[function]):
        wanted = len(domain.functions[function])
        raise UsageError(f"{said}: {function} takes {wanted} arguments, not {len(arguments)}")
    names = domain.schemas[schema].variables
    for word in arguments:
        if word not in names and word not in domain.constants:
            raise UsageError(f"{said}: {schema} has no parameter {word}, only {' '.join(names)}")
    return Feature(function, tuple(arguments))


def _terms(features: Features, domain: Domain, action: str) -> list[Term]:
    name, arguments = split_action(action)
    schema = domain.schemas[name]
    return [schema.ground((own.function, *own.arguments), arguments) for own in features[name]]
