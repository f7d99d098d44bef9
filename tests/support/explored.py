"""A server of ``plancost explore`` inside the test, and questions to it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from plancost.api.learn import learn
from plancost.explore.desk import Desk
from plancost.explore.opening import session_of
from plancost.explore.server import Server
from plancost.explore.session import Session
from plancost.observations.case import load_case

PATIENCE_S = 60.0
"""No test waits longer; on a machine that has nothing else to do all takes parts of a second."""


def until(what: Callable[[], bool]) -> None:
    """Wait until something is so."""
    ends = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.02)


@dataclass(frozen=True)
class Explored:
    """A server that runs, and its session."""

    server: Server
    session: Session

    @property
    def state(self) -> dict[str, Any]:
        """What the page gets."""
        return self.session.state()

    def answered(self) -> dict[str, Any]:
        """The state when nothing is at work any more."""
        until(lambda: not self.state["running"])
        return self.state

    def get(self, path: str = "", **headers: str) -> tuple[int, str]:
        """The status and the text of a page."""
        return fetched(Request(self.server.address + path, headers=headers))

    def ask(self, **words: object) -> tuple[int, Any]:
        """Ask as the page does."""
        body = json.dumps({"version": self.state["version"], **words}).encode()
        headers = {"Content-Type": "application/json"}
        status, text = fetched(Request(f"{self.server.address}ask", body, headers))
        return status, json.loads(text)


def fetched(request: Request) -> tuple[int, str]:
    """The status and the text of an answer."""
    try:
        with urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


@contextmanager
def explored(folder: Path, seconds: float = 30.0) -> Iterator[Explored]:
    """Learn a case and explore it."""
    case = load_case(folder)
    session = session_of(learn(case), case, ["plancost", "learn", str(folder)], seconds)
    server = Server(Desk(session, folder.name))
    try:
        session.start()
        server.start()
        yield Explored(server, session)
    finally:
        server.close()
        session.close()
