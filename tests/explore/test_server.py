"""Who may ask the server, and what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request

import pytest

from plancost.errors import UsageError
from plancost.explore.server import Server
from support.explored import Explored, explored, fetched

TOWN = Path(__file__).parents[2] / "examples" / "town"


@pytest.fixture(scope="module")
def town() -> Iterator[Explored]:
    with explored(TOWN) as found:
        yield found


def test_only_who_knows_the_address(town: Explored) -> None:
    address = town.server.address
    base, token = address.rsplit("/", 2)[0], address.rsplit("/", 2)[1]
    assert base.startswith("http://127.0.0.1:") and len(token) >= 32
    assert town.get()[0] == town.get("state")[0] == 200
    for other in ("/", "/x/", f"/{token[:-1]}/", f"/{token}x/state", f"/{token}/../x/"):
        assert fetched(Request(base + other))[0] == 404
    assert town.get("other")[0] == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "example.org"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_no_other_page_may_ask(town: Explored, headers: dict[str, str]) -> None:
    for path in ("", "state"):
        assert town.get(path, **headers) == (404, "not found")
    body = json.dumps({"version": 1, "do": "undo"}).encode()
    given = {"Content-Type": "application/json", **headers}
    assert fetched(Request(f"{town.server.address}ask", body, given))[0] == 404


def test_by_another_name_of_this_machine(town: Explored) -> None:
    own = town.server.address.split("/")[2]
    assert town.get(Host=own.replace("127.0.0.1", "localhost"))[0] == 200


def test_nothing_is_fetched_from_elsewhere(town: Explored) -> None:
    status, page = town.get()
    assert status == 200 and "https://" not in page
    assert "connect-src 'self'" in page and "default-src 'none'" in page


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"do": "nothing"},
        {"do": "bound", "action": -1, "least": 2},
        {"do": "bound", "action": 0, "least": 0},
        {"do": "bound", "action": 0, "least": 5, "greatest": 3},
        {"do": "bound", "action": 0, "least": "many"},
        {"do": "bound", "action": 0, "least": 10**20},
        {"do": "drop", "plan": 99},
        {"do": "require"},
        {"do": "why", "plan": 99},
        {"do": "why", "problem": 0, "text": "(go"},
        {"do": "why", "problem": 99, "text": ""},
        {"do": "take back", "item": 0},
        {"do": "undo", "version": "x"},
        {"do": "undo", "version": 999},
    ],
    ids=str,
)
def test_what_is_no_question(town: Explored, words: dict[str, object]) -> None:
    before = town.state
    status, answer = town.ask(**words)
    assert status == 409 and answer["error"]
    assert town.state["version"] == before["version"]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 409),
        (b"[]", "application/json", 409),
        (b"\xff", "application/json", 409),
        (b"[" * 100_000, "application/json", 409),
        (b"{}", "text/plain", 415),
    ],
    ids=["cut", "list", "no text", "deep", "form"],
)
def test_what_is_not_even_json(town: Explored, body: bytes, kind: str, status: int) -> None:
    request = Request(f"{town.server.address}ask", body, {"Content-Type": kind})
    assert fetched(request)[0] == status


def test_what_is_too_long_is_not_read(town: Explored) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": "1000000"}
    assert fetched(Request(f"{town.server.address}ask", b"{}", headers))[0] == 413


def test_a_port_that_is_taken(town: Explored) -> None:
    port = int(town.server.address.split(":")[2].split("/")[0])
    with pytest.raises(UsageError, match=f"--port {port} cannot be used|port={port} cannot"):
        Server(town.server._desk, port)
