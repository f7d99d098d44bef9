"""Text that does nothing: for terminals, logs, JSON, CSV and Markdown."""

from __future__ import annotations

import io
import json
import unicodedata
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from plancost.cli.output.console import as_text
from plancost.experiments.tables import latex_text
from plancost.files.escape import csv_value, escaped, html_text, json_text
from plancost.progress.terminal import PlainConsole

ANY = st.text(st.characters())  # half surrogate pairs too
HOSTILE = "a\x1b[2J\r\n\x9b31m\u202e\u2028\udcff\x07[red]|b"


def is_plain(text: str) -> bool:
    return all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in text)


@given(ANY)
def test_escaped_text_is_one_plain_line(text: str) -> None:
    assert is_plain(escaped(text))
    assert escaped(escaped(text)) == escaped(text)
    escaped(text).encode("utf-8")


@given(ANY)
def test_html_shows_the_escaped_text(text: str) -> None:
    written = html_text(text)
    assert is_plain(written) and not set(written) & set("<>\"'")
    assert ElementTree.fromstring(f"<p title='{written}'>{written}</p>").text == (
        escaped(text) or None
    )


@given(ANY)
def test_json_stays_what_it_is(text: str) -> None:
    content = {text: [text, 1, None]}
    written = json_text(content)
    assert json.loads(written) == content
    assert is_plain(written.replace("\n", ""))
    assert json.loads(json_text(content, indent=None)) == content


@pytest.mark.parametrize("text", ["=cmd|'/c calc'!A0", "+1", "-1", "@sum", " =1", "＝1"])
def test_formulas(text: str) -> None:
    assert csv_value(text) == f"'{text}"
    assert csv_value("p-1.plan") == "p-1.plan"
    assert csv_value(-1) == -1


def test_latex() -> None:
    assert latex_text("\\input{/etc/x}%\n$") == (
        r"\textbackslash{}input\{/etc/x\}\%\textbackslash{}n\$"
    )


def test_a_console_has_no_control_characters_but_its_own() -> None:
    file = io.StringIO()
    console = PlainConsole(file=file, force_terminal=True, width=200)
    table = Table("name", "other")
    table.add_row(as_text(HOSTILE, "bold"), Text(HOSTILE))
    console.print(table)
    console.print(Text(HOSTILE))
    written = file.getvalue()
    assert "\x1b[1m" in written  # bold is ours
    for sign in ("\x1b[2J", "\r", "\x9b", "\u202e", "\u2028", "\udcff", "\x07"):
        assert sign not in written
    assert "a\\x1b[2J\\r\\n\\x9b31m\\u202e\\u2028\\udcff\\x07[red]|b" in written
