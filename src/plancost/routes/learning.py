"""Costs of links from trips: `learn_routes`."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.learning.problem.keywords import options_with_learning
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case
from plancost.observations.parts import plans_named, without_plans
from plancost.observations.road_map import case_from_routes
from plancost.results.result import Result, TripCounts
from plancost.routes.given import as_network, as_trips, at_least
from plancost.routes.invalid import Invalid
from plancost.routes.limits import Limit, bounds_in_units, known_numbers, limits_given
from plancost.routes.loops import without_loops
from plancost.routes.network import Network, Trip, check_links
from plancost.routes.road_maps import NetworkMap
from plancost.routes.scale import Scaled, choose_scale, in_units
from plancost.routes.split import Split, split_trip
from plancost.routes.turns import PREFIX, Turns, check_turns
from plancost.system.progress import Progress
from plancost.system.values import PathLike, path_or_none, shown

_MOST_NAMED = 5


@dataclass(frozen=True)
class RouteOptions:
    """What to learn of a network, and how."""

    initial: str | None = None
    """The number of links that costs should stay close to, such as minutes."""
    scale: int | None = None
    """How many units of cost are 1 of that number; None: chosen."""
    split: bool = False
    """Whether trips that visit a place twice are cut into parts."""
    turns: Turns | None = None
    limits: tuple[Limit, ...] = ()
    """What is known of the costs of single links and classes of turns."""
    learning: LearnOptions = field(default_factory=LearnOptions)

    def __post_init__(self) -> None:
        if self.initial is not None and not isinstance(self.initial, str):
            raise UsageError(f"--initial takes the name of a column, not {shown(self.initial)}")
        if self.scale is not None and self.initial is None:
            raise UsageError("--scale goes with --initial")
        if self.scale is not None:
            object.__setattr__(self, "scale", at_least(self.scale, 1, "--scale"))
        object.__setattr__(self, "limits", limits_given(self.limits))
        self._check_parts()

    def _check_parts(self) -> None:
        """The options that are made of others."""
        if self.turns is not None and not isinstance(self.turns, Turns):
            raise UsageError(
                "turns must be Turns, such as turns_from_coordinates(network), not "
                f"{shown(self.turns)}"
            )
        if not isinstance(self.learning, LearnOptions):
            raise UsageError(f"learning must be LearnOptions, not {shown(self.learning)}")
        if self.learning.bounds:
            raise UsageError(
                "bounds speak of actions, not of links: give limits such as "
                "limits={'mill-lane': (2, 5)}"
            )
        if not self.learning.oracle.uses_graphs:
            raise UsageError("routes are searched on the network itself, not by a planner")


@dataclass(frozen=True)
class RouteTask:
    """A network and trips, made ready for learning."""

    network: Network
    splits: tuple[Split, ...]
    map: NetworkMap
    initial: Scaled | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, network: Network, trips: Sequence[Trip], options: RouteOptions) -> RouteTask:
        """Leave out loops, cut trips, and choose the unit of costs."""
        for trip in trips:
            check_links(network, trip.name, trip.links)
        network, trips, notes = without_loops(network, trips)
        if not trips:
            raise InputError("there is no trip to learn from")
        if options.turns is not None:
            check_turns(options.turns, network, trips, None, Invalid())
        splits = tuple(
            split_trip(network, trip) if options.split else Split(trip, (trip,)) for trip in trips
        )
        initial = None
        if options.initial is not None:
            initial = _initial(network, options)
            notes += initial.notes
        if options.turns is not None:
            notes += options.turns.notes
        return cls(network, splits, NetworkMap.of(network, options.turns), initial, notes)

    def without(self, numbers: Collection[int]) -> RouteTask:
        """The same but for some parts by their numbers, and for trips that have no other."""
        number = itertools.count()
        kept = (
            replace(split, parts=tuple(part for part in split.parts if next(number) not in numbers))
            for split in self.splits
        )
        return replace(self, splits=tuple(split for split in kept if split.parts))

    @property
    def parts(self) -> list[Trip]:
        """What is learned from: trips, or their parts."""
        return [part for split in self.splits for part in split.parts]

    def case(self, source: Path | None = None, notes: Sequence[str] = ()) -> Case:
        """The same as a case; `source` is the file of the trips."""
        routes = [self.map.route(part, source) for part in self.parts]
        return case_from_routes(self.map.road_map, routes, (*notes, *self.notes))


def learn_routes(
    network: Network,
    trips: Iterable[Trip],
    options: RouteOptions | None = None,
    *,
    source: PathLike | None = None,
    notes: Sequence[str] = (),
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Result:
    """Learn one cost for each link so that most trips are cheapest routes between their ends.

    Args:
        network: The streets.
        trips: The routes that were driven on them.
        options: What to learn and how; None: the defaults.
        source: The file of the trips, for messages and the result.
        notes: Become notes of the result.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, also those of learning, such as ``split=True, time_limit_s=60``.

    Returns:
        The learned costs, named by link; those of classes of turns by ``turn:`` and the class.

    Raises:
        InputError: There is no trip, or a link has no initial cost.
        UsageError: The options are wrong.
    """
    options = options_with_learning(RouteOptions, options, keywords)
    network = as_network(network)
    task = RouteTask.of(network, as_trips(trips), options)
    case = task.case(path_or_none(source, "source"), notes)
    given = None if task.initial is None else task.initial.units
    within = _within(task, options, network)
    result = learn(case, within, initial_costs=given, progress=progress)
    task = task.without(plans_named(case, within.drop, "--drop"))
    case = without_plans(case, within.drop)
    lines = [part.line or None for part in task.parts]
    observations = tuple(
        replace(item, line=line) for item, line in zip(result.observations, lines, strict=True)
    )
    result = replace(result, observations=observations)
    return replace(
        result,
        options={**result.options, **_recorded(task, options)},
        trips=_counts(task, result),
        notes=(*_without_loop_notes(result, case), *_loop_notes(task, case)),
    )


def _initial(network: Network, options: RouteOptions) -> Scaled:
    """The initial costs of links, and of classes of turns: what is said of them, or nothing."""
    turns, column, scale = options.turns, options.initial or "", options.scale
    missing = next((link for link in network.links if column not in link.numbers), None)
    if missing is not None:
        path = Path(network.source) if missing.line else None
        raise InputError(f"link {missing.name} has no {column}", path, missing.line or None)
    negative = next((link for link in network.links if link.numbers[column] < 0), None)
    if negative is not None:
        raise InputError(f"the {column} of link {negative.name} must not be negative")
    numbers = {link.name: link.numbers[column] for link in network.links}
    if scale is None:
        known = [*numbers.values(), *known_numbers(options.limits)]
        fixed = (limit.fixed for limit in options.limits)
        scale = choose_scale(known, [number for number in fixed if number is not None])
    scaled = in_units(numbers, column, scale)
    if turns is None:
        return scaled
    said: Mapping[str, Fraction] = turns.given
    of_turns = {
        name: round(said.get(name.removeprefix(PREFIX), Fraction(0)) * scaled.scale)
        for name in turns.names
    }
    return replace(scaled, units={**scaled.units, **of_turns})


def from_nothing(network: Network, options: RouteOptions) -> RouteOptions:
    """The same without initial costs; what is known of single costs stays in the same units."""
    if options.initial is None:
        return options
    limits: tuple[Limit, ...] = ()
    if options.limits:
        scale = _initial(without_loops(network, ())[0], options).scale
        limits = tuple(limit.scaled(scale) for limit in options.limits)
    return replace(options, initial=None, scale=None, limits=limits)


def _within(task: RouteTask, options: RouteOptions, network: Network) -> LearnOptions:
    """The options of learning, with what is known of single costs; the network has all links."""
    if not options.limits:
        return options.learning
    names = [road.name for road in task.map.road_map.roads]
    scale = 1 if task.initial is None else task.initial.scale
    bounds = tuple(bounds_in_units(options.limits, network, options.turns, names, scale))
    return replace(options.learning, bounds=bounds)


def _recorded(task: RouteTask, options: RouteOptions) -> dict[str, Any]:
    """What RESULT.json says of the question."""
    found: dict[str, Any] = {}
    if task.initial is not None:
        found |= {"initial": options.initial, "scale": task.initial.scale}
    if options.split:
        found["split"] = True
    if options.turns is not None:
        found["turns"] = options.turns.source
    return found


def _counts(task: RouteTask, result: Result) -> TripCounts:
    """By trips what the result says by parts."""
    verdicts = iter(result.observations)
    optimal = 0
    cuts: Counter[str] = Counter()
    for split in task.splits:
        own = [next(verdicts) for _ in split.parts]
        optimal += split.trip.count * all(item.optimal is True for item in own)
        for place in split.places:
            cuts[place] += split.trip.count
    return TripCounts(
        sum(split.trip.count for split in task.splits),
        optimal,
        sum(split.trip.count for split in task.splits if split.places),
        dict(cuts.most_common()),
    )


def _without_loop_notes(result: Result, case: Case) -> list[str]:
    """The notes but for those about single trips that visit a place twice: there are many."""
    said = tuple(case.loops.values())
    return [note for note in result.notes if not (said and note.startswith(said))]


def _loop_notes(task: RouteTask, case: Case) -> list[str]:
    """The same in one sentence."""
    cut = [split for split in task.splits if split.places]
    if cut:
        parts = sum(len(split.places) + 1 for split in cut)
        return [f"{len(cut)} trips visit a place twice and were cut into {parts} parts"]
    if not case.loops:
        return []
    names = [str(case.observations[number].plan_file) for number in case.loops]
    listed = ", ".join([*names[:_MOST_NAMED], *(["..."] if len(names) > _MOST_NAMED else [])])
    return [
        f"{len(names)} of {len(task.splits)} trips visit a place twice, so they can never be "
        f"optimal, unless they are cut into parts (--split): {listed}"
    ]
