"""What the checker of proofs checks besides a PDDL case with one cost function.

Streets and trips, groups that were given, potentials, which spare it most of its search, and that
the result is about the plans of the files. Beside copies of check_proof.py, check_files.py,
check_search.py and check_streets.py this file works by itself as well, and imports nothing else of
plancost.
"""

import sys
from pathlib import Path
from typing import Any

if __package__:
    from plancost.cli import check_files, check_proof, check_search, check_streets
else:  # beside copies of these files
    import check_files  # type: ignore[import-not-found, no-redef]
    import check_proof  # type: ignore[import-not-found, no-redef]
    import check_search  # type: ignore[import-not-found, no-redef]
    import check_streets  # type: ignore[import-not-found, no-redef]

Part = tuple[Any, Any, list[Any], list[Any]]
"""Claims and their proof, with the problem and the plan of each observation."""
_WORDS = ("proven", "not proven", "wrong")


def prepared(claims: Any, shown: Any, tasks: list[Any], plans: list[Any]) -> Part:
    """A part whose problems are searched faster, and know their potentials."""
    guided: dict[int, Any] = {}
    for item in shown.get("potentials", ()):
        for task in {id(tasks[n]): tasks[n] for n in item["observations"]}.values():
            found = check_search.Guided(task, item["numbers"], item["parts"], claims["costs"])
            guided[id(task)] = found
    different = {id(task): task for task in tasks}
    each = {n: check_search.Packed(guided.get(n, task)) for n, task in different.items()}
    return claims, shown, [each[id(task)] for task in tasks], plans


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
    group: Any,
    proof: Any,
    bounds: Any,
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
        if type(cost) is not int or cost < 1:
            raise check_proof.VerdictError("wrong", f"the cost of {action}")
        if cost != _nearest(start.get(action, 1), bounds.get(action)) or action in proof["made"]:
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


def _nearest(start: int, bounds: Any) -> int:
    """The cost within bounds that is nearest to the initial one."""
    least, greatest = bounds or (1, None)
    nearest: int = max(1, least, start)
    return nearest if greatest is None else min(nearest, greatest)


def check_floor(claims: Any, shown: Any) -> None:
    """Without a proof of it, the second objective is at least what single costs are at least."""
    if (shown.get("least") or {}).get("secondary") is not None:
        return
    start, floor = claims.get("initial_costs") or {}, 0
    for action in claims["costs"]:
        if action not in shown["made"]:
            first = start.get(action, 0)
            floor += abs(_nearest(first, shown["bounds"].get(action)) - first)
    if claims["secondary"]["lower_bound"] > floor:
        bound = claims["secondary"]["lower_bound"]
        sentence = f"no second objective: it is not shown to be {bound} or more"
        raise check_proof.VerdictError("not proven", sentence)


def _check_sums(claims: Any, groups: list[Any]) -> None:
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
    case: Path, result: Path, proof: Path, more: Path | None = None, turns: Path | None = None
) -> tuple[str, list[str]]:
    """As `check_proof.verdict`, of all parts; `more` is the domain, or the file of the trips."""
    parts: dict[str, Part] = {}
    besides: list[str] = []

    def collect(case: Path, more: Path | None, claims: Any, shown: Any) -> list[Part]:
        if shown is None:
            raise check_proof.VerdictError("not proven", "the run ended before there was a proof")
        if claims.get("trips"):
            folder = None
            whole, trips, given = check_streets.read_streets(case, more, turns, claims, shown)
            besides.extend(given)
            seen = check_files.seen_trips(trips)
        else:
            folder = case if case.is_dir() else case.parent
            (whole,) = check_proof.read_case(case, more, claims, shown)
            seen = check_files.seen_plans(case, more)
        missing = check_files.check_files(folder, seen, claims)
        besides.extend(check_files.check_words(claims, whole[3]))
        besides.extend(check_files.name_missing(missing))
        if claims.get("groups") and "groups" not in shown:
            raise check_proof.VerdictError("not proven", "groups that were found are not checked")
        actions: set[str] = set()
        if folder is not None:
            problems = {folder / item["problem"] for item in missing}
            actions = _actions_besides(whole, more or folder / "domain.pddl", problems)
        parts.update(parts_of(whole, actions))
        bounds = len(shown.get("bounds", ())) if "groups" in shown else 0
        besides.extend([f"as given: {bounds} bounds for all groups"] * (bounds > 0))
        return []

    word, said = check_proof.verdict(case, result, proof, more, collect)
    for name, part in parts.items():
        own, sentences = check_proof.verdict(
            case, result, proof, more, lambda *_, whole=part: [prepared(*whole)]
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
