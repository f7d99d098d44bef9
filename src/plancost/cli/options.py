"""Arguments of the command line, from texts such as ``--max-cost M: no action costs more than M``.

The options of learning are declared with the fields of `LearnOptions`; here they become flags, and
what was given becomes `LearnOptions` again.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from functools import partial
from typing import Any

from plancost.cli.number_arguments import seconds, whole
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.declaration import Flag, Option, Topic, declared_in
from plancost.learning.problem.options import LearnOptions
from plancost.system.processes import usable_cores

_DEFAULTS = {"jobs": usable_cores()}
"""Where the command line has another default than the library."""


def add(parser: argparse._ActionsContainer, text: str, kind: Any = None, **more: Any) -> None:  # noqa: ANN401
    """Add an argument; `kind` reads its value (bool: a switch), `more` is for argparse."""
    flag = Flag.of(text)
    if kind is bool:
        parser.add_argument(*flag.names, action="store_true", help=flag.help, **more)
    else:
        metavar = flag.metavar
        parser.add_argument(*flag.names, type=kind, metavar=metavar, help=flag.help, **more)


def add_options(
    parser: argparse.ArgumentParser, *topics: Topic, without: Collection[str] = ()
) -> None:
    """Add all options of these topics, each topic under its own heading.

    `without` has the fields of those that make no sense for a command.
    """
    for topic in topics:
        group = parser.add_argument_group(topic.value)
        for kind in (Concept, LearnOptions):
            for item, option in declared_in(kind):
                if option.topic is topic and item.name not in without:
                    _add(group, option, default=_DEFAULTS.get(item.name))


def add_option(
    parser: argparse.ArgumentParser,
    name: str,
    text: str | None = None,
    default: object = None,
    *,
    least: int | None = None,
) -> None:
    """Add the one option of this field, with another help, default or least value if given."""
    option = next(option for item, option in declared_in(LearnOptions) if item.name == name)
    _add(parser, option, text, _DEFAULTS.get(name, default), least)


def learn_options(arguments: argparse.Namespace) -> LearnOptions:
    """The options that were given on the command line, the others at their defaults."""
    return LearnOptions(
        concept=Concept(**given_options(Concept, arguments)),
        started_at=getattr(arguments, "started_at", None),
        **given_options(LearnOptions, arguments),
    )


def given_options(kind: type, arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of a data class that were given, by the names of their fields."""
    found = {}
    for item, option in declared_in(kind):
        values = [getattr(arguments, flag.argument, None) for flag in option.flags]
        if any(value is not None for value in values):
            found[item.name] = option.value(*values)
    return found


def _add(
    parser: argparse._ActionsContainer,
    option: Option,
    text: str | None = None,
    default: object = None,
    least: int | None = None,
) -> None:
    """Without a default the value of a flag that is not given is None."""
    for flag, kind in zip(option.flags, option.kinds, strict=True):
        more: dict[str, Any] = {"help": text or flag.help, "default": default}
        if kind is bool:
            parser.add_argument(*flag.names, action="store_true", **more)
            continue
        if kind is list:
            more |= {"action": "append"}
        elif kind is int:
            least = option.least if least is None else least
            more |= {"type": partial(whole, least=least or 0, most=option.most)}
        elif kind is float:
            more |= {"type": partial(seconds, with_zero=option.above is None)}
        else:
            more |= {"type": kind, "choices": option.choices}
        parser.add_argument(*flag.names, metavar=flag.metavar, **more)
