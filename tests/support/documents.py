"""Markdown pages as programs: their fenced blocks, and how each is run.

A block is run if it is ``console``, ``bash``, ``sh`` or ``python``, or if it has no language
and a line of it begins like a command. What stands in a comment right before a block says
otherwise, or more:

* ``<!-- not run: REASON -->``: it is left alone.
* ``<!-- file: NAME -->``: its text is what the reader saves under this name.
* ``<!-- output -->``: its text is what the block before it prints.

In ``console`` blocks ``$`` stands before commands, and what follows is their output.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<language>[^\s`]*)[^`]*$")
_REMARK = re.compile(r"^<!-- *(?P<word>not run|file|output)\b *:? *(?P<text>.*?) *-->$")
_COMMAND = re.compile(r"^(\$ |(plancost|make|pip|python3?|dask|mkdocs) )")
_SHELLS = {"console", "bash", "sh", "shell"}


class Kind(enum.Enum):
    """What is done with a block."""

    SHELL = "commands"
    PYTHON = "a Python example"
    FILE = "a file that the reader writes"
    OUTPUT = "what the block before it prints"
    NOT_RUN = "exempt from being run"
    PROSE = "nothing to run"


@dataclass(frozen=True)
class Block:
    """A fenced block, the line it begins on, and what the comment before it says."""

    line: int
    language: str
    text: str
    remark: str | None
    remark_text: str

    @property
    def kind(self) -> Kind:
        """What is to be done with it."""
        if self.remark is not None:
            return {"not run": Kind.NOT_RUN, "file": Kind.FILE, "output": Kind.OUTPUT}[self.remark]
        if self.language == "python":
            return Kind.PYTHON
        if self.language in _SHELLS:
            return Kind.SHELL
        lines = self.text.splitlines()
        if not self.language and any(_COMMAND.match(line) for line in lines):
            return Kind.SHELL
        return Kind.PROSE


@dataclass(frozen=True)
class Command:
    """A command line, and the output that the page shows for it (None: it shows none)."""

    text: str
    output: str | None


def pages() -> list[Path]:
    """All pages whose examples are run."""
    return [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(_examples())]


def _examples() -> list[Path]:
    return list(ROOT.glob("examples/*/README.md"))


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    fence, indent, language, start = "", 0, "", 0
    inside: list[str] = []
    remark: re.Match[str] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                word, said = (remark["word"], remark["text"]) if remark else (None, "")
                found.append(Block(start, language, "\n".join(inside) + "\n", word, said))
                fence, inside, remark = "", [], None
            else:
                inside.append(line[indent:] if not line[:indent].strip() else line)
            continue
        opening = _FENCE.match(line)
        if opening:
            fence, indent = opening["fence"], len(opening["indent"])
            language, start = opening["language"], number
        elif line.strip():
            remark = _REMARK.match(line.strip())
    if fence:
        raise ValueError(f"the block that begins on line {start} has no end")
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a block, with the output shown where there are prompts."""
    lines = block.text.splitlines()
    prompts = any(line.startswith("$ ") for line in lines)
    if not prompts:
        joined = re.sub(r"\\\n", "", block.text)
        return [Command(line, None) for line in joined.splitlines() if line.split("#")[0].strip()]
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        elif not found:
            raise ValueError(f"line {block.line}: output before the first command")
        elif found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1] = (found[-1][0][:-1] + line.removeprefix("> ").lstrip(), [])
        else:
            found[-1][1].append(line)
    shows = block.language == "console"
    return [Command(text, "\n".join(out) if shows else None) for text, out in found]


_SECONDS = re.compile(r"\d+(?:\.\d+)?(?= ?(?:s|seconds)\b)")


def normalised(output: str) -> list[str]:
    """Lines without what differs from run to run: seconds, and blanks at the ends."""
    lines = [_SECONDS.sub("N", line.rstrip()) for line in output.splitlines()]
    return "\n".join(lines).strip("\n").split("\n")


def differs(shown: str, printed: str) -> str | None:
    """How what was printed differs from what the page shows; ``...`` stands for any lines."""
    pattern, text = normalised(shown), normalised(printed)
    parts: list[list[str]] = [[]]
    for line in pattern:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    place = 0
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        places = [place] if number == 0 else range(place, len(text) - len(part) + 1)
        if number and last:
            places = [max(place, len(text) - len(part))]
        at = next((at for at in places if text[at : at + len(part)] == part), None)
        if at is None:
            return "the page shows\n{}\nand this was printed\n{}".format(
                "\n".join(pattern), "\n".join(text)
            )
        place = at + len(part)
    if place != len(text) and parts[-1]:
        return "more was printed than the page shows:\n" + "\n".join(text[place:])
    return None
