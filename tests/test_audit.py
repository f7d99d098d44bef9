"""``make check`` fails because of a known vulnerability, and never because nothing is known."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PINS = """# a comment
alpha==1.0 \\
    --hash=sha256:00
    # via plancost
beta==2.0 ; python_version < '3.12' \\
    --hash=sha256:01
"""


@pytest.fixture
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / "requirements" / "audit.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "dev.lock"
    path.write_text(PINS)
    return path


def answer(*items: Mapping[str, object]) -> str:
    return json.dumps({"dependencies": items, "fixes": []})


GOOD = {"name": "alpha", "version": "1.0", "vulns": []}
BAD = {
    "name": "beta",
    "version": "2.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"], "description": "x"}],
}
UNKNOWN = {"name": "beta", "skip_reason": "Dependency not found on PyPI"}


def test_a_vulnerability(audit: ModuleType, lock: Path) -> None:
    asked = []

    def ask(pins: Path, seconds: float) -> str:
        asked.append(pins.read_text())
        assert 0 < seconds <= 60
        return answer(GOOD, BAD, UNKNOWN) if pins == lock else answer(GOOD)

    assert audit.audit(lock, ask) == ["beta 2.0: PYSEC-1, mended in 2.1"]
    assert asked == ["alpha==1.0 \\\n    --hash=sha256:00\n", PINS]


def test_none(audit: ModuleType, lock: Path) -> None:
    assert audit.audit(lock, lambda pins, seconds: answer(GOOD)) == []


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (answer(UNKNOWN), "there are no data on beta"),
        ("<html>", "something else than expected"),
        ("[]", "something else than expected"),
        (OSError("no route to host"), "no route to host"),
        (subprocess.TimeoutExpired("pip-audit", 60), "no answer within 60 seconds"),
    ],
)
def test_nothing_is_known(
    audit: ModuleType,
    lock: Path,
    said: str | Exception,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ask(pins: Path, seconds: float) -> str:
        if isinstance(said, Exception):
            raise said
        return said

    with pytest.raises(audit.NotAuditedError, match=reason):
        audit.audit(lock, ask)
    monkeypatch.setattr(audit, "audit", lambda path: audit.__dict__["_look"](path, ask, 0, 60))
    assert audit.main([str(lock)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("not audited: ") and out.count("\n") == 1


def test_the_exit_status(
    audit: ModuleType,
    lock: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(audit, "audit", lambda path: ["beta 2.0: PYSEC-1, mended in 2.1"])
    assert audit.main([str(lock)]) == 1
    assert "PYSEC-1" in capsys.readouterr().out
