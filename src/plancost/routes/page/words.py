"""What the map page says in sentences."""

from __future__ import annotations

from collections import Counter

from plancost.results.result import Result
from plancost.results.wording import name_of_secondary, proof_of_secondary, remarks
from plancost.routes.page.colours import Colours
from plancost.routes.page.positions import Positions
from plancost.routes.page.shown import Shown
from plancost.routes.turns import PREFIX


def headline(result: Result) -> str:
    """How many trips are optimal."""
    trips, optimal = _counts(result)
    if not result.verified:
        known = f"{optimal:,} of {trips:,} trips are known to be cheapest routes"
        return f"{known}; the check could not finish"
    if trips == 1:
        return f"The trip is {'a' if optimal else 'not a'} cheapest route under the learned costs"
    if optimal == trips:
        return f"All {trips:,} trips are cheapest routes under the learned costs"
    are = "are cheapest routes" if optimal > 1 else "is a cheapest route"
    which = f"{optimal:,}" if optimal else "None"
    return f"{which} of {trips:,} trips {are} under the learned costs"


def first_objective(result: Result) -> str:
    """What is proven of the number of optimal trips."""
    trips, optimal = _counts(result)
    known = "" if result.verified else "known to be "
    share = f"{100 * optimal / max(1, trips):.1f} % of trips are {known}optimal. "
    what = "trips"
    if trips != result.plans:
        what = "parts"
        share += (
            f"Trips that visit a place twice are cut into parts: {result.optimal_plans:,} of "
            f"{result.plans:,} parts are optimal. "
        )
    if result.proved:
        return f"{share}Proven: no costs make more {what} optimal."
    return f"{share}Not proven most: at most {result.upper_bound:,} {what} can be."


def _counts(result: Result) -> tuple[int, int]:
    """How many trips there are, and how many are optimal in all their parts."""
    if result.trips is None:
        return result.plans, result.optimal_plans
    return result.trips.trips, result.trips.optimal_trips


def about(result: Result, shown: Shown, positions: Positions) -> list[str]:
    """What else one should know to read the map."""
    second = f"{_capital(name_of_secondary(result))} {result.secondary.value:,}: "
    found = [f"{_capital(positions.words)}."] if positions.words else []
    if result.verified:
        found.append("Whether a trip is optimal was checked by a search of its own.")
    found.append(f"{second}{proof_of_secondary(result)}.")
    found += [_sentence(words) for words in (*remarks(result), *result.notes)]
    others = [item for item in shown.trips if item.item is None]
    if others:
        optimal = sum(item.trip.count for item in others if item.optimal)
        total = sum(item.trip.count for item in others)
        found.append(
            f"Trips on the map that costs were not learned from: {total:,}, of which {optimal:,} "
            "optimal."
        )
    missing = len(result.observations) - (len(shown.trips) - len(others))
    if missing > 0:
        found.append(f"Trips of the result that are not on the map: {missing:,}.")
    turns = {name: cost for name, cost in result.costs.items() if name.startswith(PREFIX)}
    if turns:
        listed = ", ".join(f"{name.removeprefix(PREFIX)} {cost:,}" for name, cost in turns.items())
        found.append(f"Turns cost something too, beside links: {listed}.")
    if shown.least is not None:
        found.append(undetermined_words(shown))
    else:
        found.append(
            "The network and the trips are too large to look for alternatives of optimal trips and "
            "for links that nothing determines."
        )
    return found


def undetermined_words(shown: Shown) -> str:
    """What the layer of undetermined links shows."""
    number, total = len(shown.undetermined), len(shown.network.links)
    return (
        f"The optimal trips determine nothing about {number:,} of {total:,} links: each of "
        "them, by itself, could have any cost, and the same trips would be optimal."
    )


def map_in_words(shown: Shown, colours: Colours) -> str:
    """The map for those who do not see it."""
    often = Counter(colours.classes)
    parts = [
        f"{often[number]:,} {label}"
        for number, label in enumerate(colours.labels)
        if label and often[number]
    ]
    network = shown.network
    return (
        f"A map of {len(network.links):,} links between {len(network.place_names):,} places. "
        f"Links by {colours.title}: {'; '.join(parts)}. Lines are wider where more trips go. "
        "The lists of trips and of links say the same in words."
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _sentence(words: str) -> str:
    return _capital(words) if words.endswith(".") else f"{_capital(words)}."
