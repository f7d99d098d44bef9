from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.files.input_files import read_text
from plancost.observations.sexpr import (
    Atom,
    SList,
    all_lists,
    head,
    read,
    render,
    sections,
    words,
)

PATH = Path("some.pddl")


def test_words_are_lower_cased_and_remember_where_they_stand() -> None:
    text = "(define ; (a comment)\n  (Domain X))"
    tree = read(text, PATH)
    assert render(tree) == "(define (domain x))"
    domain = tree.items[1]
    assert isinstance(domain, SList)
    assert text[domain.start : domain.end] == "(Domain X)"
    assert (tree.line, domain.line) == (1, 2)
    name = domain.items[1]
    assert isinstance(name, Atom)
    assert (name.text, text[name.start : name.end], name.line) == ("x", "X", 2)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_all_line_ends_count_and_end_comments(line_end: str) -> None:
    tree = read(line_end.join(["; first", "(define ; two", "(a)", "(b))", ""]), PATH)
    assert [item.line for item in tree.items] == [2, 3, 4]


@pytest.mark.parametrize("sign", "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_nothing_else_ends_a_comment(sign: str) -> None:
    tree = read(f"(define ; one{sign}(a)\n(b))", PATH)
    assert render(tree) == "(define (b))"
    assert tree.items[1].line == 2


def test_a_byte_order_mark_is_skipped() -> None:
    assert render(read("\ufeff(define)", PATH)) == "(define)"


def test_a_question_mark_starts_a_word() -> None:
    assert render(read("(define ?a?b c?d)", PATH)) == "(define ?a ?b c ?d)"


def test_non_ascii_is_fine_in_comments_only() -> None:
    assert render(read("(define ; Größe\n)", PATH)) == "(define)"
    with pytest.raises(InputError, match=r"some\.pddl:2: .*ASCII"):
        read("(define\n größe)", PATH)
    with pytest.raises(InputError, match="ASCII"):
        read("(define\u00a0(a))", PATH)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"some\.pddl: this file is empty"),
        ("; only a comment\n", "empty"),
        ("(define\n (a\n  (b)\n", r"some\.pddl:2: the '\(' of this line has no '\)'"),
        ("(define (a)))\n", r":1: .*one '\)' too many"),
        ("(define)\n(define)", r":2: "),
        ("define (a)", r":1: expected '\(define"),
        (")", r"expected '\(define"),
        ("(defun)", r"expected '\(define"),
        ("()", r"expected '\(define"),
    ],
)
def test_broken_files_are_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text, PATH)


def test_a_missing_parenthesis_is_narrowed_down() -> None:
    text = "(define (domain d)\n(:predicates (p)\n(:action a\n :effect (p))\n)"
    with pytest.raises(InputError, match="missing before line 3"):
        read(text, PATH)


@pytest.mark.parametrize(
    "text", ["(" * 100_000, "(" * 100_000 + ")" * 100_000, "(define " * 5_000 + ")" * 5_000]
)
def test_deep_nesting_is_an_error_and_not_a_crash(text: str) -> None:
    with pytest.raises(InputError, match="nested more than"):
        read(text, PATH)


@pytest.mark.parametrize("length", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_long_flat_file_is_read(length: int) -> None:
    assert len(read("(define " + "(a b)" * length + ")", PATH).items) == length + 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.pddl: cannot read"):
        read_text(tmp_path / "none.pddl")
    with pytest.raises(InputError, match="cannot read"):
        read_text(tmp_path)
    (tmp_path / "latin.pddl").write_bytes(b"(define\n; gr\xf6\xdfe\n)")
    with pytest.raises(InputError, match=r"latin\.pddl:2: this file is not UTF-8"):
        read_text(tmp_path / "latin.pddl")


def test_read_file_keeps_line_ends_and_drops_the_mark(tmp_path: Path) -> None:
    (tmp_path / "a.pddl").write_bytes(b"\xef\xbb\xbf(define)\r\n")
    assert read_text(tmp_path / "a.pddl") == "(define)\r\n"


def test_helpers() -> None:
    tree = read("(define (:init (a b) (c)) (:goal (d)) (:init))", PATH)
    assert [render(found) for found in sections(tree, ":init")] == ["(:init (a b) (c))", "(:init)"]
    assert head(tree) == "define"
    assert head(tree.items[0]) == ""
    assert words(tree) is None
    assert words(sections(tree, ":init")[1]) == (":init",)
    assert [head(node) for node in all_lists(tree)] == [
        "define",
        ":init",
        "a",
        "c",
        ":goal",
        "d",
        ":init",
    ]


trees = st.recursive(
    st.sampled_from(["a", "b-1", "?x", ":k", "=", "1.5"]),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: "(" + " ".join(parts) + ")"),
    max_leaves=12,
)
spaces = st.sampled_from([" ", "\n", "\t", " ; note ( ) \n", "\r\n", "   "])


@given(st.lists(trees, max_size=5), st.data())
def test_layout_does_not_matter_and_positions_are_exact(
    parts: list[str], data: st.DataObject
) -> None:
    plain = " ".join(["(define", *parts]) + ")"
    text = "".join(data.draw(spaces) if letter == " " else letter for letter in plain)
    tree = read(text, PATH)
    assert render(tree) == plain
    for node in all_lists(tree):
        assert text[node.start] == "(" and text[node.end - 1] == ")"
        assert node.line == 1 + text[: node.start].count("\n")
        for item in node.items:
            if isinstance(item, Atom):
                assert text[item.start : item.end] == item.text
