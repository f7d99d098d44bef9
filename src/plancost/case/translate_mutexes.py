# SPDX-License-Identifier: GPL-3.0-or-later
# Under the GNU General Public License, version 3 or later: see translate_program.py.
"""Which operators of a problem the translator leaves out because they can never be applied.

At most one atom of a mutex group holds in a state, so that an operator that needs two is left out.
Then groups become variables, whose values are their atoms or none of them; an operator is left out
too if it needs a value that no chain of transitions leads to. A deletion beside conditional
additions counts as possible where the translator looks closer: at worst an operator more is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from fast_downward.translate import fact_groups, invariant_finder

Atoms = frozenset[int]
Values = dict[int, set[int]]
"""By variable the values that a condition allows; other variables are free."""
Effect = tuple[int, bool, Atoms, Atoms]
"""An atom, whether it is added, and the atoms that the effect needs and forbids."""
Operator = tuple[str, Atoms, Atoms, frozenset[Effect]]
Axiom = tuple[int, Atoms, Atoms]

_NONE = -1
_ANY = -2


def find_invariants(task: Any, patterns: Iterable[tuple[int, tuple[int, ...]]]) -> list[Any]:
    """Lifted invariants; `patterns` tell which parameters of which actions can be equal."""
    reachable: dict[Any, list[tuple[int, ...]]] = {action: [] for action in task.actions}
    for place, pattern in patterns:
        reachable[task.actions[place]].append(pattern)
    return list(invariant_finder.find_invariants(task, reachable))


def instances(invariants: Sequence[Any], atoms: Sequence[Any]) -> list[Atoms]:
    """The sets of atoms that invariants speak of, by the numbers of the atoms."""
    found = defaultdict(set)
    for place, invariant in enumerate(invariants):
        for number, atom in enumerate(atoms):
            if atom.predicate in invariant.predicates:
                parameters = sorted(invariant.get_parameters(atom).items())
                found[place, tuple(parameters)].add(number)
    return [frozenset(group) for group in found.values()]


class Variables:
    """The atoms that a problem reaches, as values of variables."""

    def __init__(
        self,
        groups: Sequence[Sequence[int]],
        reached: Atoms,
        goal_forbids: Atoms,
        operators: Iterable[Operator],
        axioms: Iterable[Axiom],
    ) -> None:
        chosen = fact_groups.choose_groups(groups, set(reached), set(goal_forbids))
        self._reached = reached
        self._values = [{*group, _NONE} for group in chosen]
        self._variable = {atom: place for place, group in enumerate(chosen) for atom in group}
        self._arcs: list[dict[int, set[int]]] = [defaultdict(set) for _ in chosen]
        self._groups: dict[int, set[int]] = {atom: set() for atom in reached}
        for place, group in enumerate(groups):
            for atom in group:
                self._groups[atom].add(place)
        self._operators = []
        for _, needs, forbids, effects in operators:
            allowed = self._allowed(needs, forbids)
            self._operators.append(allowed)
            if allowed is not None:
                self._add(allowed, effects)
        for atom, needs, forbids in axioms:
            if self._allowed(needs, forbids) is not None:
                self._arcs[self._variable[atom]][_ANY].add(atom)

    def possible(self, start: Atoms, needs: Atoms, forbids: Atoms) -> list[int] | None:
        """The operators that can be applied from a state on; None if the goal never holds."""
        reachable = [self._follow(variable, start) for variable in range(len(self._values))]

        def is_possible(allowed: Values | None) -> bool:
            return allowed is not None and all(reachable[v] & own for v, own in allowed.items())

        if not is_possible(self._allowed(needs, forbids)):
            return None
        return [place for place, own in enumerate(self._operators) if is_possible(own)]

    def _allowed(self, needs: Atoms, forbids: Atoms) -> Values | None:
        """The values in which a condition holds; None if it never does."""
        if needs & forbids or not needs <= self._reached:
            return None
        groups = [group for atom in needs for group in self._groups[atom]]
        if len(groups) > len(set(groups)):
            return None
        found = {self._variable[atom]: {atom} for atom in needs}
        for atom in forbids & self._reached:
            variable = self._variable[atom]
            found[variable] = found.get(variable, self._values[variable]) - {atom}
        return found

    def _add(self, allowed: Values, effects: Collection[Effect]) -> None:
        """Take in the transitions of an operator."""
        always = {
            self._variable[atom]
            for atom, adds, needs, forbids in effects
            if adds and not needs and not forbids & self._reached
        }
        for atom, adds, needs, forbids in effects:
            when = self._allowed(needs, forbids)
            if when is None or atom not in self._reached:
                continue
            variable = self._variable[atom]
            if not adds:
                if variable in always:
                    continue
                when[variable] = when.get(variable, {atom}) & {atom}
            both = {**allowed, **when}
            for shared in allowed.keys() & when:
                both[shared] = allowed[shared] & when[shared]
            if all(both.values()):
                for source in both.get(variable, {_ANY}):
                    self._arcs[variable][source].add(atom if adds else _NONE)

    def _follow(self, variable: int, start: Atoms) -> set[int]:
        found = self._values[variable] & start or {_NONE}
        open_values = [*found, _ANY]
        while open_values:
            new = self._arcs[variable].get(open_values.pop(), set()) - found
            found |= new
            open_values += new
        return found
