"""Pairs of places between which routes are asked for: CSV with the columns from,to."""

from __future__ import annotations

from dataclasses import dataclass

from plancost.routes.csv_files import read_table
from plancost.routes.invalid import Invalid
from plancost.routes.network import Network
from plancost.system.values import PathLike, as_path


@dataclass(frozen=True)
class Pair:
    """From one place to another."""

    start: str
    end: str
    line: int = 0
    """Of the file that it is in; 0 if there is none."""


def read_pairs(
    path: PathLike, network: Network, *, invalid: Invalid | None = None
) -> tuple[Pair, ...]:
    """Read pairs of places of a network.

    Args:
        path: A CSV file.
        network: The network that they are on.
        invalid: Where to list what does not fit; None: it is an error.

    Returns:
        The pairs, in the order of the file.

    Raises:
        InputError: The file cannot be read, or something in it does not fit.
    """
    path, invalid = as_path(path, "path"), invalid or Invalid()
    before = len(invalid.notes)
    table = read_table(path, "these pairs", ("from", "to"), invalid)
    known = set(network.place_names)
    found = []
    for line, row in table.rows:
        unknown = [row[end] for end in ("from", "to") if row[end] not in known]
        if unknown:
            text = f"{unknown[0]} is not a node of {network.source}"
            invalid.found(text, path, line)
        else:
            found.append(Pair(row["from"], row["to"], line))
    invalid.require(found, "pairs", path, before)
    return tuple(found)
