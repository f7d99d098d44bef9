"""What the checker of proofs reads besides a PDDL case with one cost function.

Streets and trips, groups that were given, potentials, which spare it most of its search, and which
plans there are. Beside a copy of check_proof.py this file works by itself as well, and imports
nothing else of plancost.
"""

import csv
import io
import re
import sys
from collections import Counter
from fractions import Fraction
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

try:
    from plancost.cli import check_proof
except ImportError:
    import check_proof  # type: ignore[import-not-found, no-redef]

Part = tuple[Any, Any, list[Any], list[Any]]
"""Claims and their proof, with the problem and the plan of each observation."""
_LINKS = ("link", "from", "to")
_PLAN = re.compile(r".*\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_BLANKS = " \t\n\v\f\r\x1c\x1d\x1e\x1f"
"""Those of ASCII: a name may end with another one."""
_MOST_NAMES = 5
_STRICT = {"mcf": (False,), "scf": (True,), "icf": (False, True)}
_WORDS = ("proven", "not proven", "wrong")


class Streets(check_proof.Task):
    """The problem of a trip: from place to place by links, which are operators."""

    def __init__(self, operators: dict[str, Any], start: str, goal: str) -> None:
        self.name, self.operators, self.rules = f"from {start} to {goal}", operators, {}
        self.start, self.goal = (start,), ((0, goal),)


class Guided(check_proof.Task):
    """A problem with potentials: numbers of facts. They are used if they are right.

    The sum of a state's numbers, in so many parts, is no more than what the rest of a plan costs.
    That is so if no action lowers it by more than its cost, and if it is 0 or less at the goal.
    """

    def __init__(self, task: Any, numbers: Any, parts: Any, costs: Any) -> None:  # noqa: ANN401
        self.__dict__.update(task.__dict__)
        self.numbers, self.parts = numbers, parts
        if self._are_right(costs):
            self.at_least = self._rest

    def _rest(self, state: Any) -> int:  # noqa: ANN401
        try:
            total: int = sum(own[value] for own, value in zip(self.numbers, state, strict=True))
        except LookupError:  # a value without a number promises nothing
            total = 0
        rest: int = -(-total // self.parts)
        return rest

    def _are_right(self, costs: Any) -> bool:  # noqa: ANN401
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

    def _drop(self, before: Any, effects: Any) -> int:  # noqa: ANN401
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


def with_potentials(claims: Any, shown: Any, tasks: list[Any], plans: list[Any]) -> Part:  # noqa: ANN401
    """A part whose problems know their potentials."""
    guided: dict[int, Any] = {}
    for item in shown.get("potentials", ()):
        for task in {id(tasks[n]): tasks[n] for n in item["observations"]}.values():
            guided[id(task)] = Guided(task, item["numbers"], item["parts"], claims["costs"])
    return claims, shown, [guided.get(id(task), task) for task in tasks], plans


def read_table(path: Path, *columns: str) -> list[dict[str, str]]:
    """The rows of a CSV file with these columns, and others."""
    text = path.read_bytes().decode("utf-8-sig")
    mark = next((mark for mark in ",;\t" if mark in text.split("\n", 1)[0]), ",")
    lines = io.StringIO(text, newline="")
    reader = csv.DictReader(lines, skipinitialspace=True, delimiter=mark)
    names = [name.strip().lower() for name in reader.fieldnames or ()]
    if not set(columns) <= set(names):
        sentence = f"{path} is not a table with the columns {', '.join(columns)}"
        raise check_proof.VerdictError("not proven", sentence)
    reader.fieldnames = names
    rows = [{name: (row[name] or "").strip(_BLANKS) for name in names} for row in reader]
    return [row for row in rows if any(map(str.strip, row.values()))]


def read_streets(links: Path, trips: Path | None, claims: Any, shown: Any) -> list[Part]:  # noqa: ANN401
    """Trips as plans on a graph of places. Links that lead back to their start are left out."""
    unknown = {"split": "trips that are cut into parts", "turns": "turns"}
    for option in claims["options"].keys() & unknown.keys():
        raise check_proof.VerdictError("not proven", f"{unknown[option]} are not checked")
    if trips is None:
        raise check_proof.VerdictError("not proven", "name the file of the trips too")
    ends = {row["link"]: (row["from"], row["to"]) for row in read_table(links, *_LINKS)}
    ways = {link: [(((0, a),), [((), 0, b)])] for link, (a, b) in ends.items() if a != b}
    rows = {row["trip"]: row for row in read_table(trips, "trip")}
    tasks, plans, known = list[Any](), list[Any](), dict[Any, Any]()
    for item in claims["observations"]:
        row = rows[item["plan"]]
        if item["count"] != int(row.get("count") or 1):
            raise check_proof.VerdictError(
                "wrong", f"{item['plan']} was driven {row['count']} times"
            )
        if claims.get("groups") and item["group"] != (row.get("group") or item["group"]):
            raise check_proof.VerdictError("wrong", f"{item['plan']} is of group {row['group']}")
        steps = _links_of(row, ends)
        plan = tuple(link for link in steps if link in ways or link not in ends)
        pair = ends[plan[0]][0], ends[plan[-1]][1]
        tasks.append(known.setdefault(pair, Streets(ways, *pair)))
        plans.append(plan)
    return [(claims, shown, tasks, plans)]


def _links_of(row: dict[str, str], ends: dict[str, tuple[str, str]]) -> list[str]:
    """The links of a trip; of several between two places the first."""
    names = list(ends) if "links" in row else [*chain(*ends.values())]
    text = row["links" if "links" in row else "nodes"]
    if any(len(name.split()) > 1 for name in names):
        steps = [step.strip() for step in text.split(";") if step.strip()]
    else:
        steps = (text if any(";" in name for name in names) else text.replace(";", " ")).split()
    if "links" in row:
        return steps
    between = {pair: link for link, pair in reversed(ends.items())}
    return [between[pair] for pair in pairwise(steps)]


def check_files(case: Path, more: Path | None, claims: Any) -> tuple[list[str], set[Path]]:  # noqa: ANN401
    """Compare the plans of a result with those of the files, which say what the plans are of.

    None may be there more often than seen, of another problem or group, or with another factor.
    Plans that are not in the result are named, and their problems are the second thing returned.
    """
    folder = None if claims.get("trips") else case if case.is_dir() else case.parent
    seen = _seen(case, more if claims.get("trips") else None, more)
    options, known, named = claims["options"], Counter[Any](), Counter[Any]()
    for item in seen:
        known[_place(folder, item["plan"]), _place(folder, item["problem"])] += item["count"]
    expected: dict[Any, set[Any]] = {}
    for item in seen:
        factor = Fraction(item["suboptimality"] or str(options.get("suboptimality", 1)))
        expected.setdefault(_place(folder, item["plan"]), set()).add((factor, item["group"]))
    for item in claims["observations"]:
        name, count = item["plan"], item["count"]
        at = _place(folder, name), _place(folder, "" if folder is None else item["problem"])
        named[at] += count
        if type(count) is not int or count < 1 or named[at] > known[at]:
            raise check_proof.VerdictError("wrong", f"{name} was not seen so often")
        groups = {group for _, group in expected[at[0]]} - {""}
        if claims.get("groups") and groups and item["group"] not in groups:
            raise check_proof.VerdictError("wrong", f"{name} is of group {' or '.join(groups)}")
        if Fraction(item.get("suboptimality", 1)) not in {factor for factor, _ in expected[at[0]]}:
            raise check_proof.VerdictError("wrong", f"{name} may not cost so much")
    if named.total() != claims["plans"]:
        raise check_proof.VerdictError("wrong", "the plans do not add up")
    missing = known - named
    others = [
        i for i in seen if (_place(folder, i["plan"]), _place(folder, i["problem"])) in missing
    ]
    if not others:
        return [], set()
    names = sorted({item["plan"] for item in others})
    shown = ", ".join(names[:_MOST_NAMES] + ["..."] * (len(names) > _MOST_NAMES))
    problems = {folder / item["problem"] for item in others} if folder else set[Path]()
    return [f"not in the result: {missing.total()} plans ({shown})"], problems


def _seen(case: Path, trips: Path | None, domain: Path | None) -> list[dict[str, Any]]:
    """The plans or trips of the files: of which problem, how often each was seen, and so on."""
    rest = {"problem": "", "count": 1, "suboptimality": "", "group": ""}
    if trips is None and case.is_dir():
        names, own = [path.name for path in case.iterdir()], domain or case / "domain.pddl"
        files = [n for n in names if n.lower().endswith(".pddl")]
        stems = {n[:-5]: n for n in files if (case / n).resolve() != own.resolve()}
        plans = [name for name in names if _PLAN.fullmatch(name)]
        fits = {n: max((s for s in stems if n.startswith(f"{s}.")), key=len) for n in plans}
        return [{**rest, "plan": name, "problem": stems[fits[name]]} for name in plans]
    table, column = (case, "plan") if trips is None else (trips, "trip")
    rows = read_table(table, column)
    for row in rows:
        row["plan"] = row[column]
        if trips is not None:
            row["problem"] = ""
    return [
        {
            **rest,
            **{key: row[key] for key in ("plan", *rest) if key in row},
            "count": int(row.get("count") or 1),
        }
        for row in rows
    ]


def _place(folder: Path | None, name: str) -> object:
    """What a name stands for: a file, or a trip."""
    return name if folder is None else (folder / name).resolve()


def check_words(claims: Any, plans: list[Any]) -> list[str]:  # noqa: ANN401
    """Demand that what a result says of itself fits together, and name what is taken as given."""
    options, start = claims["options"], claims.get("initial_costs")
    required = options.get("require", [])
    optimal, exists = claims["optimal_plans"], claims.get("exists")
    costs = {group["name"]: group["costs"] for group in claims.get("groups") or ()}
    for right, sentence in (
        (claims["observations"], "there are no plans"),
        (claims["strict"] in _STRICT[claims["solution"]], "another concept"),
        (claims["refined"] == (start is not None), "initial costs that are not refined"),
        (all(type(n) is int and n >= 0 for n in (start or {}).values()), "initial costs"),
        (isinstance(required, list), "required plans that are no list"),
        (exists is not True or optimal == claims["plans"], "not all plans are optimal"),
        (exists is not False or claims["upper_bound"] < claims["plans"], "all may be optimal"),
        (not costs or claims["costs"] in costs.values(), "costs of no group"),
        (len(costs) == len(claims.get("groups") or ()), "a group stands twice"),
    ):
        if not right:
            raise check_proof.VerdictError("wrong", sentence)
    for item, plan in zip(claims["observations"], plans, strict=True):
        own = costs.get(item.get("group"), claims["costs"])
        price = sum(own[step] for step in plan)
        if not claims.get("trips") and item["cost"] not in (None, price):
            raise check_proof.VerdictError("wrong", f"{item['plan']} costs something else")
    said = [f"as given: {len(start)} initial costs"] if start else []
    if required:
        said.append(f"as given: {len(required)} required plans ({', '.join(required)})")
    if options.get("suboptimality"):
        said.append(f"as given: plans may cost {options['suboptimality']} times the cheapest")
    return said


def _actions_besides(whole: Part, domain: Path, problems: set[Path]) -> set[str]:
    """Actions with costs that only problems have whose plans are not in the result."""
    unknown: set[str] = set(whole[0]["costs"]).difference(*(task.operators for task in whole[2]))
    found: set[str] = set()
    for problem in sorted(problems) if unknown else ():
        text = check_proof.translate(domain, problem)
        found |= unknown & check_proof.Task(problem.name, text).operators.keys()
    return found


def parts_of(whole: Part, actions: set[str]) -> dict[str, Part]:
    """A result as it is, or its groups that were given: each is about its own actions.

    `actions` are those of problems whose plans are not in the result. They have costs too.
    """
    claims, shown, tasks, _ = whole
    if "groups" not in shown:
        for action in actions.difference(*(task.operators for task in tasks)):
            tasks[0].operators[action] = []  # it has a cost, and is never possible here
        return {"": whole}
    actions = actions.union(*(task.operators for task in tasks))
    items, bounds = claims["observations"], shown.get("bounds", {})
    parts = {}
    for group in claims["groups"]:
        name = group["name"]
        places = [n for n, item in enumerate(items) if item["group"] == name]
        if group["plans"] != sum(items[n]["count"] for n in places):
            raise check_proof.VerdictError("wrong", f"{name} has other plans")
        proof = shown["groups"][name]
        parts[name] = _part(whole, group, proof, bounds, places, actions)
    _check_sums(claims, [own for own, *_ in parts.values()])
    return parts


def _part(
    whole: Part,
    group: Any,  # noqa: ANN401
    proof: Any,  # noqa: ANN401
    bounds: Any,  # noqa: ANN401
    places: list[int],
    actions: set[str],
) -> Part:
    """The plans at some places, under the costs of a group, as a result of its own."""
    claims, _, tasks, plans = whole
    name, second, start = group["name"], group["secondary"], claims.get("initial_costs") or {}
    own_actions = {action for n in places for action in tasks[n].operators}
    if group["costs"].keys() != actions:
        raise check_proof.VerdictError("wrong", "costs of other actions")
    others = {action: group["costs"][action] for action in sorted(actions - own_actions)}
    for action, cost in others.items():
        least, greatest = bounds.get(action, (1, None))
        nearest = max(1, least, start.get(action, 1))
        nearest = nearest if greatest is None else min(nearest, greatest)
        if type(cost) is not int or cost < 1:
            raise check_proof.VerdictError("wrong", f"the cost of {action}")
        if cost != nearest or action in proof["made"]:
            raise check_proof.VerdictError("not proven", f"{name}: no plan uses {action}")
    rest = sum(abs(cost - start.get(action, 0)) for action, cost in others.items())
    most, optimal = proof["most"]["plans"], group["optimal_plans"]
    own = {
        **claims,
        "groups": None,
        "costs": {a: cost for a, cost in group["costs"].items() if a in own_actions},
        "observations": [claims["observations"][n] for n in places],
        "optimal_plans": optimal,
        "upper_bound": most,
        "proved": optimal == most,
        "secondary": {
            "value": second["value"] - rest,
            "lower_bound": second["lower_bound"] - rest,
            "proved": second["proved"],
        },
    }
    return own, proof, [tasks[n] for n in places], [plans[n] for n in places]


def check_floor(claims: Any, shown: Any) -> None:  # noqa: ANN401
    """Without a proof of it, the second objective is at least what single costs are at least."""
    if "least" in shown:
        return
    start, floor = claims.get("initial_costs") or {}, 0
    for action in claims["costs"]:
        least, greatest = shown["bounds"].get(action, (1, None))
        nearest = max(least, start.get(action, 0))
        nearest = nearest if greatest is None else min(nearest, greatest)
        floor += 0 if action in shown["made"] else abs(nearest - start.get(action, 0))
    if claims["secondary"]["lower_bound"] > floor:
        bound = claims["secondary"]["lower_bound"]
        sentence = f"no second objective: it is not shown to be {bound} or more"
        raise check_proof.VerdictError("not proven", sentence)


def _check_sums(claims: Any, groups: list[Any]) -> None:  # noqa: ANN401
    """What is said of all groups is what is said of each, added up."""
    second = [group["secondary"] for group in claims["groups"]]
    sums = [sum(group[key] for group in groups) for key in ("optimal_plans", "upper_bound")]
    sums += [sum(item[key] for item in second) for key in ("value", "lower_bound")]
    whole = [claims["optimal_plans"], claims["upper_bound"]]
    whole += [claims["secondary"]["value"], claims["secondary"]["lower_bound"]]
    plans = sum(len(group["observations"]) for group in groups)
    proved = claims["proved"] == (sums[0] == sums[1])
    proved = proved and claims["secondary"]["proved"] == all(item["proved"] for item in second)
    if sums != whole or not proved or plans != len(claims["observations"]):
        raise check_proof.VerdictError("wrong", "the groups do not add up to the whole")


def _with_floor(part: Part, sentences: list[str]) -> tuple[str, list[str]]:
    """A part that is proven, unless its lower bound is not."""
    try:
        check_floor(*part[:2])
    except check_proof.VerdictError as reason:
        return reason.args[0], [*sentences, reason.args[1]]
    return "proven", sentences


def verdict(
    case: Path, result: Path, proof: Path, more: Path | None = None
) -> tuple[str, list[str]]:
    """As `check_proof.verdict`, of all parts; `more` is the domain, or the file of the trips."""
    parts: dict[str, Part] = {}
    besides: list[str] = []

    def collect(case: Path, more: Path | None, claims: Any, shown: Any) -> list[Part]:  # noqa: ANN401
        if shown is None:
            raise check_proof.VerdictError("not proven", "the run ended before there was a proof")
        read = read_streets if claims.get("trips") else check_proof.read_case
        (whole,) = read(case, more, claims, shown)
        sentences, problems = check_files(case, more, claims)
        besides.extend([*check_words(claims, whole[3]), *sentences])
        if claims.get("groups") and "groups" not in shown:
            raise check_proof.VerdictError("not proven", "groups that were found are not checked")
        domain = more or (case if case.is_dir() else case.parent) / "domain.pddl"
        parts.update(parts_of(whole, _actions_besides(whole, domain, problems)))
        bounds = len(shown.get("bounds", ())) if "groups" in shown else 0
        besides.extend([f"as given: {bounds} bounds for all groups"] * (bounds > 0))
        return []

    word, said = check_proof.verdict(case, result, proof, more, collect)
    for name, part in parts.items():
        own, sentences = check_proof.verdict(
            case, result, proof, more, lambda *_, whole=part: [with_potentials(*whole)]
        )
        if own == "proven":
            own, sentences = _with_floor(part, sentences)
        said += [f"{name}: {sentence}" if name else sentence for sentence in sentences]
        word = max(word, own, key=_WORDS.index)
    return word, said + besides


if __name__ == "__main__":
    found, lines = verdict(*map(Path, sys.argv[1:]))
    sys.stdout.write("\n".join([found, *lines, ""]))
    sys.exit({"proven": 0, "not proven": 4, "wrong": 5}[found])
