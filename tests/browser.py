"""Debian's Chromium without a window, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NEEDED = "PLANCOST_NEEDS_BROWSER"
"""Set where tests must fail, not be skipped, if there is no browser."""
_ARGUMENTS = "--no-sandbox --disable-gpu --disable-background-networking --disable-sync"


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser for many pages."""
    path = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        if os.environ.get(NEEDED):
            pytest.fail("no chromium, or no playwright, although this run needs them")
        pytest.skip("needs chromium (apt-get install chromium) and playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS.split())
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Opened:
    """A page, and what it complained about or asked for."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def texts(self, selector: str) -> list[str]:
        return list(self.page.locator(selector).all_inner_texts())

    def text(self, selector: str) -> str:
        return " ".join(str(self.page.locator(selector).first.inner_text()).split())

    def column(self, table: str, number: int) -> list[str]:
        """A column of a table, without rows that are folded out."""
        return self.texts(f"#{table}-table tr[data-row] > td:nth-child({number})")


@contextmanager
def opened(
    browser: Any, file: Path, fragment: str = "", *, width: int = 1200, scheme: str = "light"
) -> Iterator[Opened]:
    """Open a file; at the end nothing may have gone wrong and nothing else been asked for."""
    is_phone = width < 500
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        has_touch=is_phone,
        is_mobile=is_phone,
    )
    page = context.new_page()
    found = Opened(page)
    page.on("console", lambda message: found.errors.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    page.on("request", lambda request: found.requests.append(request.url))
    try:
        page.goto(file.as_uri() + fragment)
        yield found
        assert found.errors == []
        assert {url.partition("#")[0] for url in found.requests} == {file.as_uri()}
    finally:
        context.close()
