from __future__ import annotations

import math
import os
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plancost.case.tables import read_table
from plancost.errors import InputError
from plancost.values import ratio, whole


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), 3.0, Fraction(6, 2), Decimal(3)])
def test_whole_numbers(value: Any) -> None:
    found = whole(value, "n", least=3, most=3)
    assert found == 3 and type(found) is int
    for least, most in ((4, 9), (0, 2)):
        with pytest.raises(InputError):
            whole(value, "n", least=least, most=most)


@pytest.mark.parametrize("value", [True, "3", b"3", None, 2.5, math.nan, math.inf, [3], 3j])
def test_what_is_no_whole_number(value: Any) -> None:
    with pytest.raises(InputError, match="n must"):
        whole(value, "n")


def test_whole_numbers_as_text() -> None:
    assert [whole(text, "n", text=True) for text in (" 3 ", "+3", "003")] == [3, 3, 3]
    for text in ("", "3.5", "³", "٣", "1_0", "0x3", "nan", "9" * 99):
        with pytest.raises(InputError):
            whole(text, "n", text=True)


def test_factors_are_exact() -> None:
    same = [1.1, "1.1", "11/10", " 11 / 10 ", Decimal("1.1"), Fraction(11, 10), np.float64(1.1)]
    assert {ratio(value, "w") for value in same} == {Fraction(11, 10)}
    assert ratio(2, "w") == 2 and ratio("1.0001", "w") == Fraction(10001, 10000)
    for wrong in (0.9, "1.00001", "nan", "1/0", "1e99", True, None, math.inf, "-2", "1/2/3", ""):
        with pytest.raises(InputError):
            ratio(wrong, "w")


def test_tables_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfname, size\r\n"a\nb",1\r\n\r\n c \r\n')
    found = read_table(path, "sizes", ("name",), ("size",))
    assert found.columns == ("name", "size")
    assert found.rows == ((3, {"name": "a\nb", "size": "1"}), (5, {"name": "c", "size": ""}))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"size\n1\n", 1),
        (b"name,name\n1,2\n", 1),
        (b"name,colour\n1,2\n", 1),
        (b"name\n1\n\xff\n", 3),
        (b"name\n1\n2,3\n", 3),
        (b'name,size\n1,2\n"",3\n', 3),
        (b"name\n" + b"a" * 200_000 + b"\n", 2),
    ],
)
def test_wrong_tables(content: bytes, line: int, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_table(path, "sizes", ("name",), ("size",))
    assert str(raised.value).startswith(f"{path}:{line}: ")
    os.mkfifo(tmp_path / "pipe.csv")
    for other in (tmp_path, tmp_path / "none.csv", tmp_path / "pipe.csv"):
        with pytest.raises(InputError):
            read_table(other, "sizes", ("name",))
