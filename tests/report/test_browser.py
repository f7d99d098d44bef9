"""The page in a real browser, as a reader uses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plancost
from browser import chromium, opened
from cities import case_of, grid
from plancost.result.model import Result
from towns import write

EXAMPLES = Path(__file__).parents[2] / "examples"
PWNED = "document.title='pwned'"
IMAGE = f"<img/src=x/onerror={PWNED}>"
SCRIPT = f"</script><script>{PWNED}</script>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Five plans of PDDL, of which three can be optimal."""
    file = tmp_path_factory.mktemp("town") / "town.html"
    result = plancost.learn(EXAMPLES / "town")
    why = {"shop.monday.plan": ("it goes back", "<b>so</b> it is no use")}
    plancost.write_report(EXAMPLES / "town", result, file, explanations=why)
    return file, result


@pytest.fixture(scope="module")
def riverside(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Streets with known costs and two groups."""
    file = tmp_path_factory.mktemp("riverside") / "riverside.html"
    result = plancost.learn(EXAMPLES / "riverside-town", refine="minutes")
    plancost.write_report(EXAMPLES / "riverside-town", result, file)
    return file, result


def test_it_has_the_numbers_of_the_result(browser: Any, town: tuple[Path, Result]) -> None:
    file, result = town
    with opened(browser, file) as page:
        assert page.text("h1") == "3 of 5 plans are optimal under the learned costs"
        assert page.texts("main dd b") == ["3 of 5", "complete", "13", page.texts("main dd b")[3]]
        assert page.texts(".proven")[0] == "proven: no costs make more plans optimal"
        costs = dict(zip(page.column("cost", 1), page.column("cost", 2), strict=True))
        assert costs == {name: f"{cost}" for name, cost in result.costs.items()}
        told = {item.name: (f"{item.cost}", item.optimal) for item in result.observations}
        shown = zip(*(page.column("plan", number) for number in (1, 2, 4)), strict=True)
        assert {name: (cost, is_it == "yes") for name, cost, is_it in shown} == told


def test_a_plan_stands_beside_its_alternative(browser: Any, town: tuple[Path, Result]) -> None:
    with opened(browser, town[0]) as page:
        page.page.get_by_role("button", name="shop.monday.plan").click()
        said = "It costs 5, 2 more than the cheapest plan of the same task (3)."
        assert page.text("#chosen p") == said
        assert page.texts(".detail li") == ["it goes back", "<b>so</b> it is no use"]
        assert page.texts(".steps th") == ["observed, cost 5", "alternative, cost 3"]
        assert page.texts(".steps td.other") and page.texts(".steps td.own")
        lines = page.page.locator("#over .chosen path")
        kinds = {lines.nth(n).get_attribute("class") for n in range(lines.count())}
        assert kinds >= {"trip", "other"}
        assert page.page.url.endswith("#plan-4")
        page.page.keyboard.press("Escape")
        assert page.texts(".detail") == [] and lines.count() == 0


def test_it_works_within_a_notebook(browser: Any, tmp_path: Path) -> None:
    shown = plancost.show(EXAMPLES / "town", plancost.learn(EXAMPLES / "town"))
    file = tmp_path / "cell.html"
    file.write_text(f"<!DOCTYPE html><meta charset=utf-8>{shown._repr_html_()}", encoding="utf-8")
    with opened(browser, file) as page:
        inside = page.page.frame_locator("iframe")
        inside.get_by_role("button", name="shop.monday.plan").click()
        assert (
            "the cheapest plan of the same task" in inside.locator("#chosen p").first.inner_text()
        )
        page.requests[:] = [url for url in page.requests if url != "about:srcdoc"]


def test_sorting_and_searching(browser: Any, town: tuple[Path, Result]) -> None:
    with opened(browser, town[0]) as page:
        assert page.column("cost", 2)[0] == "2"
        head = page.page.locator("#cost-table th[data-key=cost]")
        assert head.get_attribute("aria-sort") == "descending"
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == "ascending"
        assert page.column("cost", 2) == sorted(page.column("cost", 2))
        page.page.locator("#cost-table th[data-key=name] button").click()
        assert page.column("cost", 1) == sorted(page.column("cost", 1))
        page.page.fill("#cost-search", "HILL school")
        assert set(page.column("cost", 1)) == {"(walk hill school)", "(walk school hill)"}
        assert page.text("#cost-count") == "2 of 12"
        page.page.select_option("#cost-filter", "used")
        assert page.column("cost", 1) == ["(walk hill school)"]
        page.page.select_option("#plan-filter", "no")
        assert page.column("plan", 4) == ["no", "no"]


def test_by_keyboard(browser: Any, town: tuple[Path, Result]) -> None:
    with opened(browser, town[0]) as page:
        keyboard, view = page.page.keyboard, page.page.locator("#canvas")
        keyboard.press("Tab")
        assert page.page.evaluate("document.activeElement.className") == "skip"
        keyboard.press("Tab")
        before = view.get_attribute("viewBox")
        for key in ("+", "ArrowLeft", "-", "ArrowUp"):
            keyboard.press(key)
            assert view.get_attribute("viewBox") != before
            before = view.get_attribute("viewBox")
        page.page.locator("#plan-search").focus()
        keyboard.press("Tab")
        for _ in range(5):  # past the heads of the table
            keyboard.press("Tab")
        keyboard.press("Enter")
        assert len(page.texts(".detail")) == 1
        assert page.page.evaluate("document.activeElement.ariaExpanded") == "true"


def test_the_map_can_be_clicked(browser: Any, riverside: tuple[Path, Result]) -> None:
    file, result = riverside
    with opened(browser, file) as page:
        page.page.locator("#cost-table button.name").first.click()
        box = page.page.locator("#over .chosen path").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        name = page.text("#chosen .action")
        page.page.keyboard.press("Escape")
        page.page.mouse.move(x, y)
        cost = result.parts[0].costs[name]
        assert page.text("#tip").startswith(f"{name}: cost {cost};")
        page.page.mouse.click(x, y)
        assert page.text("#chosen li").startswith(f"{name}: cost {cost}, known ")
        page.page.locator("#chosen p button").first.click()
        assert len(page.texts(".detail")) == 1


def test_groups(browser: Any, riverside: tuple[Path, Result]) -> None:
    file, result = riverside
    with opened(browser, file, "#group-2-plan-3") as page:
        trip = result.parts[1].observations[2]
        assert page.text("#chosen b") == trip.name
        assert page.text("[aria-pressed=true]").startswith("evening")
        assert "of evening" in page.text("section.part:not([hidden]) h2")
        seen = {name: int(cost) for name, cost in _rows(page)}
        assert {name: result.parts[1].costs[name] for name in seen} == seen
        page.page.locator("[data-group='0']").click()
        assert page.texts(".detail") == []
        seen = {name: int(cost) for name, cost in _rows(page)}
        assert {name: result.parts[0].costs[name] for name in seen} == seen


def _rows(page: Any) -> Iterator[tuple[str, str]]:
    return zip(page.column("cost", 1), page.column("cost", 2), strict=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(browser: Any, riverside: tuple[Path, Result], scheme: str) -> None:
    with opened(browser, riverside[0], width=360, scheme=scheme) as page:
        page.page.locator("#plan-table button.name").first.tap()
        page.page.locator(".detail .show").tap()
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        colour = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
        is_dark = sum(map(int, colour[4:-1].split(","))) < 3 * 128
        assert is_dark == (scheme == "dark")


def test_names_are_only_text(browser: Any, tmp_path: Path) -> None:
    domain = (
        "(define (domain d) (:predicates (at ?a) (way ?a ?b)) (:action go :parameters (?a ?b) "
        ":precondition (and (at ?a) (way ?a ?b)) :effect (and (not (at ?a)) (at ?b))))"
    )
    problem = (
        f"(define (problem p) (:domain d) (:objects {IMAGE} {SCRIPT} a b) (:init (at a) "
        f"(way a {IMAGE}) (way {IMAGE} {SCRIPT}) (way {SCRIPT} b)) (:goal (at b)))"
    )
    plan = f"(go a {IMAGE})\n(go {IMAGE} {SCRIPT})\n(go {SCRIPT} b)\n"
    name = f"p.{IMAGE.replace('/', ' ')}.plan"
    case = write(
        tmp_path / f"<b onclick={PWNED}>", {"domain.pddl": domain, "p.pddl": problem, name: plan}
    )
    file, result = tmp_path / "report.html", plancost.learn(case)
    why = {name: (SCRIPT, IMAGE, "\u2028\u202e\x1b")}
    plancost.write_report(case, result, file, explanations=why)
    with opened(browser, file, "#plan-1") as page:
        assert page.page.title() == f"<b onclick={PWNED}>: learned costs"
        assert page.texts(".detail li") == [SCRIPT, IMAGE, r"\u2028\u202e\x1b"]
        assert page.page.locator("img").count() == 0
        assert f"(go {IMAGE} {SCRIPT})" in page.column("cost", 1)


def test_a_large_page(browser: Any, tmp_path: Path) -> None:
    links = grid(30)
    case = case_of(links, [[n] for n in range(1000)])
    file = tmp_path / "large.html"
    plancost.write_report(case, dict.fromkeys(case.actions, 1), file)
    assert file.stat().st_size < 1_500_000
    with opened(browser, file) as page:
        assert page.text("h1").startswith("1,000 of 1,000 trips")
        assert len(page.column("plan", 1)) == 30
        page.page.locator("#plan-more").click()
        assert len(page.column("plan", 1)) == 230
        begun = page.page.evaluate("performance.now()")
        page.page.locator("#zoom-in").click()
        page.page.evaluate("new Promise(done => requestAnimationFrame(done))")
        assert page.page.evaluate("performance.now()") - begun < 2000
