"""The report as text: what it says, and that no name can break out of it."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.files.escape import escaped
from plancost.learning.choose.choice import Uncertainty
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import load_case
from plancost.observations.road_map import Road, RoadMap, Route, case_from_routes
from plancost.report.conflicts import Members, draw_conflicts, find_conflicts
from plancost.report.content import same_steps
from plancost.report.histogram import bars, by_schema
from plancost.report.page import report_page, write_report
from plancost.report.sections import conflicts_section, opening
from plancost.results.reading import read_result
from plancost.results.result import ExplanationKeys, Result
from plancost.results.wording import linear_in_words
from support.reports import write_large_report

HOSTILE = "</script><script>alert(1)</script><!--\"'&"


class Seen(HTMLParser):
    """The tags of a page, and what stands inside scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_script = tag == "script"
        if self._in_script:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts[-1] += data


EXAMPLE = Path(__file__).parents[2] / "examples" / "avoid-the-centre"


def seen(page: str) -> Seen:
    parser = Seen()
    parser.feed(page)
    parser.close()
    return parser


def page_of(folder: Path, options: LearnOptions = LearnOptions()) -> tuple[str, Result]:  # noqa: B008
    case = load_case(folder)
    result = learn(case, options)
    return report_page(result, case, folder.name), result


def data_of(page: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(seen(page).scripts[0])
    return content


def test_costs_with_their_uncertainty(table_1: Path) -> None:
    case = load_case(table_1)
    result = learn(case)
    plain = report_page(result, case, "town")
    assert data_of(plain)["uncertainty"] is None and "90 % interval" not in plain
    used = {step for observation in case.observations for step in observation.plan}
    known = {
        name: Uncertainty(100.25 + number, 10.0, 80.0, 120.0, name in used)
        for number, name in enumerate(sorted(result.costs))
    }
    page = report_page(replace(result, uncertainty=known), case, "town")
    for title in ("mean", "sd", "90 % interval"):
        assert f'<button type="button">{title}</button>' in page
    data = data_of(page)
    shown = data["uncertainty"]
    assert shown["mean"] == [round(known[name].mean, 1) for name in data["actions"]]
    assert shown["observed"] == [name in used for name in data["actions"]]
    assert {True, False} == set(shown["observed"])  # what is not observed is faint
    assert set(shown["words"]) == {"80 to 120", "80 to 120 (nothing observed)"}


def test_what_learning_was_told_is_in_the_page(example_1: Path) -> None:
    options = LearnOptions(suboptimality=Fraction(11, 10), least_factors=True, max_cost=6)
    page, result = page_of(example_1, options)
    assert "a plan may cost 11/10 times as much as the cheapest" in page
    for plan, item in zip(data_of(page)["plans"], result.observations, strict=True):
        ratio = f"costs {float(item.ratio or 0):.4g} times as much"
        assert any(ratio in words for words in plan["words"])
        assert any(words.startswith("alone, it ") for words in plan["words"])


def test_shared_costs_are_in_the_page(example_1: Path) -> None:
    page, result = page_of(example_1, LearnOptions(share=("schema",), compare_unshared=True))
    assert result.shared and result.unshared
    for name, cost in result.shared.items():
        assert f'<td class="action">{name}</td><td class="number">{cost}</td>' in page
    assert "without sharing" in page
    assert "Shared costs" not in page_of(example_1)[0]


def test_linear_costs_are_in_the_page(example_1: Path) -> None:
    page, result = page_of(example_1, LearnOptions(linear=("move (length ?a ?b)",)))
    assert result.linear
    words = linear_in_words(result.linear["move"])
    assert f'Cost of <span class="action">move</span>: {words}</li>' in page
    assert "Cost of" not in page_of(example_1)[0]


def test_known_costs_are_in_the_page(example_1: Path) -> None:
    plans = sorted(path.name for path in example_1.glob("*.plan"))
    rows = [f"{plan.split('.')[0]}.pddl,{plan},7.5" for plan in plans]
    manifest = example_1 / "bills.csv"
    manifest.write_text("\n".join(["problem,plan,cost", *rows]) + "\n")
    case = load_case(manifest, domain=example_1 / "domain.pddl")
    page = report_page(learn(case, LearnOptions(soft_costs=True)), case, "bills")
    assert "from 2 known costs" in page
    for plan in data_of(page)["plans"]:
        assert any(words.startswith("known to cost 7.5: 0.5 ") for words in plan["words"])


def test_what_the_page_knows(example_1: Path) -> None:
    page, result = page_of(example_1)
    data = data_of(page)
    assert data["actions"] == sorted(result.costs)
    assert data["costs"] == [result.costs[name] for name in data["actions"]]
    assert data["initial"] is None and data["ranges"] is None
    assert len(data["plans"]) == 2
    names = [[data["actions"][n] for n in plan["steps"]] for plan in data["plans"]]
    assert names == [["(move a c)", "(move c b)"], ["(move a b)", "(move b c)"]]
    (lost,) = [plan for plan in data["plans"] if not plan["optimal"]]
    assert lost["rivalWords"].startswith("found by search")
    assert lost["words"][0].startswith("in conflict")
    assert lost["route"] and lost["rivalRoute"]
    (won,) = [plan for plan in data["plans"] if plan["optimal"]]
    assert won["words"] == [f"optimal: no plan of {won['problem']} costs less than {won['cost']}"]
    assert "1 of 2 observed plans is optimal" in page
    assert "proven: no costs make more plans optimal" in page


def test_refined_costs_show_what_changed(table_1: Path) -> None:
    page, result = page_of(table_1, LearnOptions(refine=True, ranges=True))
    data = data_of(page)
    changes = [abs(new - old) for new, old in zip(data["costs"], data["initial"], strict=True)]
    assert sum(changes) == result.secondary.value == 2
    assert len(data["ranges"]) == len(data["actions"])
    assert "distance from the initial costs" in page


def test_a_case_without_pddl() -> None:
    main = Road.between("(main street)", 0, 1, two_way=True)
    roads = (main, Road.between("(lane)", 1, 2), Road.between("(<b>)", 0, 2))
    routes = [Route(0, ("(main street)", "(lane)")), Route(1, ("(main street)", "(<b>)"))]
    case = case_from_routes(RoadMap(("a", "b", "c"), roads), routes)
    data = data_of(report_page(learn(case), case, "roads"))
    assert [plan["route"] for plan in data["plans"]] == [[0, 1, 2], [1, 0, 2]]
    assert data["actions"] == ["(<b>)", "(lane)", "(main street)"]
    assert data["schemas"] == ["<b>", "lane", "main"]


def test_initial_costs_come_from_the_result_and_from_no_file(table_1: Path, tmp_path: Path) -> None:
    file = tmp_path / "initial.json"
    file.write_text("{}")
    case = load_case(table_1)
    result = learn(case, LearnOptions(initial_costs=file, default_cost=1))
    assert data_of(report_page(result, case, "x"))["initial"] == [1] * 14
    page = report_page(replace(result, initial_costs=None), case, "x")
    assert data_of(page)["initial"] is None
    assert "Changes are not shown" in page


def test_the_policy_allows_what_is_there(table_1: Path) -> None:
    page, _ = page_of(table_1)
    found = seen(page)
    policy = next(a["content"] for t, a in found.tags if a.get("http-equiv"))
    assert policy is not None and "default-src 'none'" in policy and "unsafe" not in policy
    assert not [a for _, a in found.tags if "style" in a or any(k.startswith("on") for k in a)]
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)


def test_hostile_names_stay_text(table_1: Path) -> None:
    case = load_case(table_1)
    result = learn(case)
    first = replace(result.observations[0], plan=HOSTILE, problem=HOSTILE)
    explanation: ExplanationKeys = {"reason": "in conflict", "plans": [HOSTILE, "p2.plan"]}
    first = replace(first, optimal=False, explanation=explanation, rival=(), rival_cost=0)
    hostile = replace(
        result,
        observations=(first, result.observations[1]),
        notes=(HOSTILE,),
        options={"seed": HOSTILE},
        conflict=(HOSTILE, "p2.plan"),
        exists=False,
    )
    page = report_page(hostile, case, HOSTILE)
    found = seen(page)
    assert len(found.scripts) == 2
    assert found.tags.count(("script", {})) == 1
    assert HOSTILE not in page
    assert data_of(page)["plans"][0]["name"] == HOSTILE


TURNED = "a\u202eb\u2028\x85\x1b[2J\n\udcff\ufffe"


def test_no_sign_of_a_name_does_anything(table_1: Path) -> None:
    """Signs that turn text around, move a cursor or end a line are written out everywhere."""
    case = load_case(table_1)
    result = learn(case)
    first = replace(result.observations[0], plan=TURNED, problem=TURNED, optimal=False)
    explanation: ExplanationKeys = {"reason": TURNED, "plans": [TURNED, "p2.plan"]}
    turned = replace(
        result,
        observations=(replace(first, explanation=explanation), result.observations[1]),
        notes=(TURNED,),
        options={TURNED: TURNED},
        conflict=(TURNED, "p2.plan"),
        shared={TURNED: 1},
    )
    page = report_page(turned, case, TURNED)
    wrong = {c for c in page if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert wrong <= {"\n"}
    assert escaped(TURNED) == "a\\u202eb\\u2028\\x85\\x1b[2J\\n\\udcff\\ufffe"
    assert page.count(escaped(TURNED)) > 5
    assert data_of(page)["plans"][0]["name"] == escaped(TURNED)


def test_no_sign_of_a_place_does_anything() -> None:
    place = "a\u202eb\udcff"
    names = (f"(go s {place})", f"(go {place} t)")
    roads = tuple(Road.between(name, start, start + 1) for start, name in enumerate(names))
    case = case_from_routes(RoadMap(("s", place, "t"), roads), [Route(0, names)])
    page = report_page(learn(case), case, "town")
    wrong = {c for c in page if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert wrong <= {"\n"}


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_same_steps_are_the_same(plan: list[str], other: list[str]) -> None:
    at = beside = 0
    for start, other_start, size in same_steps(tuple(plan), tuple(other)):
        assert start >= at and other_start >= beside and size > 0
        assert plan[start : start + size] == other[other_start : other_start + size]
        at, beside = start + size, other_start + size
    if plan == other and plan:
        assert same_steps(tuple(plan), tuple(other)) == [(0, 0, len(plan))]


@settings(deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=60))
def test_bars_hold_every_cost(values: list[int]) -> None:
    costs = {f"({'go' if n % 2 else 'stay'} {n})": value for n, value in enumerate(values)}
    found = bars(costs)
    assert len(found) <= 16
    assert sum(bar.total for bar in found) == len(values)
    for bar in found:
        assert bar.total == sum(bar.first <= value <= bar.last for value in values)
    schemas = by_schema(costs)
    assert sum(sum(found) for _, found in schemas) == sum(values)
    assert sum(len(found) for _, found in schemas) == len(values)


def test_conflicts_as_a_graph(write_graph_case: WriteGraphCase) -> None:
    edges = both_ways({"ab": 1, "ac": 1, "bc": 1})
    folder = write_graph_case(edges, ["acb", "abc", "acb"])
    result = learn(folder)
    conflicts = find_conflicts(result)
    assert conflicts and all(len(members) == 2 for members in conflicts)
    drawing, shown = draw_conflicts(conflicts, result)
    assert shown == len(conflicts)
    assert drawing.count("<circle cx") == len({m for members in conflicts for m in members})
    many: list[Members] = [(n, n + 1) for n in range(1, 200)]
    many.append((1, 2, 3))
    wide = replace(result, observations=result.observations[:1] * 201)
    drawing, shown = draw_conflicts(many, wide)
    assert 30 < shown < 60
    assert 'class="dot"' in drawing


@pytest.mark.parametrize(
    ("plans", "optimal", "words"),
    [
        (1, 1, "The observed plan is optimal"),
        (1, 0, "The observed plan is not optimal"),
        (2, 2, "Both observed plans are optimal"),
        (5, 5, "All 5 observed plans are optimal"),
        (5, 1, "1 of 5 observed plans is optimal"),
        (5, 0, "None of 5 observed plans are optimal"),
    ],
)
def test_the_opening(plans: int, optimal: int, words: str, table_1: Path) -> None:
    result = replace(learn(table_1), plans=plans, optimal_plans=optimal)
    assert opening(result).startswith(words)


def test_a_large_report_stays_small(example_1: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_large_report(example_1, path)
    assert 500_000 < path.stat().st_size < 2_000_000


def test_what_is_not_explained_is_not_called_free_of_conflicts(example_1: Path) -> None:
    """As after Ctrl-C, when there was no time for explanations."""
    result = learn(example_1)
    bare = tuple(replace(item, explanation=None) for item in result.observations)
    waiting = sum(item.optimal is not True for item in bare)
    stopped = replace(result, observations=bare, conflict=())
    assert waiting
    said = conflicts_section(find_conflicts(stopped), stopped)
    assert f"{waiting} plan" in said and "not explained yet" in said and "plancost explain" in said
    assert "No plan is known" not in said


def test_a_result_and_a_case_as_paths(tmp_path: Path) -> None:
    file, case = tmp_path / "result.json", load_case(EXAMPLE)
    learn(case).write(file)
    write_report(read_result(file), case, tmp_path / "one.html")
    write_report(str(file), str(EXAMPLE), tmp_path / "two.html")
    assert (tmp_path / "one.html").read_text() == (tmp_path / "two.html").read_text()
    with pytest.raises(InputError, match="belongs to another"):
        write_report(file, EXAMPLE.parent / "town", tmp_path / "three.html")
    assert not (tmp_path / "three.html").exists()
