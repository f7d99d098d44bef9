"""Which ground actions share one cost: ``--share schema``, ``--share "drive ?from ?to"``.

A share says which parameters of an action schema its cost depends on; the others do not matter.
Actions that agree in those make up a class, which is called like an action with ``*`` for what
does not matter: ``(drive * a b)``. Actions never seen are of a class too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from plancost.errors import UsageError
from plancost.observations.patterns import ANY
from plancost.observations.pddl import Domain, split_action, term_text

EVERY_SCHEMA = "schema"
"""One cost for each schema that no other share speaks of."""

Kept = Mapping[str, tuple[int, ...]]
"""For each schema that has a share, the positions of the parameters that its cost depends on."""


def read_shares(shares: Iterable[str], domain: Domain, linear: Container[str] = ()) -> Kept:
    """The parameters that the shares name, by position; `linear` schemas cannot have a share."""
    kept: dict[str, tuple[int, ...]] = {}
    every = False
    for text in shares:
        schema, *wanted = text.lower().replace("(", " ").replace(")", " ").split() or [""]
        if schema == EVERY_SCHEMA and not wanted and EVERY_SCHEMA not in domain.schemas:
            every = True
            continue
        if schema not in domain.schemas:
            known = ", ".join(domain.schemas)
            raise UsageError(f"--share '{text}': the domain has no action {schema}, only {known}")
        if schema in linear:
            raise UsageError(f"--share '{text}': the cost of {schema} is linear (--linear)")
        if schema in kept:
            raise UsageError(f"--share '{text}': the action {schema} has a share already")
        names = domain.schemas[schema].variables
        for name in wanted:
            if name not in names:
                raise UsageError(
                    f"--share '{text}': {schema} has no parameter {name}, only {' '.join(names)}"
                )
        kept[schema] = tuple(n for n, name in enumerate(names) if name in wanted)
    if every:
        others = (schema for schema in domain.schemas if schema not in linear)
        kept = {**dict.fromkeys(others, ()), **kept}
    return kept


def class_name(action: str, kept: Kept) -> str:
    """The class of an action; its own name if its schema has no share."""
    schema, arguments = split_action(action)
    if schema not in kept:
        return action
    words = [word if n in kept[schema] else ANY for n, word in enumerate(arguments)]
    return term_text([schema, *words])


class ClassCosts:
    """The costs of classes by name, for actions that may never have been seen.

    The names of all classes of a schema say which of its parameters matter: those with another
    word than ``*``. So names of objects are never taken for patterns.
    """

    def __init__(self, shared: Mapping[str, int]) -> None:
        self._shared = shared
        matter: dict[str, set[int]] = {}
        for name in shared:
            schema, words = split_action(name)
            own = matter.setdefault(schema, set())
            own.update(n for n, word in enumerate(words) if word != ANY)
        self._kept = {schema: tuple(sorted(own)) for schema, own in matter.items()}

    def cost(self, action: str) -> int | None:
        """The cost of the class that an action is of, if there is one."""
        return self._shared.get(class_name(action, self._kept))
