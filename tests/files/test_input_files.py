"""Files that users name: text, JSON and tables, and one sentence for what is none."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.files import input_files
from plancost.files.input_files import (
    csv_rows,
    parse_json,
    read_bytes,
    read_json,
    read_text,
    similar_name,
    text_lines,
)

FILE = Path("file")
characters = st.characters(exclude_categories=["Cs"])
leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
documents = st.recursive(
    leaves | st.text(characters),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(characters), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(documents)
def test_json_comes_back_as_it_was_written(content: object) -> None:
    for ascii_only in (True, False):
        assert parse_json(json.dumps(content, ensure_ascii=ascii_only), FILE) == content


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "^file: 'c' occurs twice in this file$"),
        ('{"NaN": 1,\n\n"b": [NaN]}', "^file:3: NaN is no number that JSON knows$"),
        ("1" * 401, "^file:1: the number 1{20}... has 401 digits, which is too large$"),
        ("[1e999]", "^file:1: the number 1e999 is too large$"),
        ("{}\n}", "^file:2: this is not JSON"),
        ("", "^file:1: this is not JSON"),
    ],
)
def test_json_that_would_lose_something(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_json(text, FILE)
    assert parse_json("1" * 400, FILE) == int("1" * 400)


def test_text_is_utf8_with_or_without_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbf\xc3\xa4\r\nb")
    assert read_text(path) == "ä\r\nb"
    assert read_bytes(path).startswith(b"\xef")
    path.write_bytes(b"a\rb\r\nc\n\xff")
    with pytest.raises(InputError, match=":4: this file is not UTF-8 text"):
        read_text(path)


def test_what_it_is_called_and_why_it_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "large").write_bytes(b"12345")
    monkeypatch.setattr(input_files, "MOST_BYTES", 4)
    for name, reason in {
        "missing": "No such file or directory",
        "link": "this link leads nowhere",
        ".": "it is a folder",
        "large": "it has more than 0 MB",
    }.items():
        with pytest.raises(InputError, match=rf"cannot read these costs \({reason}"):
            read_json(tmp_path / name, "these costs")
    monkeypatch.setattr(input_files, "MOST_BYTES", 5)
    assert read_json(tmp_path / "large") == 12345


@given(st.lists(st.text("ab\u2028\x0b\x85\x1c", max_size=3), min_size=1), st.data())
def test_only_three_things_end_a_line(lines: list[str], data: st.DataObject) -> None:
    ends = [data.draw(st.sampled_from(["\n", "\r\n", "\r"])) for _ in lines[1:]]
    # "\r" before an empty line that ends in "\n" would be one end
    text = lines[0] + "".join(
        end + line if line or end != "\r" else "\n"
        for end, line in zip(ends, lines[1:], strict=True)
    )
    assert text_lines(text) == lines


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=5)


@given(st.lists(st.tuples(cells, cells), max_size=4))
def test_rows_of_a_table(rows: list[tuple[str, str]]) -> None:
    written = io.StringIO(newline="")
    csv.writer(written, quoting=csv.QUOTE_ALL).writerows([(" Problem", "PLAN "), *rows])
    columns, found = csv_rows(written.getvalue(), FILE)
    assert columns == ["problem", "plan"]
    values = [(row["problem"], row["plan"]) for _, row in found]
    assert values == [row for row in rows if any(cell.strip() for cell in row)]


def test_tables_that_are_none() -> None:
    with pytest.raises(InputError, match="file:1: the first line names the column 'plan' twice"):
        csv_rows("plan,Plan\n", FILE)
    assert csv_rows("", FILE)[0] == []
    columns, rows = csv_rows("a,b\n\n1,2\n , \n3,4,5\n", FILE)
    assert columns == ["a", "b"]
    assert list(rows) == [(3, {"a": "1", "b": "2"}), (5, {"a": "3", "b": "4", None: ["5"]})]
    with pytest.raises(InputError, match=r"file:\d+: this is not a CSV table"):
        list(csv_rows("a\n" + "x" * 200_000, FILE)[1])


def test_a_name_that_is_nearly_right(tmp_path: Path) -> None:
    (tmp_path / "RESULT.json").write_text("{}")
    with pytest.raises(InputError, match=r"did you mean .*/RESULT\.json\?$"):
        read_text(tmp_path / "RESULTS.json")
    with pytest.raises(InputError, match=r"No such file or directory\)$"):
        read_text(tmp_path / "other.csv")
    assert similar_name(tmp_path / "none" / "x") == ""


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_tables_have_commas_semicolons_or_tabs(mark: str) -> None:
    text = f"A{mark}b\n1{mark}x y\n"
    columns, rows = csv_rows(text, Path("t.csv"))
    assert columns == ["a", "b"]
    assert [row for _, row in rows] == [{"a": "1", "b": "x y"}]
    columns, rows = csv_rows("a,b\n1;2,3\n", Path("t.csv"))
    assert [row for _, row in rows] == [{"a": "1;2", "b": "3"}]
