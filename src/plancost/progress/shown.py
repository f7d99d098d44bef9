"""``progress=True`` for functions of the library: a bar where there is somebody to see it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from plancost.errors import UsageError
from plancost.system.progress import Progress, no_progress

_Parameters = ParamSpec("_Parameters")
_Found = TypeVar("_Found")


def shows_progress(function: Callable[_Parameters, _Found]) -> Callable[_Parameters, _Found]:
    """Let a function with the keyword `progress`, a callable, be called with True and False too.

    True shows a bar on a terminal or in a notebook while the function is at work.
    """

    @wraps(function)
    def told(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Found:
        progress = kwargs.get("progress")
        called = cast(Callable[..., _Found], function)
        if progress is None or progress is False:
            return called(*args, **{**kwargs, "progress": no_progress})
        if callable(progress):
            return function(*args, **kwargs)
        if progress is not True:
            raise UsageError(f"progress must be True, False or a function, not {progress!r}")
        with _bar(_time_limit(args, kwargs)) as bar:
            return called(*args, **{**kwargs, "progress": bar})

    return told


def _bar(time_limit_s: float | None) -> AbstractContextManager[Progress]:
    """On a terminal or in a notebook; what shows it is imported only now."""
    from plancost.progress.notebook import NotebookBar, is_notebook

    if is_notebook():
        return NotebookBar(time_limit_s)
    from plancost.progress.terminal import TerminalBar

    return TerminalBar(time_limit_s=time_limit_s)


def _time_limit(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float | None:
    """The time limit among the arguments: a keyword, or in options."""
    found = [kwargs.get("time_limit_s")]
    for value in (*args, *kwargs.values()):
        found.append(getattr(getattr(value, "learning", value), "time_limit_s", None))
    return next((limit for limit in found if isinstance(limit, int | float)), None)
