"""A checker of proofs that uses nothing of plancost: run ``python check_proof.py --help``.

It reads the PDDL files and plans of a case, RESULT.json and PROOF.json. The translator of Fast
Downward grounds the PDDL; everything else is done here, in integers: plans and alternatives are
replayed, conflicts are added up, the trees of cases are walked, and a search of its own looks for
plans that are cheaper than those called optimal. docs/proofs.md says what is checked and why it
is enough.
"""

from __future__ import annotations

import argparse
import heapq
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

Row = tuple[tuple[tuple[str, int], ...], int]
MOST_STATES = 3_000_000


class Wrong(Exception):
    """Something that is claimed is false, or does not follow."""


class NotProven(Exception):
    """Something that is claimed may be true, but is not shown."""


def demand(condition: object, sentence: str) -> None:
    """Whatever is demanded must hold."""
    if not condition:
        raise Wrong(sentence)


class Task:
    """A grounded problem, as the translator writes it."""

    def __init__(self, domain: Path, problem: Path) -> None:
        self.name = problem.name
        lines = iter(translate(domain, problem).splitlines())
        skip_to(lines, "end_metric")
        self.layers, names = [], []
        for _ in range(int(next(lines))):
            next(lines), next(lines)
            self.layers.append(int(next(lines)))
            names.append([next(lines) for _ in range(int(next(lines)))])
            next(lines)
        if any(name.startswith("Atom dummy(") for values in names for name in values):
            raise NotProven(f"{self.name}: the goal always or never holds")
        skip_to(lines, "begin_state")
        self.initial = tuple(int(next(lines)) for _ in self.layers)
        skip_to(lines, "begin_goal")
        self.goal = facts(lines)
        next(lines)
        self.operators: dict[str, list[tuple[Any, Any]]] = {}
        for _ in range(int(next(lines))):
            next(lines)
            name = "(" + " ".join(next(lines).split()).lower() + ")"
            before, effects = dict(facts(lines)), []
            for _ in range(int(next(lines))):
                numbers = [int(word) for word in next(lines).split()]
                end = 1 + 2 * numbers[0]
                variable, old, new = numbers[end:]
                if old != -1:
                    before[variable] = old
                pairs = tuple(zip(numbers[1:end:2], numbers[2:end:2], strict=True))
                effects.append((pairs, variable, new))
            next(lines), next(lines)
            self.operators.setdefault(name, []).append((tuple(before.items()), tuple(effects)))
        self.rules = []
        for _ in range(int(next(lines))):
            next(lines)
            conditions = facts(lines)
            variable, old, new = map(int, next(lines).split())
            self.rules.append(((*conditions, (variable, old)), variable, new))
            next(lines)
        self.rules.sort(key=lambda rule: self.layers[rule[1]])
        self.start = self.derived(list(self.initial))

    def derived(self, values: list[int]) -> tuple[int, ...]:
        """The state with its derived variables, lowest layer first."""
        if self.rules:
            for number, layer in enumerate(self.layers):
                if layer >= 0:
                    values[number] = self.initial[number]
            for layer in sorted({self.layers[rule[1]] for rule in self.rules}):
                rules = [rule for rule in self.rules if self.layers[rule[1]] == layer]
                changed = True
                while changed:
                    changed = False
                    for conditions, variable, new in rules:
                        if values[variable] != new and holds(conditions, values):
                            values[variable], changed = new, True
        return tuple(values)

    def after(self, state: tuple[int, ...], effects: Any) -> tuple[int, ...]:
        """The state that an operator leads to."""
        values = list(state)
        for conditions, variable, new in effects:
            if not conditions or holds(conditions, state):
                values[variable] = new
        return self.derived(values)

    def replay(self, plan: list[str], name: str) -> None:
        """Demand that a plan leads to the goal. Several operators may have one name."""
        states = {self.start}
        for step, action in enumerate(plan, start=1):
            states = {
                self.after(state, effects)
                for before, effects in self.operators.get(action, ())
                for state in states
                if holds(before, state)
            }
            demand(states, f"{name}: step {step}, {action}, is not possible in {self.name}")
        demand(any(holds(self.goal, state) for state in states), f"{name}: the goal is not reached")

    def cheapest(self, costs: dict[str, int], below: int) -> int | None:
        """What the cheapest plan costs, if that is less; by a search over all states."""
        by_fact: dict[Any, list[Any]] = {}
        for name, operators in self.operators.items():
            for before, effects in operators:
                key = before[0] if before else None
                by_fact.setdefault(key, []).append((before[1:], effects, costs[name]))
        best, queue = {self.start: 0}, [(0, self.start)]
        always = by_fact.get(None, [])
        while queue:
            spent, state = heapq.heappop(queue)
            if spent > best[state]:
                continue
            if holds(self.goal, state):
                return spent
            if len(best) > MOST_STATES:
                raise NotProven(f"{self.name} has more than {MOST_STATES} states to search")
            for fact in (*enumerate(state), None):
                for before, effects, cost in always if fact is None else by_fact.get(fact, ()):
                    total = spent + cost
                    if total < below and holds(before, state):
                        after = self.after(state, effects)
                        if total < best.get(after, below):
                            best[after] = total
                            heapq.heappush(queue, (total, after))
        return None


def holds(conditions: Any, state: Any) -> bool:
    """Whether all facts are true."""
    return all(state[variable] == value for variable, value in conditions)


def facts(lines: Any) -> tuple[tuple[int, int], ...]:
    """A number, and as many lines with a variable and a value."""
    found = [next(lines).split() for _ in range(int(next(lines)))]
    return tuple((int(variable), int(value)) for variable, value in found)


def skip_to(lines: Any, word: str) -> None:
    """Go on behind a line."""
    while next(lines) != word:
        pass


def translate(domain: Path, problem: Path) -> str:
    """What the translator writes; without a metric, so that it drops no action."""
    text = re.sub(r";[^\n]*", "", problem.read_text(encoding="utf-8"))
    found = re.search(r"\(\s*:metric", text, re.IGNORECASE)
    if found:
        end, depth = found.start(), 0
        while depth or end == found.start():
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[end:]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "problem.pddl").write_text(text, encoding="utf-8")
        options = ["--keep-unimportant-variables", "--keep-no-ops", "--sas-file", "task.sas"]
        command = [sys.executable, "-P", "-m", "fast_downward.translate", *options]
        files = [str(domain.resolve()), "problem.pddl"]
        done = subprocess.run([*command, *files], cwd=folder, capture_output=True, check=False)
        demand(done.returncode == 0, f"the translator rejects {problem}")
        return (Path(folder) / "task.sas").read_text(encoding="utf-8")


def read_plan(path: Path) -> list[str]:
    """The steps of a plan file."""
    text = re.sub(r";[^\n]*", "", path.read_text(encoding="utf-8")).lower()
    if "(" in text:
        return [f"({' '.join(step.split())})" for step in re.findall(r"\(([^()]*)\)", text)]
    return [f"({' '.join(line.split())})" for line in text.splitlines() if line.strip()]


class Proof:
    """A proof beside the result that it is about."""

    def __init__(self, folder: Path, domain: Path, result: Any, proof: Any) -> None:
        self.result, self.proof = result, proof
        demand(proof.get("proof") == 1, "this is no proof of format 1")
        demand(proof["strict"] == result["strict"], "the proof is about another solution concept")
        self.observed = result["observations"]
        self.plans = [read_plan(folder / item["plan"]) for item in self.observed]
        names = dict.fromkeys(item["problem"] for item in self.observed)
        self.tasks = {name: Task(domain, folder / name) for name in names}
        for plan, item in zip(self.plans, self.observed, strict=True):
            self.tasks[item["problem"]].replay(plan, item["plan"])
        self.read_candidates()
        self.replayed: set[tuple[str, int]] = set()
        names = proof["actions"]
        self.alternatives = [[names[number] for number in steps] for steps in proof["alternatives"]]
        self.conflicts = [self.read_conflict(rows) for rows in proof["conflicts"]]
        for one, other, number in proof["pairs"]:
            rows = self.conflicts[number]
            demand(
                all({one, other} & plans for plans in rows),
                f"plans {one} and {other} are not in conflict {number}",
            )
        self.pairs = {frozenset(pair[:2]) for pair in proof["pairs"]}
        for plan, number in proof["impossible"]:
            found = all(plan in plans for plans in self.conflicts[number])
            demand(found, f"conflict {number} does not exclude plan {plan} alone")
        self.impossible = {plan for plan, _ in proof["impossible"]}
        self.inequalities = [self.read_inequality(item) for item in proof["inequalities"]]

    def read_candidates(self) -> None:
        """Observed plans that cost the same under all costs are one plan of the proof."""
        self.weights, self.own, self.factors, self.problems = [], [], [], []
        seen: Counter[int] = Counter()
        ordered = self.proof["strict"] and (
            self.proof["reorderings"] == "distinct" or self.proof["ties"] == "observed"
        )
        for number, item in enumerate(self.proof["plans"]):
            seen.update(item["observations"])
            copies = [self.plans[observation] for observation in item["observations"]]
            shapes = {tuple(plan if ordered else sorted(plan)) for plan in copies}
            demand(len(shapes) == 1, f"plan {number} of the proof is made of different plans")
            members = [self.observed[observation] for observation in item["observations"]]
            factors = {Fraction(member.get("suboptimality", 1)) for member in members}
            demand(factors == {Fraction(item["factor"])}, f"plan {number} has another factor")
            self.own.append(copies[0])
            self.factors.append(Fraction(item["factor"]))
            self.weights.append(sum(member["count"] for member in members))
            self.problems.append({member["problem"] for member in members})
        once = seen == Counter(range(len(self.plans)))
        demand(once, "the plans of the proof are not the observed plans, each once")

    def row(self, plan: int, alternative: int) -> Row:
        """What the plan's optimality demands: own cost, less the alternative's, is at most 0."""
        other, own = self.alternatives[alternative], self.own[plan]
        for problem in self.problems[plan]:
            if (problem, alternative) not in self.replayed:
                self.tasks[problem].replay(other, f"alternative {alternative}")
                self.replayed.add((problem, alternative))
        factor, total = self.factors[plan], Counter[str]()
        for name in own:
            total[name] += factor.denominator
        for name in other:
            total[name] -= factor.numerator
        strict = self.proof["strict"] and other != own
        if strict and self.proof["reorderings"] == "same":
            strict = sorted(other) != sorted(own)
        if strict and self.proof["ties"] == "observed":
            strict = not any(
                other == seen or (sorted(other) == sorted(seen) and self.proof["reorderings"] == "same")
                for seen, item in zip(self.plans, self.observed, strict=True)
                if item["problem"] in self.problems[plan]
            )
        return tuple(sorted((n, c) for n, c in total.items() if c)), int(strict)

    def read_row(self, item: Any) -> tuple[Row, set[int]]:
        """A row, and the plans that demand it; all, if it is a bound."""
        if "of" not in item:
            least, most = self.proof["bounds"][item["action"]]
            if "most" in item:
                demand(item["most"] == most, f"{item['action']} has another bound")
                return (((item["action"], 1),), -item["most"]), set(range(len(self.own)))
            demand(item["least"] == least, f"{item['action']} has another bound")
            return (((item["action"], -1),), item["least"]), set(range(len(self.own)))
        rows = {self.row(plan, alternative) for plan, alternative in item["of"]}
        demand(len(rows) == 1, "plans that should demand the same of the costs do not")
        return rows.pop(), {plan for plan, _ in item["of"]}

    def read_conflict(self, items: Any) -> list[set[int]]:
        """The plans of each row of a conflict; its rows add up to a contradiction."""
        total, margin, plans = Counter[str](), 0, []
        for item in items:
            (coefficients, extra), owners = self.read_row(item)
            demand(item["times"] > 0, "a row is taken less than once")
            margin += item["times"] * extra
            for name, coefficient in coefficients:
                total[name] += item["times"] * coefficient
            plans.append(owners)
        adds_up = min(total.values(), default=0) >= 0 and sum(total.values()) + margin > 0
        demand(adds_up, f"conflict {len(getattr(self, 'conflicts', []))}: it is no contradiction")
        return plans

    def read_inequality(self, item: Any) -> tuple[Counter[int], int]:
        """Plans with coefficients, and what their sum is at most in every set that is possible."""
        cliques = [item["clique"]] if "clique" in item else item["cliques"]
        for clique in cliques:
            shown = all(
                frozenset({one, other}) in self.pairs
                for place, one in enumerate(clique)
                for other in clique[:place]
            )
            demand(shown and len(set(clique)) == len(clique), f"{clique} is no clique")
        if "clique" in item:
            return Counter(item["clique"]), 1
        for plans in self.conflicts[item["conflict"]]:
            hit = any(plans.issuperset(clique) for clique in cliques)
            demand(hit, f"the cliques do not cover conflict {item['conflict']}")
        return Counter(plan for clique in cliques for plan in clique), len(cliques) - 1

    def walk(self, node: Any, most: int, least: int | None, inside: set[int], out: set[int]) -> None:
        """Every set of the case weighs at most so much, or costs at least so much."""
        if "open" in node:
            raise NotProven(f"a case is left open: {node['open']}")
        if "plan" in node:
            plan = node["plan"]
            self.walk(node["without"], most, least, inside, out | {plan})
            self.walk(node["with"], most, least, inside | {plan}, out)
        elif "rows" in node:
            demand(least is not None, "costs do not bound the number of plans")
            self.check_costs(node, least or 0, inside)
        else:
            self.check_weight(node, most, inside, out)

    def check_weight(self, node: Any, most: int, inside: set[int], out: set[int]) -> None:
        """Pay for plans with inequalities; what is left of a plan is had once, if at all."""
        parts, paid = node["parts"], 0
        left = [weight * parts for weight in self.weights]
        for number, times in node["inequalities"]:
            demand(times > 0, "an inequality is taken less than once")
            coefficients, bound = self.inequalities[number]
            paid += times * bound
            for plan, coefficient in coefficients.items():
                left[plan] -= times * coefficient
        for plan, rest in enumerate(left):
            if plan in inside or (rest > 0 and plan not in out | self.impossible):
                paid += rest
        demand(paid < (most + 1) * parts, f"a case is bounded by {paid / parts:g}, not {most}")

    def check_costs(self, node: Any, least: int, inside: set[int]) -> None:
        """By Lagrange: add rows (each at most 0) to the objective, and take its least value."""
        parts, slopes, total = node["parts"], Counter[str](), Fraction(0)
        for item in node["rows"]:
            (coefficients, extra), owners = self.read_row(item)
            demand(item["times"] > 0, "a row is taken less than once")
            demand(owners & inside, "a row is used that no plan of the case demands")
            total += Fraction(item["times"] * extra, parts)
            for name, coefficient in coefficients:
                slopes[name] += item["times"] * coefficient
        start = self.result.get("initial_costs") or {}
        for name in self.result["costs"]:
            low, high = self.proof["bounds"].get(name, (1, None))
            initial = start.get(name)
            # Costs whose secondary cost is more than is claimed need not be looked at.
            end = (initial or 0) + least if high is None else min(high, (initial or 0) + least)
            points = {low, max(low, end), *([] if initial is None else [min(max(initial, low), end)])}
            slope = Fraction(slopes[name], parts)
            total += min((p if initial is None else abs(p - initial)) + slope * p for p in points)
        demand(total > least - 1, f"a case costs at least {float(total):g}, not {least}")

    def check(self) -> list[str]:
        """Check all claims of the result; what is proven, in sentences."""
        result, proof, said = self.result, self.proof, []
        costs = result["costs"]
        demand(all(isinstance(c, int) and c >= 1 for c in costs.values()), "a cost is less than 1")
        actions = {name for task in self.tasks.values() for name in task.operators}
        demand(actions == set(costs), "the costs are not those of the actions of the problems")
        optimal = sum(item["count"] for item in self.observed if item["optimal"])
        demand(optimal == result["optimal_plans"], "optimal_plans is not what the plans add up to")
        self.check_optimal(costs)
        said.append(f"{optimal} plans are optimal under these costs")
        most = proof["most"]["plans"]
        demand(most == result["upper_bound"], "the proof is about another bound")
        self.walk(proof["most"]["tree"], most, None, set(), set())
        said.append(f"no costs make more than {most} plans optimal")
        if "least" in proof:
            least, second = proof["least"]["secondary"], result["secondary"]
            demand(second["lower_bound"] <= least, "the proof is about another second objective")
            start = result.get("initial_costs")
            value = sum(c if not start else abs(c - start[n]) for n, c in costs.items())
            demand(value == second["value"], "the second objective is not what the costs add up to")
            self.walk(proof["least"]["tree"], most - 1, least, set(), set())
            said.append(f"costs that make {most} optimal have a second objective of {least} or more")
        return said

    def check_optimal(self, costs: dict[str, int]) -> None:
        """No plan is cheaper than one that is called optimal, and none as cheap if it is strict."""
        for problem, task in self.tasks.items():
            members = [n for n, item in enumerate(self.observed) if item["problem"] == problem]
            claimed = [n for n in members if self.observed[n]["optimal"]]
            if not claimed:
                continue
            price = {n: sum(costs[name] for name in self.plans[n]) for n in claimed}
            if self.proof["strict"]:
                raise NotProven("that no other plan is as cheap is not searched for here")
            found = task.cheapest(costs, max(price.values()))
            cheapest = max(price.values()) if found is None else found
            for n in claimed:
                factor = Fraction(self.observed[n].get("suboptimality", 1))
                name = self.observed[n]["plan"]
                demand(price[n] <= factor * cheapest, f"{name} costs {price[n]}, not {cheapest}")


def verdict(case: Path, domain: Path | None, result: Path, proof: Path) -> tuple[str, list[str]]:
    """``proven``, ``not proven`` or ``wrong``, and sentences that say what or where."""
    try:
        texts = [json.loads(path.read_text(encoding="utf-8")) for path in (result, proof)]
        folder = case if case.is_dir() else case.parent
        return "proven", Proof(folder, domain or folder / "domain.pddl", *texts).check()
    except NotProven as reason:
        return "not proven", [str(reason)]
    except Wrong as reason:
        return "wrong", [str(reason)]
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        return "wrong", [f"a file is damaged or does not fit the others ({error!r})"]


def main() -> int:
    """The command line; the status is 0 if all is proven, 4 if not, 5 if something is wrong."""
    parser = argparse.ArgumentParser(description="check a proof of plancost, on its own")
    for name in ("case", "result", "proof"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--domain", type=Path)
    given = parser.parse_args()
    word, sentences = verdict(given.case, given.domain, given.result, given.proof)
    sys.stdout.write("\n".join([word, *sentences, ""]))
    return {"proven": 0, "not proven": 4, "wrong": 5}[word]


if __name__ == "__main__":
    sys.exit(main())
