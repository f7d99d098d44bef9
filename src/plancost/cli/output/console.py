"""Tables and styled lines on the terminal, of words that are plain text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from plancost.files.escape import escaped


def as_text(words: str, style: str = "") -> Text:
    """Words for a table or a console: names, which are not markup."""
    return Text(escaped(words), style=style)


class PlainConsole(Console):
    """A console whose only control characters are its own."""

    def on_broken_pipe(self) -> None:
        """Leave it to the command line; rich would exit with status 1."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """See rich."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(map(escaped, text.split("\n"))), style)
