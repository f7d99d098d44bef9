"""Why a plan's step is no action of its problem, in words.

The grounder only says which actions exist. For one that does not, this looks for
the likeliest slip: a misspelt name, a wrong number of arguments, an object of
the wrong type, a static fact (such as a road) that this problem does not have.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from plancost.observations.pddl.actions import conjoined_literals
from plancost.observations.pddl.identity import static_predicates
from plancost.observations.pddl.model import (
    Domain,
    Problem,
    Schema,
    split_action,
    term_text,
)


def explain_missing_action(domain: Domain, problem: Problem, action_name: str) -> str:
    """One clause that says why the grounder did not produce this action."""
    name, arguments = split_action(action_name)
    schema = domain.schemas.get(name)
    if schema is None:
        return f"the domain has no action '{name}'{_nearest(name, domain.schemas)}"
    wanted = len(schema.parameters)
    if len(arguments) != wanted:
        plural = "" if wanted == 1 else "s"
        return f"'{name}' takes {wanted} argument{plural}, not {len(arguments)}"
    objects = domain.constants | problem.objects
    for argument in arguments:
        if argument not in objects:
            return f"there is no object '{argument}'{_nearest(argument, objects)}"
    for (_, types), argument in zip(schema.parameters, arguments, strict=True):
        if not domain.fits(objects[argument], types):
            has, needs = " or ".join(objects[argument]), " or ".join(types)
            return f"'{argument}' is of type {has}, not {needs}"
    return _unmet_static_condition(domain, problem, schema, arguments) or (
        "it can never be applied in this problem"
    )


def _unmet_static_condition(
    domain: Domain, problem: Problem, schema: Schema, arguments: tuple[str, ...]
) -> str | None:
    static = static_predicates(domain)
    literals, _ = conjoined_literals(schema.precondition)
    for literal in literals:
        atom = schema.ground((literal.predicate, *literal.arguments), arguments)
        if literal.predicate == "=" and len(atom) == 3:
            if (atom[1] == atom[2]) != literal.positive:
                must = "be the same" if literal.positive else "differ"
                return f"{' and '.join(literal.arguments)} must {must}"
        elif literal.predicate in static and (atom in problem.init_atoms) != literal.positive:
            return f"{term_text(atom)} {'does not hold' if literal.positive else 'holds'}"
    return None


def _nearest(word: str, known: Iterable[str]) -> str:
    matches = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean '{matches[0]}'?)" if matches else ""
