"""Pairs of places from CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.routes.invalid import Invalid
from plancost.routes.network import Link, Network
from plancost.routes.read_pairs import Pair, read_pairs

NETWORK = Network((Link("1", "a", "b"),), source="links.csv")


def test_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("to,from\nb,a\n\na,b\n")
    assert read_pairs(path, NETWORK) == (Pair("a", "b", 2), Pair("b", "a", 4))
    path.write_text("from,to\na,b\na,x\n,b\n")
    with pytest.raises(InputError, match=r"csv:3: x is not a node of links\.csv"):
        read_pairs(path, NETWORK)
    invalid = Invalid(skip=True)
    assert len(read_pairs(path, NETWORK, invalid=invalid)) == 1
    assert len(invalid.notes) == 2
    path.write_text("from,to\n")
    with pytest.raises(InputError, match="there are no pairs in this file"):
        read_pairs(path, NETWORK)
