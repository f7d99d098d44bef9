"""The lock files agree with pyproject.toml, and everything in them has a hash."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = (ROOT / "requirements" / "build.in").read_text(encoding="utf-8")
RENEW = "pyproject.toml and the lock files disagree; run 'make lock'"


@dataclass(frozen=True)
class Pin:
    """A package of a lock file."""

    requirement: Requirement
    hashes: tuple[str, ...]
    reasons: str

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        (found,) = self.requirement.specifier
        assert found.operator == "=="
        return found.version


def read_lock(name: str) -> list[Pin]:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    return [
        Pin(
            Requirement(block.partition("\\\n")[0]),
            tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})\b", block)),
            block.partition("# via")[2],
        )
        for block in blocks
    ]


def group(name: str) -> list[str]:
    """What a dependency group asks for, with the groups that it includes."""
    found = []
    for item in PROJECT["dependency-groups"][name]:
        found += [item] if isinstance(item, str) else group(item["include-group"])
    return found


def wanted(name: str) -> list[Requirement]:
    """What the files that a lock is made from ask for."""
    texts = list(PROJECT["project"]["dependencies"])
    if name == "dev.lock":
        texts += group("dev")
    texts += [line for line in BUILD.splitlines() if line and not line.startswith("#")]
    return [Requirement(text) for text in texts]


@pytest.mark.parametrize("name", ["dev.lock", "run.lock"])
def test_a_lock_has_what_is_asked_for(name: str) -> None:
    pins = read_lock(name)
    for requirement in wanted(name):
        found = [pin for pin in pins if pin.name == canonicalize_name(requirement.name)]
        assert found, f"{RENEW}: {requirement} is in no line of {name}"
        for pin in found:
            assert requirement.specifier.contains(pin.version, prereleases=True), (
                f"{RENEW}: {requirement} is not {pin.requirement}"
            )
    direct = {pin.name for pin in pins if "pyproject.toml" in pin.reasons}
    asked = {canonicalize_name(item.name) for item in wanted(name)}
    assert direct <= asked, f"{RENEW}: nobody asks for {direct - asked}"


@pytest.mark.parametrize("name", ["dev.lock", "run.lock"])
def test_everything_has_a_hash_and_nothing_an_address(name: str) -> None:
    pins = read_lock(name)
    assert len(pins) > 10
    for pin in pins:
        assert pin.hashes and pin.requirement.url is None
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    assert "://" not in text and "--index" not in text and "--find-links" not in text


def test_the_small_lock_is_part_of_the_large_one() -> None:
    large = {str(pin.requirement): pin.hashes for pin in read_lock("dev.lock")}
    for pin in read_lock("run.lock"):
        assert large[str(pin.requirement)] == pin.hashes


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0"])
def test_one_version_for_each_python(python: str) -> None:
    environment = {"python_version": python[:4], "python_full_version": python}
    chosen = [
        pin.name
        for pin in read_lock("dev.lock")
        if Marker(str(pin.requirement.marker or "python_version > '3'")).evaluate(environment)
    ]
    assert len(chosen) == len(set(chosen))


def test_the_build_backend_is_the_one_of_the_project() -> None:
    for text in PROJECT["build-system"]["requires"]:
        assert text in BUILD.splitlines()
