"""Valid files with something wrong in them: what hands, editors and bad luck do to a file."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

from hypothesis import strategies as st

_TOKEN = re.compile(r"\s+|[()\[\]{},:;\"=*/]|[^\s()\[\]{},:;\"=*/]+")

WORDS = [
    *("(", ")", "((((", "))))", "?", "-", ";", '"', "'", "{", "}", "[", "]", ",", ":", "*", "="),
    *("", " ", "\n", "\r", "\t", "0", "-1", "1.5", "1e400", "1e999999999", "1/0", "NaN", "nan"),
    *("Infinity", "-Infinity", "9" * 30, "9" * 5000, "null", "true", "[]", "{}", "x" * 500),
    *("é", "\u2028", "\x85", "\x00", "\x1b[2J", "²", "٣", "\ufeff", "\\ud800", "..", "/", "#"),
    *("(and)", "(not)", "(or)", "(when)", "(forall)", "(either)", "()", "(=)", "(= a)", "and"),
    *("(increase)", "(increase (total-cost) -1)", "total-cost", "?a", ":action", ":init", ":goal"),
    *(":parameters", ":effect", ":objects", ":metric", ":derived", "define", "object", "either"),
]
"""What is put in place of a word, or between two."""

VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 10**12, 10**13, 10**30, 1.5, -0.0, 1e308, "", "x", "1"),
    *([], {}, [[]], [None], {"": None}, {"a": 1}, ["(move a b)"], [1, 2], "(move a b)", "\x00"),
    *("é\u2028\x1b", "²", "p1.plan", "../p1.plan", "/", [{}], {"name": 1}, [[[]]], ["a", 1, None]),
]
"""What is put in place of a value in JSON."""

RAW = ["NaN", "Infinity", "-Infinity", "1e400", "9" * 5000, '"\\ud800"', "1" + "0" * 400, "01"]
"""What JSON does not allow, or plancost does not."""


@st.composite
def mutated_text(draw: st.DrawFn, text: str) -> str:
    """A text with one to three words or stretches changed."""
    tokens = _TOKEN.findall(text)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(0, len(tokens) - 1)))
        end = min(len(tokens), place + draw(st.sampled_from([1, 1, 1, 2, 5, 40])))
        word = draw(st.sampled_from(WORDS))
        kind = draw(st.sampled_from(["delete", "repeat", "replace", "insert", "cut", "move"]))
        stretch = tokens[place:end]
        if kind == "delete":
            tokens[place:end] = []
        elif kind == "repeat":
            tokens[place:place] = stretch
        elif kind == "replace":
            tokens[place : place + 1] = [word]
        elif kind == "insert":
            tokens.insert(place, word)
        elif kind == "cut":
            del tokens[place:]
        else:
            tokens[place:end] = []
            other = draw(st.integers(0, len(tokens)))
            tokens[other:other] = stretch
    return "".join(tokens)


@st.composite
def as_bytes(draw: st.DrawFn, text: str) -> bytes:
    """A text as a file, mostly plainly; else with other line ends, marks or broken bytes."""
    data = text.encode("utf-8", errors="surrogatepass")
    kind = draw(st.sampled_from(["plain"] * 6 + ["crlf", "bom", "latin", "nul", "utf-16", "cr"]))
    if kind == "crlf":
        return data.replace(b"\n", b"\r\n")
    if kind == "cr":
        return data.replace(b"\n", b"\r")
    if kind == "bom":
        return b"\xef\xbb\xbf" + data
    if kind == "utf-16":
        return text.encode("utf-16", errors="surrogatepass")
    if kind in ("latin", "nul"):
        place = draw(st.integers(0, len(data)))
        return data[:place] + (b"\xe9" if kind == "latin" else b"\x00") + data[place:]
    return data


def mutated_file(text: str) -> st.SearchStrategy[bytes]:
    """A file of this text with something wrong in it."""
    return mutated_text(text).flatmap(as_bytes)


@st.composite
def mutated_json(draw: st.DrawFn, content: Any) -> bytes:  # noqa: ANN401 (any JSON)
    """JSON of which one to three values are of another kind, gone, or there twice."""
    changed = copy.deepcopy(content)
    raw: dict[str, str] = {}
    for number in range(draw(st.integers(1, 3))):
        holders = list(_holders(changed))
        if not holders:
            break
        holder = draw(st.sampled_from(holders))
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = draw(st.sampled_from(keys))
        kind = draw(st.sampled_from(["value", "value", "value", "delete", "twice", "raw", "key"]))
        if kind == "value":
            holder[key] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        elif kind == "delete":
            del holder[key]
        elif kind == "raw":
            raw[f"@raw{number}@"] = draw(st.sampled_from(RAW))
            holder[key] = f"@raw{number}@"
        elif kind == "twice" and isinstance(holder, list):
            holder.insert(key, holder[key])
        elif kind == "twice":
            raw[f"@raw{number}@"] = f"1, {json.dumps(key)}: 2"
            holder[key] = f"@raw{number}@"
        elif isinstance(holder, dict):
            holder[draw(st.sampled_from(WORDS))] = holder.pop(key)
    text = json.dumps(changed, indent=1, ensure_ascii=False)
    for mark, instead in raw.items():
        text = text.replace(f'"{mark}"', instead)
    return text.encode("utf-8", errors="surrogatepass")


def _holders(content: Any) -> list[Any]:  # noqa: ANN401
    """All objects and lists with something in them."""
    found = []
    waiting = [content]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list) and item:
            found.append(item)
            waiting += item.values() if isinstance(item, dict) else item
    return found
