"""The state file: what is written is read, and a damaged one is put aside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.monitoring.state import MonitorState, StateFile, Watched, next_digest
from plancost.observations.files import ObservedFile

NAMES = st.sampled_from(["(a)", "(b x)", "(c x y)"])
PLANS = st.lists(NAMES, max_size=3).map(tuple)
NUMBERS = st.integers(0, 1000)
POSITIONS = st.integers(1, 1000)
FLOATS = st.floats(0, 10)

STATES = st.builds(
    MonitorState,
    st.dictionaries(NAMES, st.integers(1, 10**12)),
    st.lists(FLOATS, max_size=4),
    NUMBERS,
    st.text("0123456789abcdef", max_size=8),
    NUMBERS,
    st.lists(st.builds(Watched, POSITIONS, FLOATS, st.floats(0, 1)), max_size=4),
    st.none() | POSITIONS,
    st.dictionaries(st.text("abc", max_size=3), st.lists(PLANS, max_size=2)),
)


@settings(max_examples=60, deadline=None)
@given(STATES)
def test_what_is_written_is_read(state: MonitorState) -> None:
    assert MonitorState.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_a_file(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "deep" / "state.json", {"window": 40})
    assert file.load() == (None, None)
    state = MonitorState({"(a)": 2}, [1.0, 1.5], 3, "ab", 1, [Watched(2, 1.0, 0.5)], 2)
    file.save(state)
    assert file.load() == (state, None)
    assert [path.name for path in file.path.parent.iterdir()] == ["state.json"]
    with pytest.raises(InputError, match="made with window 40, not 20; choose another state"):
        StateFile(file.path, {"window": 20}).load()
    with pytest.raises(InputError, match="made with seed None, not 1"):
        StateFile(file.path, {"window": 40, "seed": 1}).load()


def damage(content: dict[str, Any], way: str) -> str:
    if way == "half":
        return json.dumps(content)[:40]
    if way == "other":
        return "[1, 2]"
    if way == "missing":
        del content["state"]["costs"]
    if way == "kind":
        content["state"]["position"] = "three"
    if way == "cost":
        content["state"]["costs"]["(a)"] = 1.5
    return json.dumps(content)


@pytest.mark.parametrize("way", ["half", "other", "missing", "kind", "cost"])
def test_a_damaged_file_is_put_aside(tmp_path: Path, way: str) -> None:
    file = StateFile(tmp_path / "state.json", {})
    file.save(MonitorState({"(a)": 2}, [1.0]))
    text = damage(json.loads(file.path.read_text()), way)
    file.path.write_text(text)
    state, sentence = file.load()
    assert state is None
    assert sentence is not None
    assert "put aside as state.json.damaged" in sentence
    assert not file.path.exists()
    assert (tmp_path / "state.json.damaged").read_text() == text
    assert file.load() == (None, None)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(b"\xff\xfe\x00")
    assert StateFile(path, {}).load()[0] is None
    assert (tmp_path / "state.json.damaged").exists()


def test_another_format_is_kept(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "state.json", {})
    file.save(MonitorState({}, []))
    content = json.loads(file.path.read_text())
    file.path.write_text(json.dumps(content | {"format": 2}))
    with pytest.raises(InputError, match="format 2, not 1"):
        file.load()
    assert file.path.exists()


def test_digests_tell_rows_apart() -> None:
    rows = [ObservedFile(Path("p"), Path(f"{n}.plan"), time=str(n)) for n in range(3)]
    one = next_digest(next_digest("", rows[0]), rows[1])
    assert one == next_digest(next_digest("", rows[0]), rows[1])
    assert one != next_digest(next_digest("", rows[1]), rows[0])
    assert one != next_digest(next_digest("", rows[0]), rows[2])
