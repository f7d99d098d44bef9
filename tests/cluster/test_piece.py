"""What is sent: plain values, and only between machines with the same versions."""

from __future__ import annotations

import pickle
import zlib
from functools import partial

import pytest

from plancost.cluster.piece import pack, require_same, versions
from plancost.errors import ClusterError, InputError
from plancost.system.processes import Limits
from support import pieces


def test_a_piece_of_work_comes_back_from_its_bytes() -> None:
    work, limits = pickle.loads(zlib.decompress(pack(partial(pieces.square, 7), Limits(time_s=3))))
    assert limits == Limits(time_s=3)
    assert work(limits=limits) == 49


def test_only_functions_that_others_can_import_are_sent() -> None:
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pack(lambda limits: 1, Limits())


def test_errors_keep_their_place_on_the_way_back() -> None:
    error = InputError("unbalanced", None, 3)
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.path, back.line) == (str(error), None, 3)


def test_the_same_versions_are_no_complaint() -> None:
    assert versions()["up-symk"] is not None
    require_same(versions(), dict(versions()), "the worker w")


@pytest.mark.parametrize(
    ("there", "complaint"),
    [
        ({"plancost": "0.1", "up-symk": "9"}, "the worker w has up-symk 9 and this machine 1.6"),
        ({"plancost": "0.2", "up-symk": "1.6"}, "has plancost 0.2 and this machine 0.1: install"),
        ({"plancost": "0.1"}, "the worker w has up-symk (none) and this machine 1.6"),
        (ModuleNotFoundError("No module named 'plancost'"), "the worker w has no plancost 0.1: No"),
    ],
)
def test_other_versions_are_refused(there: object, complaint: str) -> None:
    with pytest.raises(ClusterError) as raised:
        require_same({"plancost": "0.1", "up-symk": "1.6"}, there, "the worker w")
    assert complaint in str(raised.value)
