"""``plancost doctor`` as users call it."""

from __future__ import annotations

import json

import pytest

from plancost.doctor.finding import Finding, State
from support.command import in_process, plancost


def test_here_everything_works() -> None:
    done = plancost("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[-1] == "everything that plancost needs works"
    assert {line.split()[0] for line in lines[:-1]} <= {"ok", "missing", "broken"}
    for name in ("Python", "translator", "Fast Downward", "SymK", "HiGHS", "memory limit"):
        assert any(line.startswith("ok") and name in line for line in lines), name


@pytest.mark.parametrize(("required", "status"), [(True, 1), (False, 0)])
def test_only_what_is_required_counts(
    required: bool,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bad = Finding("thing", State.MISSING, "not there", "run 'mend it'", required)
    monkeypatch.setattr("plancost.doctor.checks.all_checks", lambda: iter([bad]))
    done = in_process(capsys, "doctor")
    assert done.returncode == status
    first = done.stdout.splitlines()[0]
    assert first.startswith("missing  thing")
    assert first.endswith("not there; run 'mend it'")
    done = in_process(capsys, "doctor", "--json")
    assert done.returncode == status
    content = json.loads(done.stdout)
    assert content["ok"] is (status == 0)
    assert content["checks"] == [
        {
            "name": "thing",
            "state": "missing",
            "said": "not there",
            "mend": "run 'mend it'",
            "required": required,
        }
    ]
