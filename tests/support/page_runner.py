"""Running the blocks of a page in order, in a folder of its own, with shared state."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from support.documents import ROOT, Block, Kind, blocks, commands, differs

_COPIED = ("README.md", "pyproject.toml", "mkdocs.yml", "docs", "examples", "benchmarks")
_COMMAND_S = 600


def copy_of_the_repository(folder: Path) -> Path:
    """What a reader has in a clone, as far as pages speak of it."""
    copy = folder / "plancost"
    copy.mkdir()
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, copy / name, ignore=ignored)
        else:
            shutil.copy(source, copy / name)
    return copy


class PageRunner:
    """A reader who does all that a page says, from the root of a clone."""

    def __init__(self, folder: Path) -> None:
        self._home = copy_of_the_repository(folder)
        self._state = folder / "variables"
        self._place = folder / "place"
        self._state.write_text("")
        self._place.write_text(str(self._home))
        self._names: dict[str, object] = {"__name__": "__main__"}
        self._printed = ""

    def run(self, text: str) -> list[str]:
        """Run all blocks of a page; what is wrong, in sentences."""
        wrong: list[str] = []
        for block in blocks(text):
            try:
                complaint = self._run(block)
            except Exception as error:
                complaint = f"{type(error).__name__}: {error}"
            if complaint is not None:
                wrong.append(f"line {block.line}: {complaint}")
        return wrong

    def _run(self, block: Block) -> str | None:
        match block.kind:
            case Kind.SHELL:
                return self._shell(block)
            case Kind.PYTHON:
                return self._python(block)
            case Kind.FILE:
                self._file(block)
                return None
            case Kind.OUTPUT:
                return differs(block.text, self._printed)
            case Kind.NOT_RUN | Kind.PROSE:
                return None

    def _shell(self, block: Block) -> str | None:
        self._printed = ""
        for command in commands(block):
            done = self._command(command.text)
            self._printed += done.stdout
            if done.returncode != 0:
                return f"{command.text}\nended with status {done.returncode}:\n{done.stdout}"
            if command.output is not None:
                complaint = differs(command.output, done.stdout)
                if complaint is not None:
                    return f"{command.text}\n{complaint}"
        return None

    def _command(self, text: str) -> subprocess.CompletedProcess[str]:
        """One command in bash; its variables and its folder are kept for the next one."""
        state, place = shlex.quote(str(self._state)), shlex.quote(str(self._place))
        script = (
            f'set -a; . {state}; cd "$(cat {place})"\n'
            f"eval {shlex.quote(text)}\n"
            f"status=$?; pwd > {place}; export -p > {state}; exit $status"
        )
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=_COMMAND_S,
            env={**os.environ, "PATH": path, "MPLBACKEND": "agg"},
            check=False,
        )

    def _python(self, block: Block) -> str | None:
        printed = io.StringIO()
        with contextlib.chdir(self._place.read_text().strip()):
            if block.text.startswith(">>> "):
                return self._session(block)
            with contextlib.redirect_stdout(printed):
                exec(compile(block.text, f"<line {block.line}>", "exec"), self._names)
        self._printed = printed.getvalue()
        return None

    def _session(self, block: Block) -> str | None:
        """A Python session with prompts, whose answers are compared."""
        example = doctest.DocTestParser().get_doctest(block.text, self._names, "page", None, 0)
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        failed = runner.run(example, out=report.append, clear_globs=False).failed
        self._names = example.globs
        return "".join(report) if failed else None

    def _file(self, block: Block) -> None:
        path = Path(self._place.read_text().strip()) / block.remark_text
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
