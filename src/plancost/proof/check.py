"""Is what RESULT.json says true? A checker that imports nothing of plancost, to be read downwards.

    python check.py CASE RESULT.json [--domain FILE] [--links FILE]

It needs Python's standard library and, for PDDL, Fast Downward's translator, run as a process. It
reads the files of the case, RESULT.json and, beside it, RESULT.proof.json, and answers "proven"
(exit status 0), "not proven" (4, what is missing) or "wrong" (5, the first place).

The claims, and why they hold (all sums are of whole numbers):

- *A plan is optimal.* A search of its own, under the whole costs of the result, looks for a cheaper
  plan of the same task; under a strict concept for one that is as cheap and may not tie.
- *No costs make more plans optimal.* If a plan p is optimal it costs no more than any other plan q
  of its task: the row c(p) - c(q) + margin <= 0 holds, with margin 1 under a strict concept. Rows
  taken so many times and added up may leave a sum that is above 0 for all costs that are allowed
  (Farkas). Then no costs make plans optimal together that demand these rows: a conflict. Conflicts
  give inequalities over plans, and these, added up in the leaves of a tree of cases, bound how many
  plans can be optimal (duality).
- *So many optimal plans cost at least so much.* Adding rows that hold to the second objective only
  lowers it, and then its least value can be read off parameter by parameter (Lagrange). That bounds
  what all sets cost that demand these rows: a price. A tree over conflicts and prices shows that no
  set of that many plans escapes them all.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from errno import EINVAL
from fractions import Fraction
from itertools import accumulate, chain, pairwise, zip_longest
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]
Plan = tuple[str, ...]
Left = frozenset[Plan]
"""What is left of plans that are no alternatives, after the steps so far."""

_ENDINGS = re.compile(r"(?is)(\..*)?\.plan|\.plan\.\d+|\.soln")
"""Of plan files, behind the name of their problem."""
_MOST_STATES = 15_000_000
"""Of one search; about 2 GB."""
_MOST_UNCLAIMED = 100_000
"""The same for a task no plan of which is called optimal."""


class WrongError(Exception):
    """A claim is false, or does not follow."""


class OpenError(Exception):
    """A claim is not shown."""


def _need(condition: object, sentence: str) -> None:
    if not condition:
        raise WrongError(sentence)


def _number(value: Any, least: int, below: float = inf) -> int:
    _need(type(value) is int and least <= value < below, f"{value!r} is out of range")
    return int(value)


# Files


class Seen(NamedTuple):
    """A plan that was observed, as the files say; without a plan or a task it is none."""

    name: str
    problem: str
    plan: Plan | None
    times: int
    total: int | None
    factor: Fraction | None
    group: str
    task: Task | None = None

    @property
    def is_plan(self) -> bool:
        """Whether it leads from the start to the goal."""
        return self.task is not None and self.plan is not None and self.task.solves(self.plan)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")


def _rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file by the columns that its first line names."""
    lines = [[field.strip() for field in line] for line in csv.reader(io.StringIO(_text(path)))]
    columns, *rest = [line for line in lines if any(line)]
    return [dict(zip_longest(columns, line, fillvalue="")) for line in rest]


def _seen(name: str, problem: str, plan: Plan | None, row: Mapping[str, str]) -> Seen:
    """With what a row of a table says besides."""
    known = [row.get(column) or "" for column in ("count", "cost", "suboptimality", "group")]
    total, factor = int(Fraction(known[1] or 0)) or None, _ratio(known[2]) if known[2] else None
    return Seen(name, problem, plan, int(Fraction(known[0] or 1)), total, factor, known[3])


def _ratio(text: Any) -> Fraction:
    above, _, below = str(text or 1).partition("/")
    return Fraction(above) / Fraction(below or 1)


def _read_plan(path: Path) -> Plan | None:
    """The steps of a plan file, one on each line: ``(move a b)``, or ``move a b (cost)``."""
    steps = []
    for line in re.split(r"\r\n?|\n", _text(path).lower()):
        words = line.partition(";")[0].strip()
        match = re.fullmatch(r"\(([^()]+)\)|([^()]+)\(\d+\)", words)
        if words and match is None:
            return None
        steps += [f"({' '.join((match[1] or match[2]).split())})"] if match else []
    return tuple(steps)


def _plans_of_folder(folder: Path, domain: Path) -> Iterator[Seen]:
    """The plans in a folder, each of the problem with the longest name that fits."""
    names = [path.name for path in folder.iterdir()]
    files = [name for name in names if name.lower().endswith(".pddl")]
    problems = [name for name in files if (folder / name).resolve() != domain.resolve()]
    for name in names:
        stems = ((problem[:-5], problem) for problem in problems if name.startswith(problem[:-5]))
        fits = [own for own in stems if _ENDINGS.fullmatch(name[len(own[0]) :])]
        if fits:  # of names that begin alike the longest is the largest
            yield _seen(name, max(fits)[1], _read_plan(folder / name), {})


# Search


Change = tuple[int, int, int, int]
"""Where some bits of a state have these values, some bits are kept, and others put in."""
Way = tuple[str, int, int, int, int, list[Change]]
"""One way to apply an action: its name, a change, and changes where more conditions hold."""
Tables = dict[int, dict[int, list[Way]]]
"""Ways by some bits that they need, and by what stands there."""


@dataclass(eq=False)
class Task:
    """States, which are whole numbers, of which one is the start, and ways to others."""

    name: str
    start: int
    is_goal: Callable[[int], bool]
    tables: Tables
    actions: Iterable[str] = ()

    def solves(self, plan: Plan) -> bool:
        """Whether these actions lead from the start to the goal."""
        states = {self.start}
        for action in plan:  # ways of one action differ in what they need only
            states = set(next((after for _, after in self.expand(states, {action})), ()))
        return any(map(self.is_goal, states))

    def cheapest(
        self, costs: Mapping[str, int], known: int, allowed: Left, ordered: bool, most: int
    ) -> int:
        """What the cheapest plan costs that is none of those allowed; `known` if none costs less.

        Dijkstra's algorithm, for all states of one cost at once. A state is looked at once for each
        rest of the allowed plans that begin with the steps so far (or have them, not `ordered`).
        """
        layers: dict[int, dict[Left, set[int]]] = {0: {allowed: {self.start}}}
        seen: dict[Left, set[int]] = defaultdict(set)
        queue, done = [0], 0
        while queue:
            spent = heapq.heappop(queue)
            for left, states in layers.pop(spent).items():
                fresh = states - seen[left]
                if () not in left and any(map(self.is_goal, fresh)):
                    return spent
                seen[left] |= fresh
                done += len(fresh)
                if done > most:
                    raise OpenError(f"{self.name}: the search would see over {most} states")
                left_over = known - spent
                cheap = {action for action, cost in costs.items() if cost < left_over}
                for action, after in self.expand(fresh, cheap):
                    cost, rest = spent + costs[action], left and _still(left, action, ordered)
                    if cost not in layers:
                        layers[cost] = defaultdict(set)
                        heapq.heappush(queue, cost)
                    layers[cost][rest].update(after)
        return known

    def expand(self, states: set[int], actions: set[str]) -> Iterator[tuple[str, list[int]]]:
        """Those of some actions that are possible in some states, with the states after them."""
        for bits, by_value in self.tables.items():
            parts: dict[int, list[int]] = defaultdict(list)
            for state in states:
                parts[state & bits].append(state)
            for value in parts.keys() & by_value.keys():
                for name, needed, values, keep, put, more in by_value[value]:
                    if name not in actions:
                        continue
                    fits = [state for state in parts[value] if state & needed == values]
                    after = [state & keep | put for state in fits]
                    for also, there, kept, given in more:
                        pairs = zip(fits, after, strict=True)
                        after = [b & kept | given if a & also == there else b for a, b in pairs]
                    if fits:
                        yield name, after


def _still(left: Left, action: str, ordered: bool) -> Left:
    """What is left of plans after one more step, of those that have it (next, if ordered)."""
    places = [(plan, plan.index(action)) for plan in left if action in plan]
    return frozenset(plan[:n] + plan[n + 1 :] for plan, n in places if not (ordered and n))


# PDDL


def _parsed(text: str) -> Any:
    """Nested lists of words in lower case."""
    stack: list[list[Any]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\r\n]*", "", text.lower())):
        if word == "(":
            stack.append([])
        else:
            item = stack.pop() if word == ")" else word
            stack[-1].append(item)
    return stack[0][0]


def _printed(item: Any) -> str:
    """The text of nested lists, without costs: the translator would drop what has none."""
    if not isinstance(item, list):
        return str(item)
    if item[:2] in (["increase", ["total-cost"]], ["increase", "total-cost"]):
        return "(and)"
    is_value = item[:1] == ["="] and len(item) == 3 and re.match(r"[+-]?\.?\d", str(item[2]))
    is_empty = item[:1] == [":metric"] or is_value
    return "" if is_empty else f"({' '.join(map(_printed, item))})"


def _translated(domain: str, problem: str) -> str | None:
    """The grounded problem in SAS+, None if the translator does not know what it means."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "domain.pddl").write_text(domain, encoding="utf-8")
        Path(folder, "problem.pddl").write_text(problem, encoding="utf-8")
        command = [sys.executable, "-P", "-m", "fast_downward.translate", "--keep-no-ops"]
        command += ["--keep-unimportant-variables", "domain.pddl", "problem.pddl"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        output = Path(folder, "output.sas")
        return output.read_text(encoding="utf-8") if done.returncode == 0 else None


def _grounded(domain: Path, folder: Path, problems: Iterable[str]) -> dict[str, Task | None]:
    """Of each problem its task, None if it has none; equal problems have one task."""
    shared = _printed(_parsed(_text(domain)))
    texts = {name: _printed(_parsed(_text(folder / name))) for name in problems}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda text: _translated(shared, text), texts.values())
        named = dict(zip(texts, found, strict=True))
    tasks = {text: Grounded(name, text) for name, text in named.items() if text is not None}
    return {name: tasks.get(text or "") for name, text in named.items()}


class Grounded(Task):
    """A problem in SAS+. The values of all variables of a state are the bits of one number."""

    def __init__(self, name: str, text: str) -> None:
        if "dummy(val1)\nAtom dummy(val2)" in text:
            raise OpenError(f"{name}: the goal always holds, and the translator grounds nothing")
        if "begin_rule" in text:
            raise OpenError(f"{name}: derived predicates are not read here")
        blocks: dict[str, list[list[str]]] = {"operator": []}
        for kind, body in re.findall(r"begin_(\w+)\n(.*?)\nend_\1\n", text, re.DOTALL):
            blocks.setdefault(kind, []).append(body.split("\n"))
        self._width = [(int(block[2]) - 1).bit_length() for block in blocks["variable"]]
        self._place = [0, *accumulate(self._width)]
        _, start = self._pack(dict(enumerate(map(int, blocks["state"][0]))))
        goal, value = self._pack(_facts(blocks["goal"][0][1:]))
        tables: Tables = defaultdict(lambda: defaultdict(list))
        ways = [self._way(block) for block in blocks["operator"]]
        uses = Counter(fact for needs, _ in ways for fact in needs.items())
        for needs, way in ways:
            rarest = sorted(needs.items(), key=lambda fact: uses[fact])[:1]
            bits, there = self._pack(dict(rarest))
            tables[bits][there].append(way)
        actions = {way[0] for _, way in ways}
        super().__init__(name, start, lambda state: state & goal == value, tables, actions)

    def _way(self, block: list[str]) -> tuple[dict[int, int], Way]:
        """A way, and the facts that it needs."""
        name, given, *lines = block
        needs, puts, more = _facts(lines[: int(given)]), dict[int, int](), []
        for line in lines[int(given) + 1 : -1]:
            _, *words, variable, old, new = map(int, line.split())
            needs.update({} if old == -1 else {variable: old})
            if words:
                when = dict(zip(words[::2], words[1::2], strict=True))
                more.append((*self._pack(when), *self._put({variable: new})))
            else:
                puts[variable] = new
        action = f"({name.strip().lower()})"
        return needs, (action, *self._pack(needs), *self._put(puts), more)

    def _pack(self, facts: Mapping[int, int]) -> tuple[int, int]:
        """The bits of some variables, and what stands in them."""
        bits = sum(((1 << self._width[n]) - 1) << self._place[n] for n in facts)
        return bits, sum(value << self._place[n] for n, value in facts.items())

    def _put(self, facts: Mapping[int, int]) -> tuple[int, int]:
        """What to keep of a state and what to put in, so that these facts hold."""
        bits, values = self._pack(facts)
        return ((1 << self._place[-1]) - 1) & ~bits, values


def _facts(lines: Iterable[str]) -> dict[int, int]:
    """Variables and values, a pair on each line."""
    return {int(variable): int(value) for variable, value in map(str.split, lines)}


# Streets


def _streets(links: Path, trips: Path, with_turns: bool) -> tuple[list[Seen], set[str]]:
    """Trips with their tasks, and all actions.

    If turns cost, one is at the end of a link, turns, and is before the next one; at a place one
    only starts.
    """
    if links.suffix.lower() != ".csv":
        raise OpenError(f"{links.name} is no CSV file; no other networks are read here")
    ends = {row["link"]: (row["from"], row["to"]) for row in _rows(links)}
    number: dict[Any, int] = defaultdict(lambda: len(number))
    ways: dict[int, list[Way]] = defaultdict(list)

    def lead(state: Any, action: str, after: Any) -> None:
        ways[number[state]].append((action, -1, number[state], 0, number[after], []))

    leaving, arrivals, actions = defaultdict(list), defaultdict(set), [*ends]
    for link, (start, end) in ends.items():
        after: Any = ("end", link) if with_turns else end
        lead(start, link, after)
        lead(("before", link), link, after)
        leaving[start].append(link)
        arrivals[end].add(number[after])
    for link, (_, end) in ends.items() if with_turns else ():
        for other in leaving[end]:
            actions.append(f"{link}>{other}")
            lead(("end", link), actions[-1], ("before", other))
    if len(actions) > len(set(actions)):
        raise OpenError("names of links with > make those of turns unclear")
    seen, tasks = list[Seen](), dict[tuple[str, str], Task]()
    for row in _rows(trips):
        names = _links_of(row, ends)
        turns = [f"{one}>{two}" for one, two in pairwise(names)] if with_turns else []
        plan = tuple(name for name in chain(*zip_longest(names, turns)) if name is not None)
        task = None
        if names:
            start, goal = ends[names[0]][0], ends[names[-1]][1]
            task = Task(f"from {start}", number[start], arrivals[goal].__contains__, {-1: ways})
            task = tasks.setdefault((start, goal), task)
        seen.append(_seen(row["trip"], "", plan, row)._replace(task=task))
    return seen, set(actions)


def _links_of(row: Mapping[str, str], ends: dict[str, tuple[str, str]]) -> list[str]:
    """The links of a trip; none if there are no such links, or they do not meet."""
    by_links = "links" in row
    text = row["links" if by_links else "nodes"]
    known = ends if by_links else {*chain(*ends.values())}
    words = text.split(";") if ";" in text or text in known else text.split()
    names = [word.strip() for word in words if word.strip()]
    if not by_links:
        ways = [[link for link in ends if ends[link] == pair] for pair in pairwise(names)]
        names = [own[0] if len(own) == 1 else "" for own in ways]
    is_way = {*names} <= ends.keys()
    return names if is_way and all(ends[a][1] == ends[b][0] for a, b in pairwise(names)) else []


# What costs are made of

Row = tuple[frozenset[tuple[str, int]], int]
"""Parameters with coefficients, and a margin: the sum is at most 0."""


class Model:
    """Costs are sums of parameters, each so many times; and what is known of both.

    Usually each action has a parameter of its own. The second objective is a sum of functions of
    one parameter each: a weight times it, or its distances from known costs. For that, a cost that
    is made of several parameters is a parameter besides, called after the first such action.
    """

    def __init__(self, actions: Iterable[str], given: Json, seen: Iterable[Seen]) -> None:
        own: dict[str, dict[str, int]] = {action: {action: 1} for action in actions}
        self.made = own | given.get("made", {})
        _need(self.made.keys() == own.keys(), "parts of unknown actions")
        self.known: dict[str, int] | None = given.get("known")
        self.ends: dict[str, tuple[int, float]] = {}
        self._weight, self._targets = Counter[str](), defaultdict[str, list[int]](list)
        self.always: set[Row] = set()
        """Rows that hold for all costs that are allowed."""
        self._linked: dict[frozenset[tuple[str, int]], str] = {}
        for action, parts in self.made.items():
            low, high = given.get("bounds", {}).get(action, [1, None])
            self._add(action, parts, _number(low, 1), inf if high is None else _number(high, low))
        for kept, name in self._linked.items():
            self.ends[name] = (1, inf)
            self.always |= {(kept | {(name, -1)}, 0), (_negative(kept) | {(name, 1)}, 0)}
        for item in seen:
            if item.total is not None and item.plan is not None:
                counts = frozenset(self.count(item.plan).items())
                self.always |= {(counts, -item.total), (_negative(counts), item.total)}

    def _add(self, action: str, parts: dict[str, int], low: int, high: float) -> None:
        """An action with what its cost is made of, and its bounds."""
        is_unit, kept = [*parts.values()] == [1], frozenset(parts.items())
        name = next(iter(parts)) if is_unit else f"= {action}"
        for part, times in parts.items():
            self.ends.setdefault(part, (0, inf))
            self._weight[part] += _number(times, 1) if self.known is None else 0
        if is_unit:
            least, most = self.ends[name]
            self.ends[name] = max(least, low), min(most, high)
        else:
            self.always.add((_negative(kept), low))
            self.always |= {(kept, -int(high))} if high < inf else set()
        if self.known is not None:
            name = name if is_unit else self._linked.setdefault(kept, name)
            self._targets[name].append(_number(self.known.get(action), 0))

    def count(self, plan: Iterable[str]) -> Counter[str]:
        """How often each parameter is in the cost of a plan."""
        found = Counter[str]()
        for action, times in Counter(plan).items():
            found.update({name: times * own for name, own in self.made[action].items()})
        return found

    def check(self, costs: Mapping[str, int], values: Mapping[str, int]) -> None:
        """Costs must be whole, made as they have to be, and keep to all that is known."""
        _need(costs.keys() == self.made.keys(), "costs are not those of the actions of the case")
        found = {**costs, **values}
        for action, parts in self.made.items():
            made = sum(times * found.get(name, 0) for name, times in parts.items())
            _need(made == _number(costs[action], 1), f"the cost of {action} is not made so")
        for kept, name in self._linked.items():
            found[name] = sum(times * found[part] for part, times in kept)
        for name, (low, high) in self.ends.items():
            _need(low <= _number(found.get(name), 0) <= high, f"{name} is out of its bounds")
        for row, margin in self.always:
            is_kept = sum(found[name] * times for name, times in row) + margin <= 0
            _need(is_kept, "costs do not keep to a bound, or to the known total of a plan")

    def least(self, slopes: Mapping[str, int], parts: int) -> int | None:
        """The least of the second objective, `parts` times, plus slopes times parameters.

        Each function is convex with corners: it is least at a corner or at an end, or it falls for
        ever and has no least value.
        """
        total = 0
        for name, (low, high) in self.ends.items():
            targets = self._targets.get(name, [])
            slope = parts * self._weight[name] + slopes.get(name, 0)
            if high == inf and slope + parts * len(targets) < 0:
                return None
            places = {low, *(int(x) for x in (*targets, high) if low < x <= high and x < inf)}
            far = {x: sum(abs(x - target) for target in targets) for x in places}
            total += min(slope * x + parts * far[x] for x in places)
        return total


def _negative(row: Iterable[tuple[str, int]]) -> frozenset[tuple[str, int]]:
    return frozenset((name, -times) for name, times in row)


# A proof


class Proof:
    """RESULT.proof.json, about the plans of one cost function.

    Its plans are observations with the same actions: one counts only if it is optimal in all of
    their tasks, so a row must be right in each of these.
    """

    def __init__(self, claims: Claims, document: Json) -> None:
        self.claims, self.document = claims, document
        members = document.get("observations", [[n] for n in range(len(claims.seen))])
        every = sorted(chain(*members))
        _need(every == [*range(len(claims.seen))], "the proof is not about these plans")
        kinds = [{(claims.plans[n], claims.factors[n]) for n in own} for own in members]
        _need(all(len(own) == 1 for own in kinds), "different plans are one in the proof")
        self._plans, self._factors = zip(*(own.pop() for own in kinds), strict=True)
        self._weights = [sum(claims.seen[n].times for n in own) for own in members]
        self._tasks = [{claims.tasks[n] for n in own} for own in members]
        self._names = list(claims.told["costs"])
        self._margins: dict[tuple[Any, int], int | None] = {}
        self._own: list[Any] = []
        """Of each alternative the coefficients of its row."""
        self._alike: dict[Any, list[int]] = defaultdict(list)
        """The alternatives whose rows have the same coefficients."""
        for place, why in enumerate(document.get("alternatives", ())):
            row = self._row(place, _number(why["plan"], 0, len(self._plans)))
            _need(row is not None, f"alternative {place} is none")
            self._own.append(row and row[0])
            self._alike[row and row[0]].append(place)
        items = (*document.get("conflicts", ()), *document.get("prices", ()))
        self._known = [self._classes_of(item) for item in items]

    def _row(self, place: int, plan: int) -> Row | None:
        """The row of an alternative as a plan demands it; None if it does not.

        The alternative replaces a stretch of some plan. Another plan demands the same row if it has
        that stretch and the alternative fits in there too.
        """
        why = self.document["alternatives"][place]
        other = tuple(self._names[_number(action, 0)] for action in why["other"])
        first, mine, factor = _number(why["plan"], 0), self._plans[plan], self._factors[plan]
        theirs, begin, end = self._plans[first], _number(why["begin"], 0), _number(why["end"], -1)
        is_whole = why["is_whole"] or self._factors[first] != 1
        _need(not is_whole or (begin, end) == (0, -1), f"alternative {place} is for a whole plan")
        if factor != 1 and not is_whole:
            return None
        part = mine if is_whole else theirs[begin : end if end >= 0 else None]
        for j in range(len(mine) - len(part) + 1):
            behind = j + len(part)
            is_stretch = mine[j:behind] == part and (end >= 0 or behind == len(mine))
            whole = mine[:j] + other + mine[behind:]
            margin = self.claims.margin(mine, whole) if is_stretch else None
            if margin is not None and all(task.solves(whole) for task in self._tasks[plan]):
                count, total = self.claims.model.count, Counter[str]()
                total.update({n: factor.denominator * k for n, k in count(part).items()})
                total.subtract({n: factor.numerator * k for n, k in count(other).items()})
                return frozenset(item for item in total.items() if item[1]), margin
        return None

    def _of_class(self, place: int, classes: list[set[int]]) -> Row:
        """A row that all plans of some class demand, with the least of their margins."""
        coefficients = self._own[_number(place, 0)]
        for own in classes:
            margins = [self._margin(coefficients, plan) for plan in own]
            if None not in margins:
                return coefficients, min(margin for margin in margins if margin is not None)
        raise WrongError(f"alternative {place} is not one of all plans of any class that needs it")

    def _margin(self, coefficients: Any, plan: int) -> int | None:
        """With which a plan demands a row, by some alternative; None if it does not."""
        key = coefficients, plan
        if key not in self._margins:
            rows = (self._row(place, plan) for place in self._alike[coefficients])
            same = (row[1] for row in rows if row is not None and row[0] == coefficients)
            self._margins[key] = next(same, None)
        return self._margins[key]

    def _classes_of(self, item: Json) -> tuple[list[set[int]], float] | None:
        """The classes of a conflict or price, and what sets with a plan of each cost at least.

        Conflicts leave no costs at all: there the objective counts 0 times, and the rows alone add
        up to more than 0. None: the conflict is an integer program's word.
        """
        if not item["rows"] and "parts" not in item:
            return None
        classes = [{_number(plan, 0, len(self._plans)) for plan in own} for own in item["classes"]]
        _need(all(classes), "a class has no plans")
        slopes, total, model = Counter[str](), 0, self.claims.model
        for place, times in item["rows"]:
            if place < 0:
                line, margin = self.document["always"][str(place)]
                row = frozenset(line.items())
                _need((row, margin) in model.always, f"{line} is not always so")
            else:
                row, margin = self._of_class(place, classes)
            slopes.update({name: _number(times, 1) * k for name, k in row})
            total += times * margin
        parts = _number(item.get("parts", 0), 0)
        least = model.least(slopes, parts)
        _need(least is not None, "rows leave the costs without a least value")
        total += least or 0
        bound = -(-total // parts) if parts else inf
        _need(parts or total > 0, "the rows of a conflict do not contradict each other")
        _need(bound >= item.get("bound", 0), "the rows of a price do not add up to its bound")
        return classes, bound

    def check_tree(self, key: str, most: int, least: float) -> None:
        """No set of plans weighs more, unless it costs at least so much."""
        if key not in self.document:
            raise OpenError("there is no proof")
        known = [item[0] if item and item[1] >= least else None for item in self._known]
        if [] in known:  # a price that all sets have
            return
        out, adjacent = set[int](), [0] * len(self._plans)
        for classes in filter(None, known):
            out |= set.intersection(*classes)
            if len(classes) == 2:
                for one, other in (classes, classes[::-1]):
                    bits = sum(1 << plan for plan in other)
                    for plan in one:
                        adjacent[plan] |= bits & ~(1 << plan)
        cuts = [_inequality(item, known, adjacent) for item in self.document["inequalities"]]
        self._walk(self.document[key], most, cuts, set(), out)

    def _walk(
        self, node: Json, most: int, cuts: list[Any], inside: set[int], out: set[int]
    ) -> None:
        """The same of sets with the plans inside and none of those out."""
        if "open" in node:
            raise OpenError(node["open"])
        if "plan" in node:
            plan = {_number(node["plan"], 0, len(self._plans))}
            self._walk(node["without"], most, cuts, inside, out | plan)
            self._walk(node["with"], most, cuts, inside | plan, out)
            return
        parts, paid = _number(node["parts"], 1), 0
        left = [weight * parts for weight in self._weights]
        for number, times in node["take"]:
            _need(cuts[_number(number, 0)] is not None, "an inequality does not follow")
            coefficients, limit = cuts[number]
            paid += _number(times, 0) * limit
            for plan, count in coefficients.items():
                left[plan] -= times * count
        paid += sum(left[plan] for plan in inside)
        paid += sum(max(0, own) for n, own in enumerate(left) if n not in inside | out)
        _need(paid < (most + 1) * parts, f"a case of the proof may have more than {most} plans")


def _inequality(item: Json, known: list[Any], adjacent: list[int]) -> Any:
    """Plans with coefficients, and what their sum is at most; None if it does not follow.

    Of a clique, plans in conflict two by two, at most one is optimal. Take a clique in each class
    of a conflict: if all were hit, the conflict would be; so all but one are at most.
    """
    of, cliques = item["of"], [set(clique) for clique in item["cliques"]]
    for clique in cliques:
        bits = sum(1 << plan for plan in clique)
        if any(bits & ~adjacent[plan] != 1 << plan for plan in clique):
            return None
    classes = known[of] if of >= 0 else cliques[:1]
    if classes is None or len(classes) != len(cliques):
        return None
    if not all(map(set.issubset, cliques, classes)):
        return None
    return Counter(chain(*cliques)), len(cliques) - 1 if of >= 0 else 1


# What the result says


class Claims:
    """RESULT.json, or the part of a group, with the plans that it is about."""

    def __init__(self, told: Json, seen: list[Seen], model: Model) -> None:
        self.told, self.seen, self.model = told, seen, model
        self.tasks = [item.task for item in seen if item.task is not None]
        _need(told["solution"] in ("mcf", "scf", "icf", "likely"), "there is no such solution")
        self.is_strict, self.ties = told["solution"] == "scf", told["options"]["ties"]
        self.plans = [item.plan or () for item in seen]
        usual = _ratio(told["options"]["suboptimality"])
        self.factors = [item.factor or usual for item in seen]
        self.open: list[str] = []
        self.said: list[str] = []

    def margin(self, plan: Plan, other: Plan) -> int | None:
        """By how much a plan must cost less than another; None if that is no other plan."""
        if not self.is_strict:
            return 0
        if self._kind(plan) == self._kind(other):
            return None
        return int(self.ties != "observed" or other not in self.plans)

    def _kind(self, plan: Plan) -> Plan:
        return tuple(sorted(plan)) if self.ties == "reorderings" else plan

    def check(self, document: Json) -> None:
        """Demand that all is so; what is not shown is in `open`."""
        told, second, most = self.told, self.told["secondary"], self.told["upper_bound"]
        self._check_words(document)
        if told["solution"] == "likely":
            raise OpenError("not shown that no other costs make the plans more likely")
        proof = Proof(self, document)
        if told["ending"] == "none exists":
            most = min(most, told["plans"] - 1)
        optimal, given = told["optimal_plans"], document.get("given", {})
        self._try(f"{optimal} of {told['plans']} plans are optimal", self._search)
        if most < told["plans"]:
            limited = any((given.get("made"), given.get("bounds"), *(s.total for s in self.seen)))
            words = f"no costs{' that are allowed' * limited} make more than {most} plans optimal"
            self._try(words, proof.check_tree, "most", most, inf)
        if second is not None and told["refined"] and self.model.known is None:
            self.open.append("known costs are in RESULT.proof.json only")
        elif second is not None:
            known, bound = self.model.known or {}, _number(second["lower_bound"], 0)
            value = sum(abs(cost - known.get(name, 0)) for name, cost in told["costs"].items())
            _need(value == second["value"] >= bound, f"the second objective is {value}")
            _need(second["proved"] == (bound == value), "the second objective is proved, or not")
            words = f"with {optimal} the second objective is {bound} or more"
            if bound > (self.model.least({}, 1) or 0):
                self._try(words, proof.check_tree, "least", optimal - 1, bound)
            else:
                self.said.append(words)
        is_asked = any(told["options"][key] for key in ("refine", "bounds", "features"))
        if is_asked and "given" not in document:
            self.open.append("the proof does not say what costs are made of: was the run ended?")
        self.said += [f"as given: {key} of {len(own)} costs" for key, own in given.items() if own]

    def _try(self, words: str, check: Callable[..., None], *given: Any) -> None:
        try:
            check(*given)
            self.said.append(words)
        except OpenError as reason:
            self.open.append(f"not shown that {words}: {reason}")

    def _check_words(self, document: Json) -> None:
        told, items, costs = self.told, self.told["observations"], self.told["costs"]
        self.model.check(costs, document.get("values", {}))
        for item, seen, plan in zip(items, self.seen, self.plans, strict=True):
            _need(seen.is_plan, f"{seen.name} is no plan of its task")
            cost = sum(costs[action] for action in plan)
            _need(item["cost"] == cost, f"{seen.name} costs {cost}")
        optimal = sum(item["count"] for item in items if item["optimal"])
        decided, most = all(item["optimal"] is not None for item in items), told["upper_bound"]
        exists = told["ending"] != "none exists"
        expected = {
            "plans": sum(item["count"] for item in items),
            "optimal_plans": optimal,
            "verified": decided,
            "proved": not exists or (decided and optimal == most),
        }
        for key, value in expected.items():
            _need(told[key] == value, f"{key} must be {value}")
        _need(_number(most, 0) >= optimal or not exists, "upper_bound is too small")
        _need(exists or told["solution"] == "icf", "only icf may have no answer")
        if not decided:
            self.open.append("whether some plans are optimal was left open")

    def _search(self) -> None:
        """What is said of each plan must be what a search finds."""
        for task in dict.fromkeys(self.tasks):
            members = [n for n, own in enumerate(self.tasks) if own is task]
            is_claimed = any(self.told["observations"][n]["optimal"] for n in members)
            with nullcontext() if is_claimed else suppress(OpenError):
                self._check_task(task, members, _MOST_STATES if is_claimed else _MOST_UNCLAIMED)

    def _check_task(self, task: Task, members: list[int], most: int) -> None:
        costs, is_ordered = self.told["costs"], self.ties != "reorderings"
        observed = frozenset(self.plans[n] for n in members)
        own = {n: sum(costs[action] for action in self.plans[n]) for n in members}
        found: dict[Left, int] = {}
        for n in sorted(members, key=lambda n: -own[n]):
            itself, item = frozenset([self._kind(self.plans[n])]), self.told["observations"][n]
            allowed = observed if self.ties == "observed" else itself
            allowed = allowed if self.is_strict else Left()
            if allowed not in found:
                found[allowed] = task.cheapest(costs, own[n] + 1, allowed, is_ordered, most)
            best = min([found[allowed], *own.values()])
            is_tied = self.is_strict and found[allowed] <= own[n]
            is_optimal = own[n] <= best * self.factors[n] and not is_tied
            words = f"{self.seen[n].name} is {'' if is_optimal else 'not '}optimal, at {best}"
            is_so = item["optimal"] in (None, is_optimal) and item["optimal_cost"] in (None, best)
            _need(is_so, words)


# All together


def _read_case(
    path: Path, domain: Path | None, links: Path | None, with_turns: bool
) -> tuple[list[Seen], set[str]]:
    """The plans of a case with their tasks, as its files say; of streets all actions."""
    folder = path if path.is_dir() else path.parent
    is_streets = path.is_dir() and (path / "links.csv").exists()
    if links is not None or (is_streets and not (path / "domain.pddl").exists()):
        trips = path / "trips.csv" if path.is_dir() else path
        return _streets(links or path / "links.csv", trips, with_turns)
    own = domain or folder / "domain.pddl"
    rows = [] if path.is_dir() else _rows(path)
    listed = [(str(Path(row["plan"])), str(Path(row["problem"])), row) for row in rows]
    seen = [_seen(plan, problem, _read_plan(folder / plan), row) for plan, problem, row in listed]
    seen += _plans_of_folder(path, own) if path.is_dir() else []
    tasks = _grounded(own, folder, dict.fromkeys(item.problem for item in seen))
    return [item._replace(task=tasks[item.problem]) for item in seen], set()


def _matched(known: list[Seen], told: Json, with_groups: bool) -> list[Seen]:
    """The plans of a result in its order; those that it leaves out must be none."""
    left: dict[Any, list[Seen]] = defaultdict(list)
    for item in known:
        group = (item.group or "(none)") if with_groups else None
        left[item.name, item.problem, item.times, group].append(item)
    found = []
    for own in told["observations"]:
        name, group = own.get("trip") or own["plan"], own["group"] if with_groups else None
        same = left[name, own.get("problem", ""), own["count"], group]
        _need(same, f"{name} was not seen, or not like this")
        found.append(same.pop(0))
    for item in chain(*left.values()):
        _need(not item.is_plan, f"{item.name} is a plan, and the result leaves it out")
    return found


def _check_sums(told: Json, parts: list[Json]) -> None:
    """What is said of all groups is what is said of each, added up."""
    is_sought = told["options"]["groups"] is not None
    for key in ("plans", "optimal_plans", "upper_bound")[: 2 if is_sought else 3]:
        _need(told[key] == sum(part[key] for part in parts), f"{key} of the groups do not add up")
    items = [item for part in parts for item in part["observations"]]
    _need(items == told["observations"], "the groups have other plans")
    decided = all(part["verified"] for part in parts)
    is_proved = decided and told["optimal_plans"] == told["upper_bound"]
    _need((decided, is_proved) == (told["verified"], told["proved"]), "proved or not")
    for key in ("value", "lower_bound") if (second := told["secondary"]) else ():
        least = sum(part["secondary"][key] for part in parts)
        if is_sought and key == "lower_bound":  # of any division, the least of any costs
            least = 0 if told["refined"] else len(parts[0]["costs"])
        _need(second[key] == least, f"{key} of the groups do not add up")
        _need(second["proved"] == (second["value"] == second["lower_bound"]), "proved, or not")
    if is_sought and told["upper_bound"] < told["plans"]:
        raise OpenError("the bound for all divisions into groups is not shown")


def _check_all(told: Json, known: list[Seen], actions: set[str], result: Path) -> Any:
    """Check all parts of a result; what is left open, and what is shown."""
    parts, is_divided = told.get("groups") or [told], "groups" in told
    seen = _matched(known, told, is_divided and told["options"]["groups"] is None)
    actions = actions.union(*(item.task.actions for item in seen if item.task is not None))
    left_open, said = list[str](), list[str]()
    for number, part in enumerate(parts, start=1):
        path = result.with_suffix(f".proof.{number}.json" if is_divided else ".proof.json")
        document = json.loads(_text(path)) if path.exists() else {}
        own, seen = seen[: len(part["observations"])], seen[len(part["observations"]) :]
        named = [action for action in part["costs"] if action in actions]
        claims = Claims(part, own, Model(named, document.get("given", {}), own))
        for action in sorted(actions.difference(named))[:1]:
            claims.open.append(f"not shown that {action}, which has no cost, is never possible")
        claims.check(document)
        name = f"{part['group']}: " if is_divided else ""
        left_open += [name + sentence for sentence in claims.open]
        said += [name + sentence for sentence in claims.said]
    if is_divided:
        _check_sums(told, parts)
    return left_open, said


def verdict(
    case: Path, result: Path, domain: Path | None = None, links: Path | None = None
) -> tuple[str, list[str]]:
    """One of "proven", "not proven" and "wrong", and sentences that say what, or where."""
    try:
        told = json.loads(_text(result))
        if not isinstance(told, dict) or "format" not in told:
            raise OSError(EINVAL, 'this is not a RESULT.json: it has no "format"', str(result))
        _need(told["format"] == 2, "this RESULT.json has another format")
        seen, actions = _read_case(case, domain, links, "turns" in told["options"]["features"])
        missing, said = _check_all(told, seen, actions, result)
        return ("not proven" if missing else "proven"), [*missing, *said]
    except OpenError as reason:
        return "not proven", [str(reason)]
    except WrongError as reason:
        return "wrong", [str(reason)]
    except OSError:
        raise
    except Exception as error:
        return "wrong", [f"a file is damaged, or does not fit the others ({error!r})"]


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description="Check what RESULT.json says, by its proof.")
    parser.add_argument("case", type=Path, help="a folder, manifest or table of trips")
    parser.add_argument("result", type=Path, help="RESULT.json")
    parser.add_argument("--domain", type=Path, help="the PDDL domain of a manifest")
    parser.add_argument("--links", type=Path, help="the links of trips")
    asked = parser.parse_args()
    sys.setrecursionlimit(20_000)  # for deep trees
    try:
        word, said = verdict(asked.case, asked.result, asked.domain, asked.links)
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return 1
    sys.stdout.write("\n".join([word, *said, ""]))
    return {"proven": 0, "not proven": 4, "wrong": 5}[word]


if __name__ == "__main__":
    sys.exit(main())
