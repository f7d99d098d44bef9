"""The search of the checker of proofs where a problem has millions of states.

As `check_proof.Task.cheapest` it finds what the cheapest plan outside the allowed ones costs. It is
faster for two reasons: potentials say early that a way leads to no cheaper plan, and a state is one
number, so that an action is applied to all states of a layer at once. Beside a copy of
check_proof.py this file works by itself as well, and imports nothing else of plancost.
"""

import heapq
from collections import Counter, defaultdict
from itertools import chain
from typing import Any

if __package__:
    from plancost.cli import check_proof
else:  # beside a copy of this file
    import check_proof  # type: ignore[import-not-found, no-redef]

MOST_STATES = 6 * check_proof.MOST_STATES
"""So many more fit in memory where each is one number."""
_DEEPEST = 50
"""Of actions with more conditions, the rest of these is compared one action at a time."""
_TABLE_BITS = 12
_Seen = defaultdict[Any, set[int]]


class Guided(check_proof.Task):
    """A problem with potentials: numbers of facts. They are used if they are right.

    The sum of a state's numbers, in so many parts, is no more than what the rest of a plan costs.
    That is so if no action lowers it by more than its cost, and if it is 0 or less at the goal.
    """

    def __init__(self, task: Any, numbers: Any, parts: Any, costs: Any) -> None:
        self.__dict__.update(task.__dict__)
        self.numbers, self.parts = numbers, parts
        if self._are_right(costs):
            self.at_least = self._rest

    def _rest(self, state: Any) -> int:
        try:
            total: int = sum(own[value] for own, value in zip(self.numbers, state, strict=True))
        except LookupError:  # a value without a number promises nothing
            total = 0
        rest: int = -(-total // self.parts)
        return rest

    def _are_right(self, costs: Any) -> bool:
        try:
            goal, own_layers = dict(self.goal), zip(self.numbers, self.layers, strict=True)
            at_goal = (
                own[goal[v]] if v in goal else max(own) for v, own in enumerate(self.numbers)
            )
            return (
                all(type(n) is int for n in chain([self.parts], costs.values(), *self.numbers))
                and self.parts > 0 >= sum(at_goal)
                and all(len({*own}) == 1 for own, layer in own_layers if layer >= 0)
                and all(
                    self._drop(dict(before), effects) <= costs[name] * self.parts
                    for name, ways in self.operators.items()
                    for before, effects in ways
                )
            )
        except (AttributeError, LookupError, TypeError, ValueError):
            return False

    def _drop(self, before: Any, effects: Any) -> int:
        """By how much an action may lower the sum: each variable by the worst of its effects."""
        worst: dict[int, list[int]] = {}
        for _, variable, new in effects:
            own = self.numbers[variable]
            old = own[before[variable]] if variable in before else max(own)
            worst.setdefault(variable, []).append(old - own[new])
        for variable in worst:
            if all(conditions for conditions, changed, _ in effects if changed == variable):
                worst[variable].append(0)
        return sum(map(max, worst.values()))


class Packed(check_proof.Task):
    """A problem with the values of a state in the bits of one number.

    Only without derived facts and conditional effects; others are searched as before.
    """

    numbers: Any = ()
    parts = 1

    def __init__(self, task: Any) -> None:
        self.__dict__.update(task.__dict__)
        self.is_packed = all(type(value) is int for value in self.start) and not self.rules
        if self.is_packed:
            ways = [way for own in self.operators.values() for way in own]
            self.is_packed = not any(when for _, effects in ways for when, _, _ in effects)
        if self.is_packed:
            self._lay_out([*enumerate(self.start), *self.goal], ways)

    def _lay_out(self, facts: list[Any], ways: list[Any]) -> None:
        """Give each variable the bits that its largest value needs."""
        facts += [fact for before, _ in ways for fact in before]
        facts += [fact[1:] for _, effects in ways for fact in effects]
        self._largest = [0] * len(self.start)
        for variable, value in facts:
            self._largest[variable] = max(self._largest[variable], value)
        self._place, self._bits = [], 0
        for largest in self._largest:
            self._place.append(self._bits)
            self._bits += largest.bit_length()

    def _pack(self, facts: Any) -> tuple[int, int]:
        """The bits of the variables of some facts, and what stands in them."""
        mask = values = 0
        for variable, value in facts:
            mask |= ((1 << self._largest[variable].bit_length()) - 1) << self._place[variable]
            values |= value << self._place[variable]
        return mask, values

    def cheapest(self, costs: Any, known: int, allowed: Any, ordered: bool) -> int:
        """See `check_proof.Task`."""
        if not self.is_packed:
            return super().cheapest(costs, known, allowed, ordered)
        every = (1 << self._bits) - 1
        ways = []
        for name, (before, effects) in ((n, w) for n, own in self.operators.items() for w in own):
            mask, values = self._pack({variable: new for _, variable, new in effects}.items())
            ways.append((dict(before), (every & ~mask, values, costs[name], name)))
        tree, tables = self._tree(ways, _DEEPEST), self._tables()
        goal_bits, goal = self._pack(self.goal)
        layers, seen, done = _Layers(allowed, self._pack(enumerate(self.start))[1]), _Seen(set), 0
        while layers.costs:
            spent, layer = layers.pop()
            for left, reached in layer.items():
                states = self._worth(reached - seen[left], tables, known - spent)
                if () not in left and any(state & goal_bits == goal for state in states):
                    return spent
                seen[left] |= states
                done += len(states)

                def take(action: Any, some: Any, spent: int = spent, left: Any = left) -> None:
                    keep, values, cost, name = action
                    if spent + cost < known:
                        rest = left and check_proof.still(left, name, ordered)
                        layers.add(spent + cost, rest, [s & keep | values for s in some])

                if states:
                    _apply(tree, states, take)
                if done + layers.count > MOST_STATES:
                    for cost, rest, some in layers.all():
                        some &= self._worth(some - seen[rest], tables, known - cost)
                    layers.recount()
                if done + layers.count > MOST_STATES:
                    sentence = f"over {MOST_STATES} states: {self.name}"
                    raise check_proof.VerdictError("not proven", sentence)
        return known

    def _tree(self, ways: list[Any], deepest: int) -> Any:
        """Actions by their conditions: those without any, and the others by their values.

        These are the bits of one variable after the other, and what to do where each value stands
        in them.
        """
        free = [action for before, action in ways if not before]
        rest = [way for way in ways if way[0]]
        if len(rest) == 1 or not deepest:  # all conditions at once
            leaves = [(*self._pack(before.items()), action) for before, action in rest]
            return free, [(mask, {values: ([action], [])}) for mask, values, action in leaves]
        branches, uses = [], Counter(variable for before, _ in rest for variable in before)
        while rest:
            variable = max(uses, key=lambda v: (uses[v], -v))
            by_value, others = defaultdict(list), []
            for before, action in rest:
                if variable in before:
                    fewer = {v: value for v, value in before.items() if v != variable}
                    by_value[before[variable] << self._place[variable]].append((fewer, action))
                    uses.subtract(before.keys())
                else:
                    others.append((before, action))
            trees = {values: self._tree(own, deepest - 1) for values, own in by_value.items()}
            branches.append((self._pack([(variable, 0)])[0], trees))
            rest = others
        return free, branches

    def _tables(self) -> list[tuple[int, int, list[int]]]:
        """What the values in some bits promise together, for all bits; none without potentials."""
        numbers = self.numbers if "at_least" in self.__dict__ else ()
        known = zip(numbers, self._largest, strict=False)
        if not numbers or any(len(own) <= most for own, most in known):
            return []
        tables: list[tuple[int, int, list[int]]] = []
        for variable, largest in enumerate(self._largest):
            bits, own = largest.bit_length(), numbers[variable]
            padded = own[: largest + 1] + [0] * ((1 << bits) - largest - 1)
            if not tables or len(tables[-1][2]) << bits > 1 << _TABLE_BITS:
                tables.append((self._place[variable], 0, [0]))
            place, _, table = tables[-1]
            table = [high + low for high in padded for low in table]
            tables[-1] = place, len(table) - 1, table
        return tables

    def _worth(self, states: set[int], tables: list[tuple[int, int, list[int]]], most: int) -> Any:
        """The states after which a plan may cost less than so much."""
        if most <= 0:
            return set()
        if not tables:
            return states
        promised = (-(-most // 1) - 1) * self.parts
        return {
            state
            for state in states
            if sum([own[state >> place & mask] for place, mask, own in tables]) <= promised
        }


class _Layers:
    """States that wait for their turn, by what it costs to reach them and what is left of plans."""

    def __init__(self, left: Any, start: int) -> None:
        self._layers: dict[int, dict[Any, set[int]]] = {0: {left: {start}}}
        self.costs, self.count = [0], 1

    def add(self, cost: int, left: Any, states: list[int]) -> None:
        """Let states wait at a cost."""
        if cost not in self._layers:
            self._layers[cost] = defaultdict(set)
            heapq.heappush(self.costs, cost)
        waiting = self._layers[cost][left]
        self.count -= len(waiting)
        waiting.update(states)
        self.count += len(waiting)

    def pop(self) -> tuple[int, dict[Any, set[int]]]:
        """The cheapest layer, and what it costs."""
        cost = heapq.heappop(self.costs)
        layer = self._layers.pop(cost)
        self.count -= sum(map(len, layer.values()))
        return cost, layer

    def all(self) -> list[tuple[int, Any, set[int]]]:
        """All that wait, with their costs; `recount` after removing some."""
        return [(cost, *item) for cost, layer in self._layers.items() for item in layer.items()]

    def recount(self) -> None:
        """Count the states that wait."""
        self.count = sum(len(states) for _, _, states in self.all())


def _apply(tree: Any, states: Any, take: Any) -> None:
    """Take each action with the states that it is possible in."""
    free, branches = tree
    for action in free:
        take(action, states)
    for mask, trees in branches:
        parts: dict[int, list[int]] = defaultdict(list)
        for state in states:
            if state & mask in trees:
                parts[state & mask].append(state)
        for values, part in parts.items():
            _apply(trees[values], part, take)
