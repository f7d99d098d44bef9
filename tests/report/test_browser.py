"""The report in a real browser, as a reader uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from plancost.api.learn import learn
from plancost.observations.case import load_case
from plancost.report.page import write_report
from support.browser import Opened, chromium, opened
from support.reports import write_large_report, write_wide_report

EXAMPLE = Path(__file__).parents[2] / "examples" / "avoid-the-centre"
PWNED = "document.title='pwned'"
IMAGE = f"<img/src=x/onerror={PWNED}>"
SCRIPT = f"</script><script>{PWNED}</script>"
FOLDER = f"<b onclick={PWNED}>"
FILE = f"p.<img src=x onerror={PWNED}>.plan"
LONG = "w" * 150


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the bundled example."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    case = load_case(EXAMPLE)
    write_report(learn(case), case, path)
    return path


@pytest.fixture
def clash(example_1: Path, tmp_path: Path) -> Path:
    """The report of two plans of which one can be optimal."""
    path = tmp_path / "clash.html"
    case = load_case(example_1)
    write_report(learn(case), case, path)
    return path


@pytest.fixture(scope="module")
def hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hundred") / "report.html"
    write_wide_report(path)
    return path


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """The report of a case whose names are code, or far too long."""
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / "domain.pddl").write_text(
        "(define (domain d) (:predicates (at ?a) (way ?a ?b)) (:action go :parameters (?a ?b) "
        ":precondition (and (at ?a) (way ?a ?b)) :effect (and (not (at ?a)) (at ?b))))"
    )
    (folder / "p.pddl").write_text(
        f"(define (problem p) (:domain d) (:objects {IMAGE} {SCRIPT} {LONG}) (:init (at {IMAGE}) "
        f"(way {IMAGE} {SCRIPT}) (way {IMAGE} {LONG}) (way {LONG} {SCRIPT})) (:goal (at {SCRIPT})))"
    )
    (folder / FILE).write_text(f"(go {IMAGE} {LONG})\n(go {LONG} {SCRIPT})\n")
    (folder / f"p.{LONG}.plan").write_text(f"(go {IMAGE} {SCRIPT})\n")
    case = load_case(folder)
    result = learn(case)
    path = tmp_path / "report.html"
    notes = (SCRIPT, IMAGE, LONG, "\u2028\x1b\x00\udcff]]>")
    options = result.options | {IMAGE: SCRIPT, "initial_costs": "file:///etc/passwd"}
    write_report(replace(result, notes=notes, options=options), case, path)
    return path


def shown_costs(page: Opened) -> list[int]:
    return [int(text) for text in page.texts("#cost-table tbody td:nth-child(2)")]


def test_it_opens_on_what_was_learned(browser: Browser, example: Path) -> None:
    with opened(browser, example) as page:
        words = "All 4 observed plans are optimal under the learned costs: 7 of 80 actions cost"
        assert page.text("h1").startswith(words)
        assert "94 proven least" in page.text(".proof")
        assert page.texts("#plan-list summary .verdict-yes") == ["optimal"] * 4


def test_sorting(browser: Browser, example: Path) -> None:
    with opened(browser, example) as page:
        assert shown_costs(page)[:8] == [3] * 7 + [1]
        head = page.page.locator("th[data-key=cost]")
        assert head.get_attribute("aria-sort") == "descending"
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == "ascending"
        assert shown_costs(page) == [1] * 25
        page.page.locator("th[data-key=action] button").click()
        assert head.get_attribute("aria-sort") is None
        names = page.texts("#cost-table tbody td:first-child")
        assert names == sorted(names) and names[0] == "(drive car x0y0 x0y1)"
        page.page.locator("#cost-more").click()
        assert len(shown_costs(page)) == 80
        assert page.page.locator("#cost-more").is_hidden()


def test_searching(browser: Browser, example: Path) -> None:
    with opened(browser, example) as page:
        page.page.fill("#cost-search", "X1Y2 drive")
        assert page.page.locator("#cost-table tbody tr").count() == 8
        assert page.text("#cost-count") == "8 of 80 actions"
        assert page.page.locator("#cost-count").get_attribute("aria-live") == "polite"
        page.page.select_option("#cost-schema", "drive")
        assert page.text("#cost-count") == "8 of 80 actions"
        page.page.fill("#cost-search", "nowhere")
        assert page.text("#cost-count") == "0 of 80 actions"
        page.page.fill("#plan-search", "courier")
        assert page.text("#plan-count") == "2 of 4 plans"
        page.page.select_option("#plan-filter", "no")
        assert page.text("#plan-count") == "0 of 4 plans"


def test_following_a_plan(browser: Browser, clash: Path) -> None:
    with opened(browser, clash) as page:
        lost = page.page.locator("#plan-list details", has_text="not optimal")
        lost.locator("summary").click()
        assert "in conflict" in lost.locator("ul").inner_text()
        expect(lost.locator(".compared tbody tr")).to_have_count(2)
        expect(lost.locator(".own")).to_have_count(2)
        expect(lost.locator(".other")).to_have_count(1)
        picture = page.page.locator("#picture")
        assert "choosing" in (picture.get_attribute("class") or "")
        expect(picture.locator(".chosen .plan polyline")).to_have_count(1)
        expect(picture.locator(".chosen .rival polyline")).to_have_count(1)
        assert "not optimal; the dashed alternative costs" in page.text("#map-status")
        pressed = picture.locator('.chip[aria-pressed="true"]')
        assert pressed.count() == 1
        pressed.click()
        assert picture.locator(".chosen polyline").count() == 0
        assert "choosing" not in (picture.get_attribute("class") or "")


def test_from_a_conflict_to_its_plan(browser: Browser, clash: Path) -> None:
    with opened(browser, clash) as page:
        page.page.select_option("#plan-filter", "no")
        winner = page.page.locator(".conflict-graph a.is-optimal")
        number = winner.get_attribute("data-plan")
        winner.click()
        details = page.page.locator(f"#plan-{number}")
        assert details.get_attribute("open") is not None
        assert details.locator("summary").evaluate("e => e === document.activeElement")


def test_a_link_to_a_plan_opens_it(browser: Browser, clash: Path) -> None:
    with opened(browser, clash) as page:
        page.page.goto(f"{clash.as_uri()}#plan-2")
        page.page.reload()
        assert page.page.locator("#plan-2").get_attribute("open") is not None
        page.requests = page.requests[:1]


def test_by_keyboard_alone(browser: Browser, example: Path) -> None:
    with opened(browser, example) as page:
        keys = page.page.keyboard
        focused = "document.activeElement.textContent"
        keys.press("Tab")
        assert page.page.evaluate(focused) == "To the content"
        assert page.page.locator(".skip").bounding_box()["x"] >= 0  # type: ignore[index]
        for _ in range(20):
            keys.press("Tab")
            if page.page.evaluate(focused) == "visitor.plan":
                break
        width = page.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert width == "solid"
        keys.press("Enter")
        assert page.text("#map-status").startswith("Plan 4, visitor.plan: cost 7, optimal.")
        for _ in range(20):
            keys.press("Tab")
            if page.page.evaluate(focused) == "plans with it":
                break
        keys.press("Space")
        uses = [int(text) for text in page.texts("#cost-table tbody td:nth-child(3)")]
        assert uses == sorted(uses, reverse=True) and uses[0] > 0
        for _ in range(20):
            keys.press("Tab")
            if page.page.evaluate("document.activeElement.tagName") == "SUMMARY":
                break
        keys.press("Enter")
        expect(page.page.locator("#plan-1 .steps tbody tr")).to_have_count(8)


@pytest.mark.parametrize("width", [320, 375, 800])
def test_no_sideways_scrolling(
    browser: Browser, example: Path, clash: Path, hostile: Path, width: int
) -> None:
    for file in (example, clash, hostile):
        with opened(browser, file, width=width) as page:
            for details in page.page.locator("details").all():
                details.locator("summary").first.click()
            plans = page.page.locator("#plan-list > li").count()
            expect(page.page.locator(".steps")).to_have_count(plans)
            scroll = page.page.evaluate("document.documentElement.scrollWidth")
            assert scroll <= width


def test_zoom_and_pan(browser: Browser, hundred: Path) -> None:
    def view() -> list[float]:
        return [float(n) for n in (svg.get_attribute("viewBox") or "").split()]

    with opened(browser, hundred) as page:
        svg = page.page.locator("#picture > svg")
        svg.scroll_into_view_if_needed()
        x, y, width, height = view()
        assert (x, y) == (0, 0) and page.page.locator("[data-zoom=out]").is_disabled()
        page.page.locator("[data-zoom=in]").click()
        assert view() == pytest.approx(
            [0.1875 * width, 0.1875 * height, width / 1.6, height / 1.6], abs=0.1
        )
        svg.hover()
        page.page.mouse.down()
        page.page.mouse.move(0, 0)
        page.page.mouse.up()
        assert view()[0] > 0.1875 * width, "dragged to the left, so what is on the right is seen"
        svg.focus()
        page.page.keyboard.press("0")
        assert view() == [0, 0, width, height]
        page.page.keyboard.press("+")
        before = view()
        page.page.keyboard.press("ArrowLeft")
        assert view()[0] < before[0]
        scrolled = page.page.evaluate("window.scrollY")
        svg.hover()
        page.page.mouse.wheel(0, 50)
        expect(svg).to_have_attribute("viewBox", " ".join(map("{:.1f}".format, view())))
        page.until(f"window.scrollY > {scrolled}")  # the page goes on scrolling
        page.page.keyboard.down("Control")
        smaller = view()[2]
        page.page.mouse.wheel(0, -200)
        page.until(
            f"Number(document.querySelector('#picture > svg').viewBox.baseVal.width) < {smaller}"
        )
        page.page.keyboard.up("Control")


def test_two_fingers_zoom(browser: Browser, hundred: Path) -> None:
    """On a phone; the page itself does not zoom."""

    def view() -> list[float]:
        return [float(n) for n in (svg.get_attribute("viewBox") or "").split()]

    with opened(browser, hundred, width=390, touch=True) as page:
        svg = page.page.locator("#picture > svg")
        svg.scroll_into_view_if_needed()
        box = svg.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        fingers = page.page.context.new_cdp_session(page.page)

        def touch(kind: str, apart: int | None) -> None:
            points = [] if apart is None else [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        def pinch(first: int, last: int) -> None:
            touch("touchStart", first)
            for apart in range(first, last, 10 if last > first else -10):
                touch("touchMove", apart)
            touch("touchMove", last)
            touch("touchEnd", None)

        width = view()[2]
        pinch(20, 80)
        assert view()[2] == pytest.approx(width / 4, rel=0.1)
        middle = view()[0] + view()[2] / 2
        assert middle == pytest.approx(width / 2, abs=0.1 * width)
        pinch(80, 10)
        assert view()[2] == width
        assert page.page.evaluate("window.visualViewport.scale") == 1


def test_numbers_can_be_read_on_a_phone(browser: Browser, hundred: Path) -> None:
    size = "e => parseFloat(getComputedStyle(e).fontSize) * e.ownerSVGElement.getScreenCTM().a"
    with opened(browser, hundred, width=360) as page:
        for selector in ("#picture .cost text", ".conflict-graph text"):
            assert page.page.locator(selector).first.evaluate(size) >= 11
        for _ in range(5):
            page.page.locator("[data-zoom=in]").click()
        assert 11 <= page.page.locator("#picture .cost text").first.evaluate(size) <= 20
        assert page.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_bounds_over_time(browser: Browser, hundred: Path) -> None:
    with opened(browser, hundred) as page:
        plot = page.page.locator("#proof .history")
        at = "e => { const end = e.getPointAtLength(e.getTotalLength()); return [end.x, end.y]; }"
        optimal, bound = (
            plot.locator(f"path.{kind}").evaluate(at) for kind in ("optimal", "bound")
        )
        assert optimal[0] == bound[0] == pytest.approx(100)
        assert optimal[1] >= bound[1], "the bound is above"
        said = plot.locator("svg").get_attribute("aria-label") or ""
        found = re.fullmatch(r"(\d+) plans optimal, at most (\d+) can be, after [\d.]+ s", said)
        assert found and page.text("h1").startswith(f"{found[1]} of 100 observed plans")


def test_groups(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "groups.html"
    case = load_case(EXAMPLE.parent / "two-kinds-of-drivers")
    result = learn(case, solution="scf", groups=2)
    write_report(result, case, path)
    first, second = (group.name for group in result.groups)
    plans = {
        name: [item.plan for item in result.observations if item.group == name]
        for name in (first, second)
    }

    def listed() -> list[str]:
        return [text.split()[1] for text in page.texts("#plan-list summary .who")]

    with opened(browser, path) as page:
        assert page.text("h1").startswith("8 of 8 observed plans are optimal")
        assert listed() == plans[first]
        page.page.locator("button[data-group]", has_text=second).click()
        assert listed() == plans[second]
        assert page.text("#proof").count(f"this is the group {second}") == 1
        page.page.locator("#plan-list summary").first.click()
        expect(page.page.locator("#plan-1 .steps")).to_have_count(1)
        assert page.text("#map-status").startswith("Plan 1")
        pressed = page.page.locator('button[data-group][aria-pressed="true"]')
        assert pressed.all_inner_texts() == [second]
        page.page.locator("button[data-group]", has_text=first).click()
        assert listed() == plans[first] and page.page.locator("#plan-1[open]").count() == 0
        page.page.goto(f"{path.as_uri()}#group-2-plan-2")
        page.page.reload()
        assert listed() == plans[second]
        assert page.page.locator("#plan-2").get_attribute("open") is not None
        page.requests = page.requests[:1]


def test_dark_mode(browser: Browser, example: Path) -> None:
    def brightness(page: Opened, selector: str, what: str) -> float:
        script = f"getComputedStyle(document.querySelector('{selector}')).{what}"
        colour: str = page.page.evaluate(script)
        parts = colour.removeprefix("rgb(").removesuffix(")").split(", ")
        return sum(map(int, parts)) / 3

    with opened(browser, example, scheme="dark") as page:
        assert brightness(page, "body", "backgroundColor") < 50
        assert brightness(page, "body", "color") > 200
        assert brightness(page, ".goal", "fill") < 50
        dark = brightness(page, ".streets", "stroke")
    with opened(browser, example) as page:
        assert brightness(page, "body", "backgroundColor") > 230
        assert brightness(page, ".streets", "stroke") > dark


def test_hostile_names_do_not_run(browser: Browser, hostile: Path) -> None:
    with opened(browser, hostile) as page:
        for summary in page.page.locator("#plan-list summary").all():
            summary.click()
        expect(page.page.locator(".steps")).to_have_count(2)
        page.page.fill("#cost-search", "img")
        assert page.page.title() == f"{FOLDER}: learned costs"
        assert page.page.locator("img").count() == 0
        assert page.page.locator("script").count() == 2
        assert any(FILE in text for text in page.texts("#plan-list summary"))
        assert IMAGE in page.text("#cost-table tbody")


def test_a_thousand_plans_and_twenty_thousand_actions(
    browser: Browser, example_1: Path, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    write_large_report(example_1, path)
    with opened(browser, path) as page:
        assert page.page.locator("#plan-list > li").count() == 30
        assert page.page.locator("#cost-table tbody tr").count() == 25
        seconds = page.page.evaluate(
            """() => { const begun = performance.now();
            document.querySelector('th[data-key=cost] button').click();
            return (performance.now() - begun) / 1000; }"""
        )
        assert seconds < 2
        page.page.select_option("#map-plan", "999")
        assert page.text("#map-status").startswith("Plan 999")
        page.page.locator("#map-status a").click()
        expect(page.page.locator("#plan-999 .steps")).to_have_count(1)
