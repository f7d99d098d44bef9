"""A checker of proofs that imports nothing of plancost: ``check_proof.py CASE RESULT PROOF``.

The translator of Fast Downward grounds the PDDL. All else is done here, in integers: plans are
replayed, conflicts are added up, trees of cases are walked, and a search looks for cheaper plans.
docs/proofs.md says what the parts of a proof mean, and why this is enough.
"""

import heapq
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

MOST_STATES = 3_000_000


class VerdictError(Exception):
    """``wrong``: a claim is false, or does not follow; ``not proven``: it is not shown."""


def demand(condition: object, sentence: str, otherwise: str = "wrong") -> None:
    """Whatever is demanded must hold."""
    if not condition:
        raise VerdictError(otherwise, sentence)


def translate(domain: Path, problem: Path) -> str:
    """The grounded problem; without a metric, so that the translator drops no action."""
    text = re.sub(r";[^\n]*", "", problem.read_text(encoding="utf-8"))
    text = re.sub(r"(?i)\(\s*:metric(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "", text)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "problem.pddl").write_text(text, encoding="utf-8")
        options = ["--keep-unimportant-variables", "--keep-no-ops", "--sas-file", "task.sas"]
        command = [sys.executable, "-P", "-m", "fast_downward.translate", *options]
        files = [str(domain.resolve()), "problem.pddl"]
        done = subprocess.run([*command, *files], cwd=folder, capture_output=True, check=False)
        demand(done.returncode == 0, f"the translator rejects {problem}")
        return (Path(folder) / "task.sas").read_text(encoding="utf-8")


def read_plan(path: Path) -> list[str]:
    """The steps of a plan file, one in each pair of parentheses or on each line."""
    text = re.sub(r";[^\n]*", "", path.read_text(encoding="utf-8")).lower()
    steps = re.findall(r"\(([^()]*)\)", text) if "(" in text else text.splitlines()
    return [f"({' '.join(step.split())})" for step in steps if step.strip()]


def holds(conditions: Any, state: Any) -> bool:
    """Whether all facts are true."""
    return all(state[variable] == value for variable, value in conditions)


def pairs_of(lines: Any) -> tuple[tuple[int, int], ...]:
    """Variables, each with a value."""
    return tuple((int(variable), int(value)) for variable, value in lines)


class Task:
    """A grounded problem, as the translator writes it."""

    def __init__(self, name: str, text: str) -> None:
        blocks: dict[str, list[list[str]]] = {"operator": [], "rule": []}
        for kind, body in re.findall(r"begin_(\w+)\n(.*?)\nend_\1\n", text, re.DOTALL):
            blocks.setdefault(kind, []).append(body.split("\n"))
        values = [line for block in blocks["variable"] for line in block]
        trivial = any(value.startswith("Atom dummy(") for value in values)
        demand(not trivial, f"{name}: its goal always or never holds", "not proven")
        self.name = name
        self.layers = [int(block[1]) for block in blocks["variable"]]
        self.initial = [int(line) for line in blocks["state"][0]]
        self.goal = pairs_of(map(str.split, blocks["goal"][0][1:]))
        self.operators: dict[str, list[Any]] = {}
        for action, count, *lines in blocks["operator"]:
            before, effects = dict(pairs_of(map(str.split, lines[: int(count)]))), []
            for line in lines[int(count) + 1 : -1]:
                _, *words, variable, old, new = line.split()
                conditions = pairs_of(zip(words[::2], words[1::2], strict=True))
                before.update({} if old == "-1" else {int(variable): int(old)})
                effects.append((conditions, int(variable), int(new)))
            operators = self.operators.setdefault(f"({action.strip().lower()})", [])
            operators.append((tuple(before.items()), effects))
        self.rules: dict[int, list[Any]] = {}
        for _, *lines, last in blocks["rule"]:
            derived, before_it, after_it = map(int, last.split())
            conditions = (*pairs_of(map(str.split, lines)), (derived, before_it))
            self.rules.setdefault(self.layers[derived], []).append((conditions, derived, after_it))
        self.start = self.derived(list(self.initial))

    def derived(self, values: list[int]) -> Any:
        """The state with its derived variables, lowest layer first."""
        for number, layer in enumerate(self.layers) if self.rules else ():
            values[number] = self.initial[number] if layer >= 0 else values[number]
        for layer in sorted(self.rules):
            before = None
            while before != values:
                before = list(values)
                for conditions, variable, new in self.rules[layer]:
                    values[variable] = new if holds(conditions, values) else values[variable]
        return tuple(values)

    def after(self, state: Any, effects: Any) -> Any:
        """The state that an operator leads to."""
        new = {variable: value for when, variable, value in effects if holds(when, state)}
        return self.derived([new.get(variable, value) for variable, value in enumerate(state)])

    def replay(self, plan: list[str], name: str) -> None:
        """Demand that a plan leads to the goal. Several operators may have one name."""
        states = {self.start}
        for step, action in enumerate(plan, start=1):
            ways = [(way, state) for way in self.operators.get(action, ()) for state in states]
            states = {self.after(state, way[1]) for way, state in ways if holds(way[0], state)}
            demand(states, f"{name}: step {step}, {action}, is not possible in {self.name}")
        demand(any(holds(self.goal, state) for state in states), f"{name}: the goal is not reached")

    def cheapest(self, costs: dict[str, int], known: int) -> int:
        """What the cheapest plan costs; `known` if no plan costs less. A search over all states."""
        by_fact: dict[Any, list[Any]] = {}
        for name, before, effects in (
            (name, *operator) for name, ways in self.operators.items() for operator in ways
        ):
            first = before[0] if before else None
            by_fact.setdefault(first, []).append((before[1:], effects, costs[name]))
        best, queue = {self.start: 0}, [(0, self.start)]
        while queue:
            spent, state = heapq.heappop(queue)
            if holds(self.goal, state):
                return spent
            demand(len(best) <= MOST_STATES, f"{self.name} has too many states", "not proven")
            for fact in () if spent > best[state] else (None, *enumerate(state)):
                for before, effects, cost in by_fact.get(fact, ()):
                    if spent + cost < known and holds(before, state):
                        after = self.after(state, effects)
                        if spent + cost < best.get(after, known):
                            best[after] = spent + cost
                            heapq.heappush(queue, (spent + cost, after))
        return known


class Proof:
    """A proof beside the result that it is about."""

    def __init__(self, folder: Path, domain: Path, result: Any, proof: Any) -> None:
        self.result, self.proof, self.bounds = result, proof, proof["bounds"]
        demand(proof["proof"] == 1 and not result["strict"], "this is another kind of proof")
        self.observed = result["observations"]
        self.tasks: dict[str, Task] = {}
        self.plans = [read_plan(folder / item["plan"]) for item in self.observed]
        for plan, item in zip(self.plans, self.observed, strict=True):
            name = item["problem"]
            if name not in self.tasks:
                self.tasks[name] = Task(name, translate(domain, folder / name))
            self.tasks[name].replay(plan, item["plan"])
        candidates = [self.read_candidate(item["observations"]) for item in proof["plans"]]
        self.weights, self.own, self.factors, self.problems = zip(*candidates, strict=True)
        seen = sorted(place for item in proof["plans"] for place in item["observations"])
        demand(seen == list(range(len(self.plans))), "the plans are not those observed, each once")
        self.replayed: set[Any] = set()
        names = proof["actions"]
        self.alternatives = [[names[number] for number in steps] for steps in proof["alternatives"]]
        self.conflicts = [self.read_conflict(*item) for item in enumerate(proof["conflicts"])]
        for *plans, number in (*proof["pairs"], *proof["impossible"]):
            hit = all(not owners.isdisjoint(plans) for owners in self.conflicts[number])
            demand(hit, f"conflict {number} does not exclude plans {plans}")
        self.pairs = {frozenset(pair[:2]) for pair in proof["pairs"]}
        self.impossible = {plan for plan, _ in proof["impossible"]}
        self.inequalities = [self.read_inequality(item) for item in proof["inequalities"]]

    def read_candidate(self, places: list[int]) -> tuple[int, list[str], Fraction, set[str]]:
        """Observed plans that cost the same under all costs are one plan of the proof."""
        members = [self.observed[place] for place in places]
        copies = [sorted(self.plans[place]) for place in places]
        factors = [Fraction(member.get("suboptimality", 1)) for member in members]
        alike = all(other == copies[0] for other in copies) and len(set(factors)) == 1
        demand(alike, f"the plans {places} are not the same")
        weight = sum(member["count"] for member in members)
        return weight, copies[0], factors[0], {member["problem"] for member in members}

    def row(self, plan: int, alternative: int) -> Any:
        """What the plan's optimality demands: own cost, less the alternative's, is at most 0."""
        other, factor, total = self.alternatives[alternative], self.factors[plan], Counter[str]()
        for problem in self.problems[plan]:
            if (problem, alternative) not in self.replayed:
                self.tasks[problem].replay(other, f"alternative {alternative}")
                self.replayed.add((problem, alternative))
        total.update({name: n * factor.denominator for name, n in Counter(self.own[plan]).items()})
        total.subtract({name: n * factor.numerator for name, n in Counter(other).items()})
        return tuple(sorted((name, n) for name, n in total.items() if n)), 0

    def read_row(self, item: Any) -> tuple[Any, set[int]]:
        """A row, and the plans that demand it; all of them, if it is a bound."""
        demand(item["times"] > 0, "a row is taken less than once")
        if "of" in item:
            rows = {self.row(plan, alternative) for plan, alternative in item["of"]}
            demand(len(rows) == 1, "plans that should demand the same of the costs do not")
            return rows.pop(), {plan for plan, _ in item["of"]}
        name, sign = item["action"], 1 if "most" in item else -1
        bound = item["most" if sign > 0 else "least"]
        demand(self.bounds[name][sign > 0] == bound, f"{name} has another bound")
        return (((name, sign),), -sign * bound), set(range(len(self.own)))

    def read_conflict(self, number: int, items: Any) -> list[set[int]]:
        """The plans of each row; the rows add up to something that no costs from 1 up satisfy."""
        total, margin, plans = Counter[str](), 0, []
        for item in items:
            (coefficients, extra), owners = self.read_row(item)
            margin += item["times"] * extra
            total.update({action: item["times"] * times for action, times in coefficients})
            plans.append(owners)
        contradicts = all(n >= 0 for n in total.values()) and sum(total.values()) + margin > 0
        demand(contradicts, f"conflict {number} does not add up to a contradiction")
        return plans

    def read_inequality(self, item: Any) -> tuple[Counter[int], int]:
        """Plans with coefficients, and what their sum is at most in every set that is possible."""
        cliques, rows = item["cliques"], []
        for pair in (pair for clique in cliques for pair in combinations(clique, 2)):
            demand(frozenset(pair) in self.pairs, f"plans {pair} are not shown to be in conflict")
        if "conflict" in item:
            rows = self.conflicts[item["conflict"]]
        hit = all(any(owners.issuperset(clique) for clique in cliques) for owners in rows)
        demand(hit and (rows or len(cliques) == 1), f"{cliques} are not the cliques of a conflict")
        return Counter(plan for clique in cliques for plan in clique), max(1, len(cliques)) - bool(
            rows
        )

    def walk(self, node: Any, most: int, least: int | None, case: tuple[Any, Any]) -> None:
        """Every set of the case weighs at most so much, or costs at least so much."""
        demand("open" not in node, f"a case is left open: {node.get('open')}", "not proven")
        if "plan" in node:
            self.walk(node["without"], most, least, (case[0], case[1] | {node["plan"]}))
            self.walk(node["with"], most, least, (case[0] | {node["plan"]}, case[1]))
        elif "rows" in node and least is not None:
            self.check_costs(node, least, case[0])
        else:
            self.check_weight(node, most, *case)

    def check_weight(self, node: Any, most: int, inside: Any, out: Any) -> None:
        """Pay for plans with inequalities; what is left of a plan is had once, if at all."""
        left, paid = [weight * node["parts"] for weight in self.weights], 0
        for number, times in node["inequalities"]:
            demand(times > 0, "an inequality is taken less than once")
            paid += times * self.inequalities[number][1]
            for plan, coefficient in self.inequalities[number][0].items():
                left[plan] -= times * coefficient
        for plan, rest in enumerate(left):
            free = rest > 0 and plan not in out and plan not in self.impossible
            paid += rest if free or plan in inside else 0
        demand(paid < (most + 1) * node["parts"], f"a case is not shown to have at most {most}")

    def check_costs(self, node: Any, least: int, inside: Any) -> None:
        """By Lagrange: add rows (each at most 0) to the objective, and take its least value."""
        slopes, total, start = Counter[str](), 0, self.result.get("initial_costs") or {}
        for item in node["rows"]:
            (coefficients, extra), owners = self.read_row(item)
            demand(owners & inside, "a row is used that no plan of the case demands")
            total += item["times"] * extra
            slopes.update({action: item["times"] * times for action, times in coefficients})
        for name in self.result["costs"]:
            low, high = self.bounds.get(name, (1, None))
            first = start.get(name, 0)
            # Costs whose objective is more than is claimed need not be looked at.
            ends = [low, max(low, min(first + least, high or first + least)), max(low, first)]
            points = [point for point in ends if high is None or point <= high]
            slope, parts = slopes[name], node["parts"]
            total += min(parts * abs(point - first) + slope * point for point in points)
        demand(total > (least - 1) * node["parts"], f"a case is not shown to cost {least}")

    def check(self) -> list[str]:
        """Check all claims of the result; what is proven, in sentences."""
        result, costs, second = self.result, self.result["costs"], self.result["secondary"]
        demand(all(type(cost) is int and cost >= 1 for cost in costs.values()), "a cost is below 1")
        actions = {name for task in self.tasks.values() for name in task.operators}
        demand(actions == set(costs), "the costs are not those of the actions of the problems")
        optimal = sum(item["count"] for item in self.observed if item["optimal"])
        demand(optimal == result["optimal_plans"], "optimal_plans is not what the plans add up to")
        self.check_optimal(costs)
        most = self.proof["most"]["plans"]
        demand(most == result["upper_bound"], "the proof is about another bound")
        self.walk(self.proof["most"]["tree"], most, None, (frozenset(), frozenset()))
        said = [f"{optimal} plans are optimal", f"no costs make more than {most} plans optimal"]
        demand(result["proved"] == (optimal == most), "proved is said or not said wrongly")
        start = result.get("initial_costs") or {}
        value = sum(abs(cost - start.get(name, 0)) for name, cost in costs.items())
        demand(value == second["value"], "the second objective is not what the costs add up to")
        if "least" in self.proof:
            least = self.proof["least"]["secondary"]
            demand(second["lower_bound"] == least, "the proof is about another second objective")
            self.walk(self.proof["least"]["tree"], most - 1, least, (frozenset(), frozenset()))
            said.append(f"with {most} the second objective is {least} or more")
        shown = "least" in self.proof and value == second["lower_bound"]
        demand(shown or not second["proved"], "the second objective is not shown", "not proven")
        for name, (low, high) in self.bounds.items():
            demand(low <= costs[name] <= (high or costs[name]), f"{name} is outside its bounds")
        said.append(f"bounds, as the proof names them, on {len(self.bounds)} costs")
        return said

    def check_optimal(self, costs: dict[str, int]) -> None:
        """No plan is cheaper than one that is called optimal."""
        for problem, task in self.tasks.items():
            places = [n for n, item in enumerate(self.observed) if item["problem"] == problem]
            price = {n: sum(costs[name] for name in self.plans[n]) for n in places}
            claimed = [n for n in places if self.observed[n]["optimal"]]
            cheapest = task.cheapest(costs, max(price[n] for n in claimed)) if claimed else 0
            for n in claimed:
                allowed = Fraction(self.observed[n].get("suboptimality", 1)) * cheapest
                demand(price[n] <= allowed, f"{self.observed[n]['plan']} is not optimal")


def verdict(case: Path, domain: Path | None, result: Path, proof: Path) -> tuple[str, list[str]]:
    """``proven``, ``not proven`` or ``wrong``, and sentences that say what or where."""
    try:
        texts = [json.loads(path.read_text(encoding="utf-8")) for path in (result, proof)]
        folder = case if case.is_dir() else case.parent
        return "proven", Proof(folder, domain or folder / "domain.pddl", *texts).check()
    except VerdictError as reason:
        return reason.args[0], [reason.args[1]]
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        return "wrong", [f"a file is damaged or does not fit the others ({error!r})"]


def main() -> int:
    """The command line; the status is 0 if all is proven, 4 if not, 5 if something is wrong."""
    case, result, proof, *domain = map(Path, sys.argv[1:])
    word, sentences = verdict(case, domain[0] if domain else None, result, proof)
    sys.stdout.write("\n".join([word, *sentences, ""]))
    return {"proven": 0, "not proven": 4, "wrong": 5}[word]


if __name__ == "__main__":
    sys.exit(main())
