"""Streets and trips for the checker of proofs.

Links and classes of turns are actions. A state is where one is; with turns also by which link one
has come. Beside copies of check_proof.py and check_files.py this file works by itself, and imports
nothing else of plancost.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

if __package__:
    from plancost.cli import check_files, check_proof
else:  # beside copies of these files
    import check_files  # type: ignore[import-not-found, no-redef]
    import check_proof  # type: ignore[import-not-found, no-redef]

Ends = dict[str, tuple[str, str]]
_LEFT, _RIGHT, _U_TURN = -0.5236, 0.5236, 3.1
_FORBIDDEN = ("1", "true", "yes", "x")


class Trip(NamedTuple):
    """A trip, or a part of one, without links that lead back to their start."""

    name: str
    links: tuple[str, ...]
    times: int
    group: str
    whole: str
    cuts: tuple[str, ...]
    """The places where the whole trip was cut."""


class Streets(check_proof.Task):
    """The problem of a trip: links are operators, and so are classes of turns."""

    def __init__(self, operators: dict[str, Any], start: str, goal: str) -> None:
        self.name, self.operators, self.rules = f"from {start} to {goal}", operators, {}
        self.start, self.goal = (start, None), ((0, goal),)


class Turns:
    """The turns of a table: those of a class have one cost, and some are forbidden."""

    def __init__(self, path: Path, ends: Ends) -> None:
        columns, rows = check_files.read_table(path, "link", "next")
        kind = next((kind for kind in ("cost", "class", "angle") if kind in columns), "")
        self.classes: dict[tuple[str, str], str] = {}
        self.forbidden: set[tuple[str, str]] = set()
        for row in rows:
            turn, word = (row["link"], row["next"]), row.get(kind, "")
            if not {*turn} <= ends.keys() or ends[turn[0]][1] != ends[turn[1]][0]:
                continue
            if row.get("forbidden", "").lower() in _FORBIDDEN:
                self.forbidden.add(turn)
            if word and (name := _class_of(kind, word)):
                self.classes[turn] = name
        if kind == "angle":
            self.classes = {turn: self.classes.get(turn, "straight") for turn in _meetings(ends)}

    def leave_out(self, costs: Any) -> list[str]:
        """Classes that have no cost are no turns; they are named."""
        names = {self.classes[turn] for turn in self.classes.keys() - self.forbidden}
        free = sorted(name for name in names if f"turn:{name}" not in costs)
        self.classes = {turn: name for turn, name in self.classes.items() if name not in free}
        return [f"as given: turns of the class {name} cost nothing" for name in free]

    def steps(self, links: tuple[str, ...]) -> tuple[str, ...]:
        """A trip with its turns, each behind the link that it leads into."""
        found = list(links[:1])
        for turn in pairwise(links):
            found += [turn[1], *([f"turn:{self.classes[turn]}"] if turn in self.classes else [])]
        return tuple(found)

    def operators(self, ends: Ends) -> dict[str, Any]:
        """A link follows one that ends where it starts, then its turn is paid for; or is first."""
        arrived: Any = {link: [((), 0, end), ((), 1, link)] for link, (_, end) in ends.items()}
        ways: dict[str, list[Any]] = {
            link: [(((1, None), (0, start)), arrived[link])] for link, (start, _) in ends.items()
        }
        paid: dict[str, dict[str, Any]] = {}
        for before, link in _meetings(ends):
            name, after = self.classes.get((before, link)), arrived[link]
            if (before, link) in self.forbidden:
                continue
            if name is not None:
                unpaid = name, link
                paid.setdefault(f"turn:{name}", {})[link] = ((1, unpaid),), after
                after = [((), 0, None), ((), 1, unpaid)]
            ways[link].append((((1, before),), after))
        return {**ways, **{name: list(own.values()) for name, own in paid.items()}}


def _class_of(kind: str, word: str) -> str:
    """The class that a turn is of, by what its row says; none: it costs nothing."""
    if kind != "angle":
        number = Fraction(word) if kind == "cost" else 1
        return "" if number == 0 else str(number) if kind == "cost" else word
    angle = float(word)
    if abs(angle) > _U_TURN:
        return "u-turn"
    return "left" if angle < _LEFT else "right" if angle > _RIGHT else "straight"


def _meetings(ends: Ends) -> list[tuple[str, str]]:
    """Links and those that begin where they end."""
    leaving = defaultdict(list)
    for link, (start, _) in ends.items():
        leaving[start].append(link)
    return [(link, after) for link, (_, end) in ends.items() for after in leaving[end]]


def read_streets(
    links: Path,
    trips: Path | None,
    turns: Path | None,
    claims: Any,
    shown: Any,
) -> tuple[Any, list[Trip], list[str]]:
    """What there is to check, all trips that were seen, and what is taken as given."""
    if trips is None:
        raise check_proof.VerdictError("not proven", "name the file of the trips too")
    if "turns" in claims["options"] and turns is None:
        words = "name the file of the turns too (turns by coordinates are not checked)"
        raise check_proof.VerdictError("not proven", words)
    _, rows = check_files.read_table(links, "link", "from", "to")
    column = claims["options"].get("initial")
    rows = [row for row in rows if column is None or _is_number(row[column])]
    every = {name: (row["from"], row["to"]) for name, row in _by_name(rows, "link").items()}
    ends = {link: pair for link, pair in every.items() if pair[0] != pair[1]}
    table = None if "turns" not in claims["options"] or turns is None else Turns(turns, ends)
    given = [] if table is None else table.leave_out(claims["costs"])
    if table is None and turns is not None:
        given.append(f"the result is about trips without turns: {turns.name} is not used")
    seen = _read_trips(trips, every, bool(claims["options"].get("split")))
    by_name, known = {trip.name: trip for trip in seen}, dict[Any, Any]()
    tasks, plans = list[Any](), list[Any]()
    ways = (
        {link: [(((0, a),), [((), 0, b)])] for link, (a, b) in ends.items()}
        if table is None
        else table.operators(ends)
    )
    for item in claims["observations"]:
        trip = by_name[item["plan"]]
        if not trip.links:
            raise check_proof.VerdictError("wrong", f"{trip.name} is no way along the links")
        pair = ends[trip.links[0]][0], ends[trip.links[-1]][1]
        tasks.append(known.setdefault(pair, Streets(ways, *pair)))
        plans.append(trip.links if table is None else table.steps(trip.links))
        if Path(item["problem"]) != Path(tasks[-1].name):
            raise check_proof.VerdictError("wrong", f"{item['plan']} goes {tasks[-1].name}")
    _check_counts(claims, by_name)
    return (claims, shown, tasks, plans), seen, given


def _by_name(rows: list[dict[str, str]], column: str) -> dict[str, dict[str, str]]:
    """Rows by name; of several with one name the first."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        found.setdefault(row[column], row)
    return found


def _is_number(text: str) -> bool:
    """Whether a link has this number; without one it was left out."""
    try:
        return Fraction(text) >= 0
    except (ValueError, ZeroDivisionError):
        return False


def _read_trips(path: Path, ends: Ends, split: bool) -> list[Trip]:
    """The trips of a table, or their parts; one that is no way along the links has none."""
    found = []
    _, rows = check_files.read_table(path, "trip")
    rows = [row for row in rows if check_files.read_count(row)]
    for name, row in _by_name(rows, "trip").items():
        links = [link for link in _links_of(row, ends) if ends[link][0] != ends[link][1]]
        places = [ends[link][0] for link in links] + [ends[link][1] for link in links[-1:]]
        at = _cuts(places) if split else []
        cuts, said = (
            tuple(places[n] for n in at),
            (check_files.read_count(row), row.get("group", "")),
        )
        for number, (first, end) in enumerate(pairwise([0, *at, len(links)]), start=1):
            own = f"{name} part {number} of {len(at) + 1}" if at else name
            own = own if str(Path(own)) == own else own.replace("/", "|")
            found.append(Trip(own, tuple(links[first:end]), *said, name, cuts))
    return found


def _cuts(places: list[str]) -> list[int]:
    """Where a trip is cut: in the middle between two visits of a place, from the start on."""
    cuts, at, last = list[int](), 0, dict[str, int]()
    while at < len(places):
        if places[at] in last:
            at = (last[places[at]] + at) // 2
            cuts.append(at)
            last = {}
        last[places[at]] = at
        at += 1
    return cuts


def _links_of(row: dict[str, str], ends: Ends) -> list[str]:
    """The links of a trip, if it is one; of several links between two places the first."""
    names = list(ends) if "links" in row else [*chain(*ends.values())]
    text = row["links" if "links" in row else "nodes"]
    if any(len(name.split()) > 1 for name in names):
        steps = [step.strip() for step in text.split(";") if step.strip()]
    else:
        steps = (text if any(";" in name for name in names) else text.replace(";", " ")).split()
    if "links" not in row:
        between = {pair: link for link, pair in reversed(ends.items())}
        steps = [between.get(pair, "") for pair in pairwise(steps)]
    if not {*steps} <= ends.keys() or any(ends[a][1] != ends[b][0] for a, b in pairwise(steps)):
        return []
    return steps


def _check_counts(claims: Any, trips: dict[str, Trip]) -> None:
    """What is said of whole trips follows from what is said of their parts."""
    optimal: dict[str, bool] = {}
    wholes: dict[str, Trip] = {}
    for item in claims["observations"]:
        trip = trips[item["plan"]]
        wholes[trip.whole] = trip
        optimal[trip.whole] = optimal.get(trip.whole, True) and item["optimal"] is True
    cuts = Counter[str]()
    for trip in wholes.values():
        cuts.update({place: trip.times * n for place, n in Counter(trip.cuts).items()})
    right = {
        "trips": sum(trip.times for trip in wholes.values()),
        "optimal_trips": sum(trip.times for trip in wholes.values() if optimal[trip.whole]),
        "split_trips": sum(trip.times for trip in wholes.values() if trip.cuts),
        "cuts": dict(cuts),
    }
    if claims["trips"] != right:
        raise check_proof.VerdictError("wrong", "the trips do not add up")
