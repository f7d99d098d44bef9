"""The files that the commands on streets have in common, as arguments and as what is in them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli.options import add

if TYPE_CHECKING:
    from plancost.routes.invalid import Invalid
    from plancost.routes.network import Network, Trip
    from plancost.routes.turns import Turns

FILES_TEXT = """LINKS is a CSV file with the columns link,from,to and any numbers (minutes, metres);
optionally x_from,y_from,x_to,y_to or geometry (a WKT LINESTRING); or GraphML as OSMnx saves it.
TRIPS is a CSV file with the columns trip,links or trip,nodes, separated by blanks, and optionally
count,group,time."""
COORDINATES = "coordinates"


def _turns(text: str) -> Path | str:
    return COORDINATES if text == COORDINATES else Path(text)


def add_links(parser: argparse.ArgumentParser) -> None:
    """``LINKS`` and ``--nodes``."""
    add(parser, "links LINKS: the street network, CSV or GraphML", Path)
    add(parser, "--nodes NODES.csv: where places are, with the columns node,x,y", Path)


def add_turns(parser: argparse.ArgumentParser) -> None:
    """``--turns``."""
    add(
        parser,
        "--turns TURNS.csv: turns have costs too: the columns link,next and angle (in radians, "
        "left below -0.5236, right above 0.5236, U-turn beyond 3.1), class or cost, and optionally "
        "forbidden (1); or the word coordinates, if the network has them",
        _turns,
    )


def add_on_invalid(parser: argparse.ArgumentParser) -> None:
    """``--on-invalid``, for commands without the options of learning."""
    add(
        parser,
        "--on-invalid: what to do with lines that do not fit: stop at the first, or leave all of "
        "them out and list them (default: error)",
        choices=("error", "skip"),
        default="error",
    )


@dataclass(frozen=True)
class Streets:
    """A network with its turns, and what was left out."""

    network: Network
    turns: Turns | None
    invalid: Invalid

    @classmethod
    def read(cls, arguments: argparse.Namespace, needed: Sequence[str] = ()) -> Streets:
        """Read the network; every link must have the numbers `needed`."""
        from plancost.routes.invalid import Invalid
        from plancost.routes.read_links import read_network
        from plancost.routes.turns import read_turns, turns_from_coordinates

        invalid = Invalid(skip=arguments.on_invalid == "skip")
        network = read_network(
            arguments.links, nodes=arguments.nodes, needed=needed, invalid=invalid
        )
        given = arguments.turns
        turns = None
        if given is not None:
            turns = (
                turns_from_coordinates(network)
                if given == COORDINATES
                else read_turns(given, network, invalid=invalid)
            )
        return cls(network, turns, invalid)

    def trips(self, path: Path) -> Sequence[Trip]:
        """Read trips on it."""
        from plancost.routes.read_trips import read_trips
        from plancost.routes.turns import check_turns

        trips = read_trips(path, self.network, invalid=self.invalid)
        if self.turns is None:
            return trips
        return check_turns(self.turns, self.network, trips, path, self.invalid)
