"""A checker of proofs that imports nothing of plancost; docs/proofs.md says why it is enough."""

import heapq
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import chain, combinations, count
from math import gcd
from pathlib import Path
from typing import Any

MOST_STATES = 3_000_000


class VerdictError(Exception):
    """``wrong``: a claim is false, or does not follow; ``not proven``: it is not shown."""


def _need(condition: object, sentence: str, otherwise: str = "wrong") -> None:
    if not condition:
        raise VerdictError(otherwise, sentence)


def translate(domain: Path, problem: Path) -> str:
    """The grounded problem; without costs, so that the translator neither drops nor rejects."""
    with tempfile.TemporaryDirectory() as folder:
        for path, name in (domain, "domain.pddl"), (problem, "problem.pddl"):
            text = re.sub(r";.*", "", path.read_text(encoding="utf-8-sig")).lower()
            text = re.sub(r"(?s)\(\s*:metric.*?(\(\s*:|\Z)", lambda m: m[1] or ")", text)
            text = re.sub(r"(\((?:=|increase)\s*\([^()]*\))([^()]|\([^()]*\))+\)", r"\1 1)", text)
            (Path(folder) / name).write_text(text, encoding="utf-8")
        command = [sys.executable, "-P", "-m", "fast_downward.translate", "--keep-no-ops"]
        command += ["--keep-unimportant-variables", "domain.pddl", "problem.pddl"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        _need(done.returncode == 0, f"{problem}: {done.stderr[-99:]!r}", "not proven")
        return (Path(folder) / "output.sas").read_text(encoding="utf-8")


def read_plan(path: Path) -> tuple[str, ...]:
    """The steps of a plan file, one on each line: ``(move a b)``, or ``move a b (cost)``."""
    lines = re.sub(r";.*", "", path.read_text(encoding="utf-8-sig").lower()).split("\n")
    steps = [re.sub(r"^\s*\(|\(\d+\)\s*$|\)\s*$", " ", line).split() for line in lines]
    return tuple(f"({' '.join(step)})" for step in steps if step)


def _holds(conditions: Any, state: Any) -> bool:
    return all(state[variable] == value for variable, value in conditions)


def _pairs_of(lines: Any) -> tuple[tuple[int, int], ...]:
    return tuple((int(variable), int(value)) for variable, value in lines)


class Task:
    """A grounded problem, as the translator writes it."""

    at_least: Any = staticmethod(lambda state: 0)  # what the rest of a plan costs at least

    def __init__(self, name: str, text: str) -> None:
        blocks: dict[str, list[list[str]]] = {"operator": [], "rule": []}
        for kind, body in re.findall(r"begin_(\w+)\n(.*?)\nend_\1\n", text, re.DOTALL):
            blocks.setdefault(kind, []).append(body.split("\n"))
        _need("dummy(val1)\nAtom dummy(val2)" not in text, f"{name}: a trivial goal", "not proven")
        self.name, self.layers = name, [int(block[1]) for block in blocks["variable"]]
        self.initial = [int(line) for line in blocks["state"][0]]
        self.goal: Any = _pairs_of(map(str.split, blocks["goal"][0][1:]))
        self.operators: dict[str, list[Any]] = defaultdict(list)
        for action, given, *lines in blocks["operator"]:
            before, effects = dict(_pairs_of(map(str.split, lines[: int(given)]))), []
            for line in lines[int(given) + 1 : -1]:
                _, *words, variable, old, new = line.split()
                conditions = _pairs_of(zip(words[::2], words[1::2], strict=True))
                before.update({} if old == "-1" else {int(variable): int(old)})
                effects.append((conditions, int(variable), int(new)))
            self.operators[f"({action.strip().lower()})"].append((tuple(before.items()), effects))
        self.rules: dict[int, list[Any]] = {}
        for _, *lines, last in blocks["rule"]:
            derived, before_it, after_it = map(int, last.split())
            conditions = (*_pairs_of(map(str.split, lines)), (derived, before_it))
            self.rules.setdefault(self.layers[derived], []).append((conditions, derived, after_it))
        self.start = self._derived(list(self.initial))

    def _derived(self, values: list[int]) -> Any:
        for number, layer in enumerate(self.layers) if self.rules else ():
            values[number] = self.initial[number] if layer >= 0 else values[number]
        for layer in sorted(self.rules):
            before = None
            while before != (before := list(values)):
                for conditions, variable, new in self.rules[layer]:
                    values[variable] = new if _holds(conditions, values) else values[variable]
        return tuple(values)

    def _after(self, state: Any, effects: Any) -> Any:
        new = {variable: value for when, variable, value in effects if _holds(when, state)}
        return self._derived([new.get(variable, value) for variable, value in enumerate(state)])

    def replay(self, plan: Any, name: str) -> None:
        """Demand that a plan leads to the goal. Several operators may have one name."""
        states = {self.start}
        for step, action in enumerate(plan, start=1):
            ways = [(way, state) for way in self.operators.get(action, ()) for state in states]
            states = {self._after(state, way[1]) for way, state in ways if _holds(way[0], state)}
            _need(states, f"{name}: step {step}, {action}, is not possible in {self.name}")
        _need(any(_holds(self.goal, state) for state in states), f"{name}: the goal is not reached")

    def cheapest(self, costs: Any, known: int, allowed: Any, ordered: bool) -> int:
        """What the cheapest plan outside the allowed ones costs; `known` if none costs less."""
        ways: dict[Any, list[Any]] = defaultdict(list)
        for name, (before, effects) in ((n, w) for n, own in self.operators.items() for w in own):
            ways[before[0] if before else None].append((before[1:], effects, name, costs[name]))
        best, queue, next_one = {(self.start, allowed): 0}, [(0, 0, self.start, allowed)], count(1)
        while queue:
            spent, _, state, left = heapq.heappop(queue)
            if _holds(self.goal, state) and () not in left:
                return spent
            _need(len(best) <= MOST_STATES, f"over {MOST_STATES} states: {self.name}", "not proven")
            for fact in () if spent > best[state, left] else (None, *enumerate(state)):
                for before, effects, name, cost in ways.get(fact, ()):
                    if spent + cost < known and _holds(before, state):
                        after, rest = self._after(state, effects), still(left, name, ordered)
                        if spent + cost < best.get((after, rest), known - self.at_least(after)):
                            best[after, rest] = spent + cost
                            heapq.heappush(queue, (spent + cost, next(next_one), after, rest))
        return known


def still(left: Any, name: str, ordered: bool) -> Any:
    """What is left of plans after one more step; only of those that have it (next, if ordered)."""
    places = [(plan, plan.index(name)) for plan in left if name in plan]
    return frozenset(plan[:n] + plan[n + 1 :] for plan, n in places if not (ordered and n))


class Proof:
    """A proof beside the result that it is about."""

    def __init__(self, result: Any, proof: Any, tasks: list[Task], plans: list[Any]) -> None:
        self.result, self.proof, self.tasks, self.plans = result, proof, tasks, plans
        self.strict, asked = result["strict"], result.get("options", {})
        self.ordered = self.strict and asked.get("reorderings") != "same"
        self.ties = self.strict and asked.get("ties") == "observed"
        _need(proof["proof"] == 3, "another kind of proof")
        self.start, self.observed = result.get("initial_costs") or {}, result["observations"]
        self.costs, places = result["costs"], [item["observations"] for item in proof["plans"]]
        for task, plan, item in zip(tasks, plans, self.observed, strict=True):
            task.replay(plan, item["plan"])
        self.ends, self.starts = self.read_costs()
        self.candidates = list(map(self.read_candidate, places))
        _need(sorted(chain(*places)) == [*range(len(plans))], "not each observed plan once")
        self.alternatives = [tuple(proof["actions"][n] for n in p) for p in proof["alternatives"]]
        self.conflicts = [self.read_conflict(*item) for item in enumerate(proof["conflicts"])]
        for *two, n in proof["pairs"]:
            _need(len(two) == 2 and all(o & {*two} for o in self.conflicts[n]), f"{two} is no pair")
        self.pairs = {frozenset(pair[:2]) for pair in proof["pairs"]}
        must = {n for n, o in enumerate(self.observed) if o["plan"] in asked.get("require", ())}
        self.must, self.all = must, ({n for n, o in enumerate(places) if {*o} & must}, set[int]())
        self.inequalities = [self.read_inequality(item) for item in proof["inequalities"]]

    def _count(self, plan: Any, factor: int) -> Counter[str]:
        total = Counter[str]()
        for step in tuple(plan) * factor:
            total.update(+Counter(self.proof["made"].get(step, (step,))))  # nothing below 0
        return total

    def read_costs(self) -> tuple[dict[str, Any], dict[str, Counter[int]]]:
        """What each number may be, and where distances of costs start: at 0, or initial costs."""
        starts, ends, costs = defaultdict[Any, Counter[int]](Counter), dict[Any, Any](), self.costs
        values = {**costs, **self.proof["values"]}
        _need({*chain(*(t.operators for t in self.tasks))} == {*costs}, "costs of other actions")
        for action in costs:
            own = [*(parts := self._count([action], 1)).values()] == [1]
            terms = parts if own or not self.start else {self.proof["links"].get(action): 1}
            ends |= {to: (1, None) if own else ends.get(to, (0, None)) for to in {**parts, **terms}}
            for name, times in terms.items():
                starts[name][self.start[action] if self.start else 0] += times
            cost = sum(n * values[name] for name, n in parts.items())
            _need(type(cost) is int and 1 <= cost == costs[action], f"{action} is not made so")
        for name, (low, high) in {**ends, **self.proof["bounds"]}.items():
            right = ends[name][0] <= low <= values[name] and (high is None or values[name] <= high)
            _need(right and type(values[name]) is int, f"{name} is out of bounds")
        for row, most, _ in self.proof["given"]:
            _need(sum(n * values[name] for name, n in row.items()) <= most, "a row is missed")
        return {**ends, **self.proof["bounds"]}, starts

    def _kind(self, plan: Any) -> Any:
        return tuple(plan if self.ordered else sorted(plan))

    def read_candidate(self, own: list[int]) -> tuple[int, Any, Fraction, set[Task]]:
        """Observed plans that cost the same under all costs are one plan of the proof."""
        items, plans = [self.observed[n] for n in own], [self.plans[n] for n in own]
        factors = {Fraction(item.get("suboptimality", 1)) for item in items}
        kinds = [self._kind(plan) if self.strict else self._count(plan, 1) for plan in plans]
        _need(kinds == kinds[:1] * len(own) and len(factors) == 1 <= min(factors), f"{own} differ")
        return sum(i["count"] for i in items), plans[0], factors.pop(), {self.tasks[n] for n in own}

    def _may_tie_with(self, own: Any, tasks: Any) -> frozenset[Any]:
        pairs = zip(self.plans, self.tasks, strict=True) if self.ties else ()
        return frozenset(map(self._kind, [own, *(plan for plan, task in pairs if task in tasks)]))

    def row(self, plan: int, alternative: int) -> Any:
        """What the plan's optimality demands: own cost, less the alternative's, is at most 0."""
        other, (_, own, factor, tasks) = self.alternatives[alternative], self.candidates[plan]
        _need(not self.strict or self._kind(own) != self._kind(other), "a plan is no alternative")
        for task in tasks:
            task.replay(other, f"alternative {alternative}")
        total = self._count(own, factor.denominator)
        total.subtract(self._count(other, factor.numerator))
        row = frozenset((name, n) for name, n in total.items() if n)
        return row, -(self.strict and self._kind(other) not in self._may_tie_with(own, tasks))

    def add_up(self, items: Any) -> tuple[Counter[str], int, list[set[int]]]:
        """Rows, each as often as it is taken: their sum, the most it is, and who demands each."""
        total, most, plans = Counter[str](), 0, []
        for item in items:
            _need(item["times"] > 0, "a row is taken less than once")
            if "given" in item:
                row, own, _ = self.proof["given"][item["given"]]
            else:
                (row, own), *others = {self.row(*pair) for pair in item["of"]}
                _need(not others, "plans that should demand the same of the costs do not")
                plans.append({plan for plan, _ in item["of"]})
            most += item["times"] * own
            total.update({name: item["times"] * times for name, times in dict(row).items()})
        return total, most, plans

    def read_conflict(self, number: int, items: Any) -> list[set[int]]:
        """The plans of each row; the rows add up to something that no costs satisfy."""
        total, most, plans = self.add_up(items)
        for name, times in total.items():
            end = self.ends[name][times < 0]
            _need(end is not None or not times, f"conflict {number}: {name} is left over")
            most -= times * (end or 0)
        _need(most < 0, f"conflict {number} does not add up to a contradiction")
        return plans

    def read_inequality(self, item: Any) -> tuple[Counter[int], int]:
        """Plans with coefficients, and what their sum is at most in every set that is possible."""
        cliques, at = item["cliques"], item.get("conflict")
        rows = [] if at is None else self.conflicts[at]
        for pair in chain(*(combinations(clique, 2) for clique in cliques)):
            _need(frozenset(pair) in self.pairs, f"plans {pair} are not shown to be in conflict")
        hit = all(any(owners.issuperset(clique) for clique in cliques) for owners in rows)
        _need(hit and (rows or len(cliques) == 1), f"{cliques} are not the cliques of a conflict")
        return Counter(chain(*cliques)), len(cliques) - 1 if rows else 1

    def walk(self, node: Any, most: int, least: int | None, case: tuple[Any, Any]) -> None:
        """Every set of the case weighs at most so much, or costs at least so much."""
        _need("open" not in node, f"a case is left open: {node.get('open')}", "not proven")
        if "plan" in node:
            self.walk(node["without"], most, least, (case[0], case[1] | {node["plan"]}))
            self.walk(node["with"], most, least, (case[0] | {node["plan"]}, case[1]))
        elif "rows" in node and least is not None:
            self.check_costs(node, least, case[0])
        else:
            self.check_weight(node, most, *case)

    def check_weight(self, node: Any, most: int, inside: Any, out: Any) -> None:
        """Pay for plans with inequalities; what is left of a plan is had once, if at all."""
        unit, parts = gcd(*(weight for weight, *_ in self.candidates)), node["parts"]
        left, paid = [weight // unit * parts for weight, *_ in self.candidates], 0
        for number, times in node["inequalities"]:
            _need(times > 0, "an inequality is taken less than once")
            paid += times * self.inequalities[number][1]
            for plan, coefficient in self.inequalities[number][0].items():
                left[plan] -= times * coefficient
        free = {plan for plan in range(len(left)) if {plan} not in self.pairs} - out - inside
        paid += sum(left[plan] for plan in inside) + sum(max(0, left[plan]) for plan in free)
        _need(parts > 0 and paid < (most // unit + 1) * parts, f"a case may have more than {most}")

    def check_costs(self, node: Any, least: int, inside: Any) -> None:
        """By Lagrange: add rows to the objective; its least value, where it is not over `least`."""
        slopes, most, owners = self.add_up(node["rows"])
        _need(all(own & inside for own in owners), "a row is used that no plan demands")
        _need(all(slopes[name] >= 0 for name in slopes.keys() - self.starts), "no least value")
        total, parts = -most, node["parts"]
        for name, starts in self.starts.items():
            (low, high), first = self.ends[name], sum(at * k for at, k in starts.items())
            top = max(low, min(high or least + first, (least + first) // starts.total()))
            far = {n: sum(k * abs(n - at) for at, k in starts.items()) for n in {low, top, *starts}}
            total += min(parts * far[n] + slopes[name] * n for n in far if low <= n <= top)
        _need(parts > 0 and total > (least - 1) * parts, f"a case is not shown to cost {least}")

    def check(self, said: list[str]) -> None:
        """Check all claims of the result, and say what is proven."""
        result, second, proof = self.result, self.result["secondary"], self.proof
        value = sum(abs(cost - self.start.get(name, 0)) for name, cost in self.costs.items())
        most, least = proof["most"]["plans"], proof.get("least", {}).get("secondary")
        optimal = sum(item["count"] for item in self.observed if item["optimal"])
        _need((optimal, value) == (result["optimal_plans"], second["value"]), "a sum is wrong")
        _need((most, optimal == most) == (result["upper_bound"], result["proved"]), "another bound")
        self.walk(proof["most"]["tree"], most, None, self.all)
        said.append(f"no costs make more than {most} plans optimal")
        self.check_optimal()
        said.insert(-1, f"{optimal} plans are optimal")
        if least is not None:
            _need(optimal == most and second["lower_bound"] == least <= value, "another objective")
            self.walk(proof["least"]["tree"], most - 1, least, self.all)
            said.append(f"with {most} the second objective is {least} or more")
        _need(least == value or not second["proved"], "no second objective", "not proven")
        said += [f"as given: {len(proof[k])} {k}" for k in ("bounds", "given", "made") if proof[k]]

    def check_optimal(self) -> None:
        """No plan is cheaper than one that is called optimal; if strict, none is as cheap."""
        prices, out = [sum(map(self.costs.__getitem__, p)) for p in self.plans], dict[Any, int]()
        said = self.must | {n for n, item in enumerate(self.observed) if item["optimal"]}
        for n in sorted(said, key=prices.__getitem__, reverse=True):  # the others cost no more
            task, factor = self.tasks[n], Fraction(self.observed[n].get("suboptimality", 1))
            same = [p for p, other in zip(prices, self.tasks, strict=True) if other is task]
            key = task, self._may_tie_with(self.plans[n], [task]) if self.strict else frozenset()
            if key not in out:
                out[key] = task.cheapest(self.costs, prices[n] + self.strict, key[1], self.ordered)
            spare, tied = (factor * price - prices[n] for price in (out[key], min(same)))
            fits = (spare > 0 or (spare == 0 and not self.strict)) and (tied >= 0 or not self.ties)
            _need(fits, f"{self.observed[n]['plan']} is not optimal")


def read_case(case: Path, domain: Path | None, claims: Any, shown: Any) -> list[Any]:
    """What there is to check: claims with their proof, and the problem and plan of each item."""
    observed, folder = claims["observations"], case if case.is_dir() else case.parent
    plans = [read_plan(folder / item["plan"]) for item in observed]
    problems, domain = {item["problem"] for item in observed}, domain or folder / "domain.pddl"
    texts = {name: translate(domain, folder / name) for name in sorted(problems)}
    tasks = {text: Task(name, text) for name, text in texts.items()}
    return [(claims, shown, [tasks[texts[item["problem"]]] for item in observed], plans)]


def verdict(case: Path, result: Path, proof: Path, more: Any = None, read: Any = read_case) -> Any:
    """``proven``, ``not proven`` or ``wrong``, and sentences that say what or where."""
    said, texts = list[str](), (path.read_text(encoding="utf-8") for path in (result, proof))
    try:
        claims, shown = (json.loads(t, parse_float=Fraction, parse_constant=int) for t in texts)
        for part in read(case, more, claims, shown):
            Proof(*part).check(said)
        return "proven", said
    except VerdictError as reason:
        return reason.args[0], [*said, reason.args[1]]
    except Exception as error:
        return "wrong", [f"a file is damaged or does not fit the others ({error!r})"]


if __name__ == "__main__":
    word, sentences = verdict(*map(Path, sys.argv[1:]))
    sys.stdout.write("\n".join([word, *sentences, ""]))
    sys.exit({"proven": 0, "not proven": 4, "wrong": 5}[word])
