"""The page in a real browser, as a person uses it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from plancost.cli.main import main
from support.browser import chromium
from support.explored import PATIENCE_S, Explored, explored

TOWN = Path(__file__).parents[2] / "examples" / "town"
FRIDAY, MONDAY = "school.friday.plan", "school.monday.plan"
PWNED = "document.title='pwned'"
IMAGE = f"<img/src=x/onerror={PWNED}>"
SCRIPT = f"</script><script>{PWNED}</script>"
FILE = f"p.<img src=x onerror={PWNED}>.plan"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def town() -> Iterator[Explored]:
    with explored(TOWN) as found:
        yield found


@contextmanager
def tab(browser: Browser, address: str) -> Iterator[Page]:
    """A tab on the page; nothing may go wrong there, and nothing be fetched from elsewhere."""
    context = browser.new_context(viewport={"width": 1100, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    errors: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    try:
        page.goto(address)
        yield page
        own = [text for text in errors if "409" not in text and "ERR_CONNECTION" not in text]
        assert own == []
        assert all(url.startswith(address) for url in asked)
    finally:
        context.close()


def expect_text(page: Page, selector: str, pattern: str) -> None:
    expect(page.locator(selector)).to_have_text(re.compile(pattern), timeout=1000 * PATIENCE_S)


def set_cost(page: Page, action: str, least: str, greatest: str) -> None:
    page.fill("#cost-search", action.strip("()"))
    page.locator("#cost-table tbody tr", has_text=action).first.click()
    assert page.input_value("#ask-action") == action
    page.fill("#ask-least", least)
    page.fill("#ask-greatest", greatest)
    page.locator("#ask-cost button").click()


def undo_all(page: Page) -> None:
    asked = page.locator("#ask-question li")
    expect_text(page, "#ask-status", "Ready")
    while before := asked.count():
        page.locator("#ask-undo").click()  # waits until it is enabled
        expect(asked).not_to_have_count(before, timeout=1000 * PATIENCE_S)
        expect_text(page, "#ask-status", "Ready")


def test_questions(browser: Browser, town: Explored) -> None:
    """A cost is fixed, a plan left out, another demanded; all is undone in another tab."""
    with tab(browser, town.server.address) as page, tab(browser, town.server.address) as other:
        expect_text(page, "#ask-status", "Ready")
        set_cost(page, "(walk bridge river)", "7", "7")
        for each in (page, other):
            expect_text(each, "#ask-question", r"\(walk bridge river\) costs 7")
            expect_text(each, "#ask-changes", "bridge river.*: 1 \u2192 7")
            expect_text(each, "#ask-numbers tbody tr:last-child td:last-child", "19.*proven least")
        expect_text(page, "#ask-status", "Ready: all is proven")
        assert page.locator("#ask-chart polyline").count() == 2
        assert "--fix=(walk bridge river)=7" in (page.text_content("#ask-command") or "")
        page.locator("#plan-list summary", has_text=MONDAY).click()
        page.locator(".ask-plan button", has_text="Leave it out").click()
        expect_text(other, "#ask-question li:nth-child(2)", f"{MONDAY} is left out")
        expect_text(other, "#ask-numbers tbody tr:last-child td:nth-child(2)", "2 of 4.*proven")
        expect(page.locator("#plan-list summary", has_text=MONDAY)).to_have_count(0)
        other.locator("#ask-question button").nth(1).click()
        expect(page.locator("#plan-list summary", has_text=MONDAY)).to_have_count(1)
        undo_all(other)
        expect_text(page, "#ask-numbers tbody tr:last-child td:last-child", "13.*proven least")
        expect(page.locator("#ask-question li")).to_have_count(0)


def test_what_cannot_be(browser: Browser, town: Explored) -> None:
    with tab(browser, town.server.address) as page:
        expect_text(page, "#ask-status", "Ready")
        page.locator("#plan-list summary", has_text=FRIDAY).click()
        page.locator(".ask-plan button", has_text="Demand").click()
        expect_text(page, "#ask-refusal li:first-child", f"this plan optimal: {FRIDAY}")
        expect_text(page, "#ask-refusal li:last-child", "redundant: without")
        page.locator(".ask-plan button", has_text="Why not").click()
        expect_text(page, "#ask-reasons li:first-child", "the cheapest plan costs")
        page.fill("#ask-plan", "(walk home moon)")
        page.locator("#ask-why button").click()
        expect_text(page, "#ask-reasons", "step 1 .walk home moon. does not exist")
        page.fill("#ask-plan", "(walk")
        page.locator("#ask-why button").click()
        expect_text(page, "#ask-refusal", "your plan:1: expected one")
        page.fill("#ask-action", "(walk home moon)")
        page.locator("#ask-cost button").click()
        expect_text(page, "#ask-refusal", "There is no such action")


def test_a_server_that_ends(browser: Browser) -> None:
    with explored(TOWN) as town, tab(browser, town.server.address) as page:
        expect_text(page, "#ask-status", "Ready")
        town.server.close()
        expect_text(page, "#ask-status", "The server has ended")
        assert page.locator("#ask-cost button").is_disabled()
        assert page.locator("#plan-list summary").count() == 5


@pytest.mark.slow
def test_hostile_names(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / f"<b onclick={PWNED}>"
    folder.mkdir()
    (folder / "domain.pddl").write_text(
        "(define (domain d) (:predicates (at ?a) (way ?a ?b)) (:action go :parameters (?a ?b) "
        ":precondition (and (at ?a) (way ?a ?b)) :effect (and (not (at ?a)) (at ?b))))"
    )
    (folder / "p.pddl").write_text(
        f"(define (problem p) (:domain d) (:objects {IMAGE} {SCRIPT} c) (:init (at {IMAGE}) "
        f"(way {IMAGE} {SCRIPT}) (way {IMAGE} c) (way c {SCRIPT})) (:goal (at {SCRIPT})))"
    )
    (folder / FILE).write_text(f"(go {IMAGE} c)\n(go c {SCRIPT})\n")
    (folder / "p.\u202eplan.plan").write_text(f"(go {IMAGE} {SCRIPT})\n")
    with explored(folder) as case, tab(browser, case.server.address) as page:
        expect_text(page, "#ask-status", "Ready")
        set_cost(page, f"(go {IMAGE} c)", "2", "3")
        expect_text(page, "#ask-question", re.escape(f"(go {IMAGE} c) costs 2 to 3"))
        expect_text(page, "#ask-status", "Ready")
        page.locator("#plan-list summary").first.click()
        page.locator(".ask-plan button", has_text="Leave it out").click()
        expect(page.locator("#ask-question li")).to_have_count(2)
        expect_text(page, "#ask-status", "Ready")
        assert page.locator("#ask img, #ask script, #ask b").count() == 0
        assert page.title() != "pwned"


@pytest.mark.slow
def test_killed_as_a_program(browser: Browser, tmp_path: Path) -> None:
    """The page says so, and the learner dies with its server."""
    result = tmp_path / "result.json"
    assert main(["learn", str(TOWN), "--output", str(result), "--quiet"]) == 0
    command = [sys.executable, "-m", "plancost.cli.main", "explore", str(TOWN), str(result)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        address = program.stdout.readline().split()[-1]
        with tab(browser, address) as page:
            expect_text(page, "#ask-status", "Ready")
            program.kill()
            expect_text(page, "#ask-status", "The server has ended")
