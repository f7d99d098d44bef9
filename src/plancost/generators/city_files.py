"""A made-up city as files: what ``plancost routes`` reads, and the true costs beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from plancost.files.output_files import write_file
from plancost.generators.city import THOUSANDTHS, City, CityRequest, build_city
from plancost.generators.drivers import DrivenTrip, drive
from plancost.generators.record import make_empty_folder
from plancost.generators.street_plan import Floats, Integers
from plancost.system.progress import Progress, no_progress

LINKS = "links.csv"
NODES = "nodes.csv"
TRIPS = "trips.csv"
TURNS = "turns.csv"
HIDDEN = "hidden-costs.json"
REQUEST = "city.json"
"""What the city was asked to be."""


@dataclass(frozen=True)
class GeneratedCity:
    """A city and its trips, as they were written."""

    folder: Path
    city: City
    trips: tuple[DrivenTrip, ...]


def generate_city(
    folder: Path, request: CityRequest, progress: Progress = no_progress
) -> GeneratedCity:
    """Draw a city and its trips, and write them into an empty folder."""
    make_empty_folder(folder)
    city = build_city(request.links, request.seed)
    trips = []
    for trip in drive(city, request):
        trips.append(trip)
        progress("driving", len(trips), request.trips)
    write_file(folder / LINKS, links_text(city))
    write_file(folder / NODES, nodes_text(city))
    write_file(folder / TURNS, turns_text(city))
    write_file(folder / TRIPS, trips_text(trips))
    hidden = {str(number): int(cost) for number, cost in enumerate(city.hidden, 1)}
    write_file(folder / HIDDEN, json.dumps(hidden, indent=0) + "\n")
    write_file(folder / REQUEST, json.dumps(asdict(request), indent=1) + "\n")
    return GeneratedCity(folder, city, tuple(trips))


def links_text(city: City) -> str:
    """``link,from,to,metres,minutes``; links and junctions are numbered from 1."""
    columns = (city.starts + 1, city.ends + 1, city.metres, city.minutes)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    lines = (
        f"{number},{start},{end},{metres},{minutes / THOUSANDTHS:.3f}\n"
        for number, (start, end, metres, minutes) in enumerate(rows, 1)
    )
    return "link,from,to,metres,minutes\n" + "".join(lines)


def nodes_text(city: City) -> str:
    """``node,x,y``, in metres."""
    points = zip(city.x.tolist(), city.y.tolist(), strict=True)
    lines = (f"{number},{x:.1f},{y:.1f}\n" for number, (x, y) in enumerate(points, 1))
    return "node,x,y\n" + "".join(lines)


def trips_text(trips: Sequence[DrivenTrip]) -> str:
    """``trip,links``; a trip is named after its driver and its number among the driver's trips."""
    lines = ["trip,links\n"]
    for driver, own in groupby(trips, key=lambda trip: trip.driver):
        for number, trip in enumerate(own, 1):
            links = " ".join(map(str, (trip.links + 1).tolist()))
            lines.append(f"{driver + 1}-{number},{links}\n")
    return "".join(lines)


def turns_text(city: City) -> str:
    """``link,next,angle``: in radians, negative to the left, beyond 3.1 a U-turn."""
    link, following = link_pairs(city)
    angles = turn_angles(city, link, following)
    rows = zip((link + 1).tolist(), (following + 1).tolist(), angles.tolist(), strict=True)
    lines = (f"{one},{two},{angle:.4f}\n" for one, two, angle in rows)
    return "link,next,angle\n" + "".join(lines)


def link_pairs(city: City) -> tuple[Integers, Integers]:
    """Every link with each link that starts where it ends."""
    order = np.argsort(city.starts, kind="stable")
    leaving = np.bincount(city.starts, minlength=city.junctions)
    first = np.concatenate([[0], np.cumsum(leaving)[:-1]])
    counts = leaving[city.ends]
    link = np.repeat(np.arange(len(city.ends)), counts)
    within = np.arange(len(link)) - np.repeat(np.cumsum(counts) - counts, counts)
    return link, order[first[city.ends[link]] + within]


def turn_angles(city: City, link: Integers, following: Integers) -> Floats:
    """By how much the direction changes: from -pi to pi, negative to the left."""
    east = city.x[city.ends] - city.x[city.starts]
    north = city.y[city.ends] - city.y[city.starts]
    headings = np.arctan2(north, east)
    change = headings[link] - headings[following]
    angles = (change + np.pi) % (2 * np.pi) - np.pi
    is_back = city.ends[following] == city.starts[link]
    return np.where(is_back, np.pi, angles)
