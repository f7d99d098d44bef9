from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.learn.outcome import Point
from plancost.options import checked
from plancost.result.assemble import assemble, joined
from plancost.result.model import (
    ObservationResult,
    Result,
    Secondary,
    read_result,
    result_schema,
    write_result,
)
from small import small_case, small_learned

SCHEMA = Path(__file__).parents[2] / "docs" / "result.schema.json"
fits_schema = fastjsonschema.compile(result_schema())
counts = st.integers(0, 2**70)
observations = st.builds(
    ObservationResult,
    trip=st.text(),
    count=st.integers(1, 9),
    optimal=st.none() | st.booleans(),
    cost=counts,
    optimal_cost=st.none() | counts,
)
results = st.builds(
    Result,
    solution=st.sampled_from(["mcf", "scf", "icf"]),
    refined=st.booleans(),
    alternatives=st.just("exact") | st.integers(1, 9),
    options=st.just({"ties": "none", "bounds": {"*": [None, 3]}}),
    ending=st.sampled_from(["done", "none exists", "time limit", "interrupted", "failed"]),
    plans=counts,
    optimal_plans=counts,
    upper_bound=counts,
    proved=st.booleans(),
    claimed_optimal=counts,
    secondary=st.none()
    | st.builds(Secondary, value=counts, lower_bound=counts, proved=st.booleans()),
    costs=st.dictionaries(st.text(), st.integers(1, 2**70)),
    observations=st.lists(observations, max_size=2),
    verified=st.booleans(),
    seconds=st.dictionaries(st.text(), st.floats(0, 1e9)),
    history=st.lists(
        st.builds(Point, seconds=st.floats(0, 9), optimal=counts, bound=counts), max_size=2
    ),
    notes=st.lists(st.text(), max_size=2),
)


def example() -> Result:
    case, options = small_case(), checked()
    return assemble(case, options, small_learned(case))


def grouped() -> Result:
    return joined(small_case(), checked(), [("one", example()), ("two", example())])


@given(results, st.booleans())
def test_what_is_written_is_read_and_fits_the_schema(
    tmp_path_factory: pytest.TempPathFactory, result: Result, has_groups: bool
) -> None:
    whole = (
        joined(small_case(), checked(), [("g", result), ("h", result)]) if has_groups else result
    )
    path = tmp_path_factory.mktemp("results") / "RESULT.json"
    write_result(whole, path)
    assert read_result(path) == whole
    text = path.read_text(encoding="utf-8")
    assert text.isascii()
    fits_schema(json.loads(text))


def test_the_committed_schema_is_current() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == result_schema(), "run make schema"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: '{"(go a b)": 1}',
        lambda text: text.replace('"format": 2', '"format": 1'),
        lambda text: text.replace('"costs"', '"prices"'),
        lambda text: text.replace('"(go a b)": 1', '"(go a b)": 0'),
        lambda text: text.replace('"(go a b)": 1', '"(go a b)": 1.5'),
        lambda text: text.replace('"plans": 4', '"plans": "4"'),
        lambda text: text.replace('"optimal": true', '"optimal": "yes"'),
        lambda text: "[" * 100_000,
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, damage: Callable[[str], str]) -> None:
    path = tmp_path / "RESULT.json"
    before = example().to_json()
    path.write_text(damage(before), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != before
    with pytest.raises(InputError) as caught:
        read_result(path)
    assert str(caught.value).startswith(f"{path}:")
    assert "\n" not in str(caught.value)


def test_keys_of_later_versions_are_passed_over(tmp_path: Path) -> None:
    content: dict[str, Any] = json.loads(example().to_json())
    content["of_a_later_version"] = {"x": -3.5}
    path = tmp_path / "RESULT.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert read_result(path) == example()


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "RESULT.json"
    write_result(example(), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_umask()
    path.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    write_result(grouped(), link)
    assert link.is_symlink()
    assert read_result(path) == grouped()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["RESULT.json", "link.json"]


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_result(example(), tmp_path / "none" / "RESULT.json")
    write_result(example(), "/dev/null")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
