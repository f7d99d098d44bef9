"""The page with the map in a real browser, as a reader uses it, with a mouse, keys and fingers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from plancost.results.result import CostRange
from plancost.routes.network import Link, Network, Trip
from plancost.routes.page.page import write_map
from support.browser import Opened, chromium, opened
from support.towns import costs_of, grid_town, large_town, random_trips, result_of

PWNED = "document.title='pwned'"
IMAGE = f"<img/src=x/onerror={PWNED}>"
SCRIPT = f"</script><script>{PWNED}</script>"
LONG = "w" * 150
PIXELS = """const canvas = document.getElementById('canvas');
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const d = context.getImageData(0, 0, copy.width, copy.height).data;"""
HASH = f"""() => {{ {PIXELS} let h = 0;
  for (let i = 0; i < d.length; i += 4) h = (h * 31 + d[i] + 7 * d[i + 1] + 13 * d[i + 2]) | 0;
  return h; }}"""
COLOURS = f"""() => {{ {PIXELS} const found = new Set();
  for (let i = 0; i < d.length; i += 4) found.add([d[i], d[i + 1], d[i + 2]].join());
  return [...found]; }}"""
CORNER = f"() => {{ {PIXELS} return [...d.slice(0, 3)]; }}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A town in which a quarter became more expensive, with 40 trips."""
    network = grid_town(9, 8)
    initial = costs_of(network)
    costs = {
        link.name: initial[link.name] * (3 if link.start.startswith(("p2", "p3")) else 1)
        for link in network.links
    }
    trips = random_trips(network, costs, 40)
    path = tmp_path_factory.mktemp("map") / "map.html"
    write_map(result_of(network, trips, costs, initial), network, trips, path, title="Rivertown")
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map whose names are code, or far too long."""
    links = (Link(IMAGE, SCRIPT, LONG), Link(LONG, LONG, IMAGE), Link(SCRIPT, SCRIPT, IMAGE))
    network = Network(links, source=IMAGE)
    costs = {IMAGE: 2, LONG: 2, SCRIPT: 3}
    trips = [Trip(SCRIPT, (IMAGE, LONG)), Trip(LONG, (SCRIPT,), group=IMAGE), Trip(IMAGE, (LONG,))]
    told = result_of(network, trips, costs)
    told = replace(
        told,
        notes=(SCRIPT, IMAGE, "\u2028\x1b\x00\udcff]]>"),
        options={IMAGE: SCRIPT, "initial": IMAGE, "scale": 2},
        ranges={IMAGE: CostRange(1, 2, True)},
    )
    path = tmp_path_factory.mktemp("map") / "hostile.html"
    write_map(told, network, trips, path, title=SCRIPT)
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    network, trips, result = large_town(56, 52, 2000)
    assert len(network.links) > 10_000
    path = tmp_path_factory.mktemp("map") / "large.html"
    write_map(result, network, trips, path, title="A large town")
    return path


def drawn(page: Opened) -> int:
    """A number that changes when the picture does; the picture is at rest before."""
    page.page.wait_for_timeout(250)
    found: int = page.page.evaluate(HASH)
    return found


def scale(page: Opened) -> float:
    page.page.wait_for_timeout(250)
    return float(page.page.locator("#canvas").get_attribute("data-scale") or 0)


def middle(page: Opened) -> tuple[float, float]:
    box = page.page.locator("#canvas").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_it_opens_on_how_many_trips_are_optimal(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        assert page.page.title() == "Rivertown: learned costs on the map"
        optimal = int(page.text("h1").split()[0])
        assert (
            page.text("h1") == f"{optimal} of 40 trips are cheapest routes under the learned costs"
        )
        assert f"at most {optimal + 1} trips can be" in page.text("header")
        page.page.select_option("#trip-filter", "1")
        assert page.text("#trip-count") == f"{optimal} of 40 trips"
        page.page.select_option("#trip-filter", "0")
        assert page.text("#trip-count") == f"{40 - optimal} of 40 trips"
        colours = page.page.evaluate(COLOURS)
        expensive, same, paper = "212,100,15", "189,185,176", "247,245,240"
        assert {expensive, same, paper} <= set(colours)


def test_a_trip_beside_its_cheapest_alternative(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        before = drawn(page)
        page.page.select_option("#trip-filter", "0")
        name = page.text("#trip-table tbody button")
        page.page.locator("#trip-table tbody button").first.click()
        assert page.text("#chosen-title") == f"Trip {name}"
        words = page.text("#chosen-content")
        assert "not optimal" in words and "more than needed" in words
        expect(page.page.locator(".parts li")).not_to_have_count(0)
        assert drawn(page) != before
        assert page.page.evaluate("location.hash").startswith("#trip-")
        page.page.locator(".parts .where").first.click()
        page.page.locator(".parts .name").first.click()
        assert page.text("#chosen-title").startswith("Link s")
        page.page.keyboard.press("Escape")
        assert page.page.locator("#chosen").is_hidden()
        page.page.select_option("#trip-filter", "1")
        page.page.locator("#trip-table tbody tr").first.click()
        assert "The cheapest alternative costs" in page.text("#chosen-content")


def test_where_they_part_adds_up(browser: Browser, town: Path) -> None:
    """The parts that differ explain the whole difference in cost, for every trip."""
    with opened(browser, town) as page:
        script = """() => { const d = JSON.parse(document.getElementById('data').textContent);
        const sum = (some) => some.reduce((total, i) => total + d.links.cost[i], 0);
        return d.trips.names.map((_, t) => { if (d.trips.other[t] === null) return 0;
          const [cost, parts] = d.trips.other[t];
          const saved = parts.map(([a, b, o]) => sum(d.trips.links[t].slice(a, b)) - sum(o));
          return d.trips.cost[t] - cost - saved.reduce((x, y) => x + y, 0); }); }"""
        assert page.page.evaluate(script) == [0] * 40


def test_searching_for_a_link(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        before = scale(page)
        page.page.locator("#tab-links").click()
        page.page.fill("#link-search", "s100")
        assert page.text("#link-table tbody button") == "s100"
        page.page.keyboard.press("Enter")
        assert page.text("#chosen-title") == "Link s100"
        words = page.text("#chosen-content")
        for name in ("from", "to", "learned cost", "initial cost", "metres", "trips over it"):
            assert name in words
        assert scale(page) > before
        page.page.fill("#link-search", "p2-3")
        assert int(page.text("#link-count").split()[0]) in range(1, 9)
        page.page.fill("#link-search", "nowhere")
        assert page.text("#link-count").startswith("0 of ")


def test_choosing_a_link_on_the_map(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        page.page.locator("#tab-links").click()
        page.page.fill("#link-search", "s100")
        page.page.locator("#link-table tbody button").first.click()
        page.page.wait_for_timeout(250)
        page.page.locator("#chosen-close").click()
        canvas = page.page.locator("#canvas").bounding_box()
        legend = page.page.locator("#legend").bounding_box()
        assert canvas is not None and legend is not None
        x = (legend["x"] + legend["width"] + canvas["x"] + canvas["width"]) / 2
        y = canvas["y"] + canvas["height"] / 2
        page.page.mouse.move(x, y)
        expect(page.page.locator("#tip")).to_contain_text("cost")
        page.page.mouse.click(x, y)
        street = {"s99", "s100", "s101"}
        assert page.text("#chosen-title").removeprefix("Link ") in street


def test_zoom_and_pan_with_mouse_wheel_and_buttons(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        start = scale(page)
        x, y = middle(page)
        page.page.mouse.move(x, y)
        page.page.mouse.wheel(0, -300)
        assert scale(page) > 1.4 * start
        page.page.locator("#zoom-out").click()
        page.page.locator("#zoom-out").click()
        assert scale(page) < start
        page.page.locator("#zoom-all").click()
        here = drawn(page)
        page.page.mouse.move(x, y)
        page.page.mouse.down()
        page.page.mouse.move(x + 90, y + 40, steps=4)
        page.page.mouse.up()
        assert drawn(page) != here
        assert page.page.locator("#chosen").is_hidden(), "a drag chooses nothing"
        page.page.locator("#zoom-all").click()
        page.page.mouse.move(2, 2)
        assert drawn(page) == here


def test_by_keyboard_alone(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        keys = page.page.keyboard
        keys.press("Tab")
        assert page.page.evaluate("document.activeElement.className") == "skip"
        start, here = scale(page), drawn(page)
        page.page.locator("#canvas").focus()
        keys.press("+")
        assert scale(page) > start
        keys.press("ArrowLeft")
        keys.press("ArrowUp")
        keys.press("0")
        assert drawn(page) == here
        assert page.page.evaluate("document.activeElement.id") == "canvas"
        page.page.locator("#tab-trips").focus()
        keys.press("ArrowRight")
        assert page.page.locator("#links").is_visible()
        keys.press("Tab")
        keys.type("s7")
        keys.press("Enter")
        assert page.text("#chosen-title") == "Link s7"
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.page.evaluate(outline) == "solid"
        words = page.page.locator("#canvas").get_attribute("aria-describedby")
        assert words == "map-words map-keys"
        assert "links between 72 places" in (page.page.locator("#map-words").text_content() or "")


def test_with_two_fingers(browser: Browser, town: Path) -> None:
    """Pinch and pan by touch, as a phone sends it."""
    with opened(browser, town, width=390) as page:
        start = scale(page)
        session = page.page.context.new_cdp_session(page.page)
        x, y = middle(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            spots = [{"x": px, "y": py, "id": n} for n, (px, py) in enumerate(points)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

        touch("touchStart", (x - 30, y), (x + 30, y))
        for apart in (40, 55, 70, 90):
            touch("touchMove", (x - apart, y), (x + apart, y))
        touch("touchEnd")
        assert scale(page) == pytest.approx(3 * start, rel=0.25)
        here = drawn(page)
        scrolled = page.page.evaluate("window.scrollY")
        touch("touchStart", (x, y))
        for way in (10, 30, 60):
            touch("touchMove", (x - way, y - way))
        touch("touchEnd")
        assert drawn(page) != here
        assert page.page.evaluate("window.scrollY") == scrolled, "the page stays where it is"


@pytest.mark.parametrize("width", [320, 390, 800])
def test_no_sideways_scrolling(browser: Browser, town: Path, hostile: Path, width: int) -> None:
    for file in (town, hostile):
        with opened(browser, file, width=width) as page:
            for tab in ("links", "about", "trips"):
                page.page.locator(f"#tab-{tab}").click()
                assert page.page.evaluate("document.documentElement.scrollWidth") <= width
            for button in page.page.locator("#trip-table tbody button").all()[:3]:
                button.click()
                assert page.page.evaluate("document.documentElement.scrollWidth") <= width
            top = page.page.evaluate("document.getElementById('map').getBoundingClientRect().top")
            assert top < 400, "the map is in view when a trip is chosen"


def test_layers(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        whole = drawn(page)
        links = int(page.page.locator("#canvas").get_attribute("data-drawn") or 0)
        page.page.check("#layer-driven")
        driven = drawn(page)
        assert driven != whole
        assert int(page.page.locator("#canvas").get_attribute("data-drawn") or 0) < links
        page.page.uncheck("#layer-driven")
        page.page.check("#layer-free")
        assert drawn(page) not in (whole, driven)
        number = int(page.text("label:has(#layer-free)").split("(")[1].split(")")[0])
        page.page.locator("#tab-links").click()
        page.page.select_option("#link-filter", "free")
        assert page.text("#link-count").startswith(f"{number} of ")
        page.page.locator("#link-table tbody button").first.click()
        assert "nothing: whatever it costs" in page.text("#chosen-content")


def test_dark_and_light(browser: Browser, town: Path) -> None:
    with opened(browser, town, scheme="dark") as page:
        page.page.wait_for_timeout(200)
        assert max(page.page.evaluate(CORNER)) < 40
        page.page.emulate_media(color_scheme="light")
        page.page.wait_for_timeout(200)
        assert min(page.page.evaluate(CORNER)) > 220


def test_a_link_to_a_trip_opens_it(browser: Browser, town: Path) -> None:
    with opened(browser, town) as page:
        page.page.goto(f"{town.as_uri()}#trip-7")
        page.page.reload()
        assert page.text("#chosen-title") == "Trip t7"
        page.requests = page.requests[:1]


def test_hostile_names_do_not_run(browser: Browser, hostile: Path) -> None:
    with opened(browser, hostile) as page:
        for button in page.page.locator("#trip-table tbody button").all():
            button.click()
        assert IMAGE in page.text("#chosen-content") or SCRIPT in page.text("#chosen-content")
        page.page.locator("#tab-links").click()
        for button in page.page.locator("#link-table tbody button").all():
            button.click()
        x, y = middle(page)
        page.page.mouse.move(x, y)
        assert page.page.title() == f"{SCRIPT}: learned costs on the map"
        assert page.page.locator("img").count() == 0
        assert page.page.locator("script").count() == 2
        page.page.locator("#tab-about").click()
        assert "\\u2028\\x1b\\x00\\udcff" in page.text("#about")


@pytest.mark.slow
def test_ten_thousand_links(browser: Browser, large: Path) -> None:
    assert large.stat().st_size < 3_000_000
    with opened(browser, large) as page:
        assert page.page.locator("#trip-table tbody tr").count() == 30
        page.page.wait_for_timeout(500)
        between_frames = page.page.evaluate(
            """async () => { const canvas = document.getElementById('canvas'), all = [];
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            let last = await frame();
            for (let n = 0; n < 30; n += 1) {
              canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: n % 2 ? 60 : -60,
                bubbles: true, cancelable: true, clientX: 300, clientY: 300 }));
              const now = await frame();
              all.push(now - last);
              last = now; }
            return all.sort((a, b) => a - b)[15]; }"""
        )
        assert between_frames < 300, "milliseconds, also on a busy machine without graphics card"
        page.page.fill("#trip-search", "t1999")
        page.page.keyboard.press("Enter")
        assert page.text("#chosen-title") == "Trip t1999"
        page.page.locator("#tab-links").click()
        page.page.fill("#link-search", "s9000")
        page.page.keyboard.press("Enter")
        assert page.text("#chosen-title") == "Link s9000"
