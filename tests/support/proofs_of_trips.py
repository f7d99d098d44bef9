"""Trips with a proof, and what the checker says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plancost.cli import check_inputs
from plancost.learning.problem.options import LearnOptions
from plancost.routes.learning import RouteOptions, learn_routes
from plancost.routes.read_links import read_network
from plancost.routes.read_trips import read_trips
from plancost.routes.turns import read_turns

OPTIONS = LearnOptions(certificate=True)
LINKS = """link,from,to,minutes
ab,a,b,1
bc,b,c,1
ac,a,c,3
cd,c,d,1
bd,b,d,2
dd,d,d,1
"""
TRIPS = """trip,links,count,group
one,ab bc cd,2,early
two,ac cd,1,early
three,ab bd dd,1,late
"""


def street_files(folder: Path, links: str = LINKS, trips: str = TRIPS) -> tuple[Path, Path]:
    """LINKS and TRIPS as files."""
    (folder / "links.csv").write_text(links)
    (folder / "trips.csv").write_text(trips)
    return folder / "links.csv", folder / "trips.csv"


def learned(links: Path, trips: Path, turns: Path | None = None, **options: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """RESULT.json and PROOF.json of trips."""
    network = read_network(links)
    known = None if turns is None else read_turns(turns, network)
    asked = RouteOptions(learning=OPTIONS, turns=known)
    result = learn_routes(network, read_trips(trips, network), asked, source=trips, **options)
    return result.to_json(), json.loads(json.dumps(result.proof))


def verdict(
    links: Path,
    trips: Path | None,
    result: Any,  # noqa: ANN401
    proof: Any,  # noqa: ANN401
    turns: Path | None = None,
) -> tuple[str, list[str]]:
    """What the checker says of these."""
    files = links.parent / "r.json", links.parent / "p.json"
    for path, content in zip(files, (result, proof), strict=True):
        path.write_text(json.dumps(content))
    return check_inputs.verdict(links, *files, trips, turns)
