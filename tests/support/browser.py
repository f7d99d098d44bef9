"""Headless Chromium for tests of the report, if there is one on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for a whole module; tests are skipped where there is none."""
    path = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Opened:
    """A page, and what went wrong on it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        """The text of the first element."""
        return self.page.locator(selector).first.inner_text()

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements."""
        return self.page.locator(selector).all_inner_texts()

    def until(self, expression: str) -> None:
        """Wait for something to be true; Playwright's own way needs `eval`, which pages forbid."""
        for _ in range(100):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {expression}")


@contextmanager
def opened(
    browser: Browser,
    file: Path,
    *,
    width: int = 1100,
    scheme: Literal["light", "dark"] = "light",
    touch: bool = False,
) -> Iterator[Opened]:
    """Open a file; at the end, nothing may have gone wrong and nothing have been fetched."""
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        reduced_motion="reduce",
        has_touch=touch,
        is_mobile=touch,
    )
    page = context.new_page()
    found = Opened(page)
    page.on("console", lambda message: found.errors.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    page.on("request", lambda request: found.requests.append(request.url))
    try:
        page.goto(file.as_uri())
        yield found
        assert found.errors == []
        assert found.requests == [file.as_uri()]
    finally:
        context.close()
