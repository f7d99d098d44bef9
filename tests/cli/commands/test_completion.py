"""The scripts of ``plancost completion``, run by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support.command import plancost

ASK = """
source "$1"; shift
complete -p plancost > /dev/null || exit 9
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
function=$(complete -p plancost | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
"$function" plancost "${COMP_WORDS[$COMP_CWORD]}" "${COMP_WORDS[$COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "plancost.bash"
    done = plancost("completion", "bash")
    assert (done.returncode, done.stderr) == (0, "")
    path.write_text(done.stdout)
    return path


def completed(script: Path, folder: Path, *words: str) -> set[str]:
    """What bash offers for the last word."""
    done = subprocess.run(
        ["bash", "--norc", "-c", ASK, "bash", str(script), "plancost", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sol"], ["solve"]),
        (["e"], ["evaluate", "explain", "explore"]),
        (["solve", "--pl"], ["--planner"]),
        (["solve", "--planner", ""], ["fast-downward", "symk"]),
        (["learn", "--solution", ""], ["icf", "mcf", "scf"]),
        (["generate", "gr"], ["grid"]),
        (["completion", ""], ["bash", "fish", "zsh"]),
        (["solve", "pro"], ["problem.pddl"]),
        (["solve", "--domain", "dom"], ["domain.pddl", "domains"]),
        (["apply", "--output", "dom"], ["domains"]),
    ],
    ids=lambda words: " ".join(words),
)
def test_bash(words: list[str], offered: list[str], script: Path, tmp_path: Path) -> None:
    for name in ("problem.pddl", "domain.pddl"):
        (tmp_path / name).touch()
    (tmp_path / "domains").mkdir()
    assert sorted(completed(script, tmp_path, *words)) == offered


def test_every_command_is_offered(script: Path, tmp_path: Path) -> None:
    offered = completed(script, tmp_path, "")
    assert offered >= {"learn", "verify", "explain", "apply", "solve", "generate", "reproduce"}
    for command in offered:
        assert plancost(command, "--help").returncode == 0


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells(shell: str, tmp_path: Path) -> None:
    text = plancost("completion", shell).stdout
    assert "plancost" in text
    assert "solve" in text
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed, so its script is not run")
    file = tmp_path / f"plancost.{shell}"
    file.write_text(text)
    done = subprocess.run([shell, "-n", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_shell() -> None:
    assert plancost("completion", "cmd").returncode == 2
