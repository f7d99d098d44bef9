"""Optional parts: the extras that the installed package declares, present or not."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterator

from plancost.doctor.finding import Finding, State
from plancost.system.binaries import installed_version

_PACKAGE = "plancost"
_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9._-]+).*?;.*\bextra\s*==\s*['\"]([^'\"]+)['\"]")
_FOR_DEVELOPERS = frozenset({"dev", "docs"})


def extras() -> Iterator[Finding]:
    """One finding for each extra."""
    for extra, distributions in sorted(declared_extras().items()):
        versions = {name: installed_version(name) for name in distributions}
        missing = [name for name, version in versions.items() if version is None]
        if missing:
            said = f"{', '.join(missing)} not installed"
            mend = f"run 'pip install \"{_PACKAGE}[{extra}]\"'"
            yield Finding(f"extra {extra}", State.MISSING, said, mend, required=False)
        else:
            said = ", ".join(f"{name} {version}" for name, version in versions.items())
            yield Finding(f"extra {extra}", State.OK, said, required=False)


def declared_extras(requirements: list[str] | None = None) -> dict[str, list[str]]:
    """The distributions of each extra, as the package (or this list) declares them."""
    if requirements is None:
        try:
            requirements = importlib.metadata.requires(_PACKAGE) or []
        except importlib.metadata.PackageNotFoundError:
            requirements = []
    found: dict[str, list[str]] = {}
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        if match and match[2] not in _FOR_DEVELOPERS and match[1] != _PACKAGE:
            found.setdefault(match[2], []).append(match[1])
    return found
