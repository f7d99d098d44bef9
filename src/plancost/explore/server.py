"""The server of the page: on this machine only, and only for those who know its address.

Every request must name the random token in the path and this host and port; requests that other
web pages cause are refused. Nothing is written, and no file is served.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from plancost.errors import PlancostError, UsageError
from plancost.explore.desk import Desk
from plancost.files.web_page import plain

HOST = "127.0.0.1"
_LARGEST = 1_000_000
"""Bytes of a request; a typed plan is much shorter."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_CONFLICT = 409


class Server:
    """Serves one desk until it is told to end."""

    def __init__(self, desk: Desk, port: int = 0) -> None:
        self._desk = desk
        self._token = secrets.token_urlsafe(24)
        self._socket = _listening(port)
        self._port = int(self._socket.getsockname()[1])
        config = uvicorn.Config(
            self._application(), log_config=None, access_log=False, lifespan="off"
        )
        config.timeout_graceful_shutdown = 1
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="server", daemon=True
        )

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{HOST}:{self._port}/{self._token}/"

    def start(self) -> None:
        """Begin to serve, in another thread."""
        self._thread.start()

    def wait(self) -> None:
        """Serve until Ctrl-C."""
        while self._thread.is_alive():
            self._thread.join(1.0)

    def close(self) -> None:
        """End it."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        with contextlib.suppress(OSError):
            self._socket.close()

    def _application(self) -> Starlette:
        async def page(request: Request) -> Response:
            return HTMLResponse(await run_in_threadpool(self._desk.page))

        async def state(request: Request) -> Response:
            return _json(self._desk.session.state())

        async def ask(request: Request) -> Response:
            return await self._ask(request)

        routes = [
            Route("/{token}/", self._guarded(page)),
            Route("/{token}/state", self._guarded(state)),
            Route("/{token}/ask", self._guarded(ask), methods=["POST"]),
        ]
        return Starlette(routes=routes)

    async def _ask(self, request: Request) -> Response:
        if int(request.headers.get("content-length") or _LARGEST) >= _LARGEST:
            return PlainTextResponse("too long", 413)
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return PlainTextResponse("JSON is expected", 415)
        try:
            asked = await request.json()
            if not isinstance(asked, dict):
                raise UsageError("an object is expected")
            self._desk.ask(asked)
        except (PlancostError, ValueError, RecursionError) as error:
            return _json({"error": str(error)}, _CONFLICT)
        return _json(self._desk.session.state())

    def _guarded(
        self, answer: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def guarded(request: Request) -> Response:
            if not self._is_ours(request):
                return PlainTextResponse("not found", 404, _HEADERS)
            response = await answer(request)
            response.headers.update(_HEADERS)
            return response

        return guarded

    def _is_ours(self, request: Request) -> bool:
        """Whether it knows the token, and comes from our own page or from an address bar."""
        headers: Mapping[str, str] = request.headers
        hosts = {f"{name}:{self._port}" for name in (HOST, "localhost")}
        host = headers.get("host", "")
        origin = headers.get("origin")
        own: Any = request.path_params["token"]
        return (
            secrets.compare_digest(str(own).encode(), self._token.encode())
            and host in hosts
            and (origin is None or origin == f"http://{host}")
            and headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        )


def _json(content: dict[str, Any], status: int = 200) -> Response:
    """In ASCII, since names may hold what no encoding has, and safe to show."""
    return Response(json.dumps(plain(content)), status, media_type="application/json")


def _listening(port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
        found.listen()
    except OSError as error:
        found.close()
        raise UsageError(
            f"--port {port} cannot be used ({error.strerror}); name another, or none"
        ) from error
    return found
