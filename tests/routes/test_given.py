"""What callers of the library give, in one sentence each if it is wrong."""

from __future__ import annotations

import pytest

from plancost.errors import UsageError
from plancost.routes.given import as_network, as_pairs, as_trips, at_least
from plancost.routes.network import Link, Network, Trip
from plancost.routes.read_pairs import Pair


def test_what_is_meant() -> None:
    network, trip = Network((Link("1", "a", "b"),)), Trip("x", ("1",))
    assert as_network(network) is network
    assert as_trips(iter([trip])) == (trip,)
    assert as_pairs([("a", "b"), ["b", "a"], Pair("a", "a", 3)]) == (
        Pair("a", "b"),
        Pair("b", "a"),
        Pair("a", "a", 3),
    )
    assert (as_trips(trip), as_pairs(Pair("a", "b"))) == ((trip,), (Pair("a", "b"),))
    assert (as_trips([]), as_pairs([])) == ((), ())
    assert at_least(3.0, 2, "--folds") == 3


@pytest.mark.parametrize("value", [None, 5, "ab", [None], ["ab"], [5]])
def test_what_is_not(value: object) -> None:
    with pytest.raises(UsageError, match="network must be a Network"):
        as_network(value)
    with pytest.raises(UsageError, match="trips must be several Trip"):
        as_trips(value)
    with pytest.raises(UsageError, match="pairs must be several Pair"):
        as_pairs(value)
    with pytest.raises(UsageError, match="folds takes a whole number of at least 2"):
        at_least(value if value != 5 else 1, 2, "--folds")
