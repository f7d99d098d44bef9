"""What both planners share, with a fake planner for everything that can go wrong."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plancost.errors import PlannerError
from plancost.oracles.downward_family import Planner, SearchRun
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.search import Verdict
from plancost.oracles.symk import SYMK
from plancost.system.processes import Limits
from support.sas_texts import TRIANGLE, fake_planner, graph_sas, route

SAS = graph_sas(TRIANGLE, 0, 2)
WRITE_PLAN = "printf '(MOVE  N0 N2 )\\n; cost = 3 (general cost)\\n' > sas_plan; "
PROMPT_S = 5.0


@pytest.fixture(autouse=True)
def temporary_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A place of our own, to see that no directory is left in it."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield
    assert list(place.iterdir()) == []


@pytest.fixture(params=[FAST_DOWNWARD, SYMK], ids=lambda planner: planner.package)
def planner(request: pytest.FixtureRequest) -> Planner:
    found: Planner = request.param
    return found


def ask(
    planner: Planner,
    script: str,
    tmp_path: Path,
    limits: Limits = Limits(time_s=20),  # noqa: B008 (frozen)
    stop: threading.Event | None = None,
) -> SearchRun:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(planner.variable, str(fake_planner(tmp_path, script)))
        return planner.search(SAS, "any()", limits=limits, stop=stop)


def test_the_binary_is_found_without_importing_its_package(planner: Planner) -> None:
    assert planner.binary().is_file()
    assert planner.version()
    # In a Python of its own: other tests use unified-planning, which imports the packages itself.
    code = (
        "import sys\n"
        "from plancost.oracles.fast_downward import FAST_DOWNWARD\n"
        "from plancost.oracles.symk import SYMK\n"
        "for planner in (FAST_DOWNWARD, SYMK):\n"
        "    planner.binary(), planner.version()\n"
        f"sys.exit({planner.package!r} in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_planner_that_is_not_installed() -> None:
    missing = Planner("Nobody", "up_nobody", "bin/nobody", "up-nobody", {}, "PLANCOST_NOBODY")
    with pytest.raises(PlannerError, match="Nobody is not installed: run 'pip install up-nobody'"):
        missing.binary()
    assert missing.version() is None


def test_it_gets_the_task_and_the_search(planner: Planner, tmp_path: Path) -> None:
    script = f'cat > {tmp_path}/task; echo "$@" > {tmp_path}/words; {WRITE_PLAN}'
    run = ask(planner, script, tmp_path)
    assert (tmp_path / "task").read_text() == SAS
    assert (tmp_path / "words").read_text() == "--search any()\n"
    assert run.outcome.verdict is Verdict.FOUND
    assert run.outcome.plans == (route(0, 2),)
    assert run.outcome.planner == planner.name
    assert run.plan_costs == (3,)


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (11, Verdict.NONE),
        (12, Verdict.GAVE_UP),
        (22, Verdict.OUT_OF_MEMORY),
        (23, Verdict.OUT_OF_TIME),
        (24, Verdict.OUT_OF_MEMORY),
    ],
)
def test_exit_codes(planner: Planner, code: int, verdict: Verdict, tmp_path: Path) -> None:
    assert ask(planner, f"exit {code}", tmp_path).outcome.verdict is verdict


@pytest.mark.parametrize(
    ("code", "verdict"),
    [(1, Verdict.OUT_OF_MEMORY), (2, Verdict.OUT_OF_TIME), (3, Verdict.OUT_OF_MEMORY)],
)
def test_limits_after_a_plan(planner: Planner, code: int, verdict: Verdict, tmp_path: Path) -> None:
    run = ask(planner, f"{WRITE_PLAN} exit {code}", tmp_path)
    assert (run.outcome.verdict, run.outcome.plans) == (verdict, (route(0, 2),))
    with pytest.raises(PlannerError, match="says that it found a plan but wrote none"):
        ask(planner, f"rm -f sas_plan; exit {code}", tmp_path)


def test_none_below_the_bound_is_an_answer_of_fast_downward_alone(tmp_path: Path) -> None:
    assert ask(FAST_DOWNWARD, "exit 13", tmp_path).outcome.verdict is Verdict.NONE
    with pytest.raises(PlannerError, match="exit code 13"):
        ask(SYMK, "exit 13", tmp_path)


@pytest.mark.parametrize("code", [4, 10, 14, 20, 21, 25, 30, 38, 99, 255])
def test_an_unknown_exit_code_is_no_answer(planner: Planner, code: int, tmp_path: Path) -> None:
    with pytest.raises(PlannerError) as raised:
        ask(planner, f"seq 1000; exit {code}", tmp_path)
    message = str(raised.value)
    assert message.startswith(f"{planner.name} ended in a way that is no answer (exit code {code})")
    assert message.endswith(": 997 / 998 / 999 / 1000")


@pytest.mark.parametrize("code", range(32, 38))
def test_failures_of_the_planner(planner: Planner, code: int, tmp_path: Path) -> None:
    with pytest.raises(PlannerError, match=rf"{planner.name} .*\(exit code {code}\): broken"):
        ask(planner, f"echo broken; exit {code}", tmp_path)


def test_death_by_a_signal(planner: Planner, tmp_path: Path) -> None:
    with pytest.raises(PlannerError, match="was killed by signal 11: it printed nothing"):
        ask(planner, "kill -SEGV $$", tmp_path)


def test_the_memory_killer(planner: Planner, tmp_path: Path) -> None:
    run = ask(planner, "kill -KILL $$", tmp_path)
    assert run.outcome.verdict is Verdict.OUT_OF_MEMORY
    run = ask(planner, "echo std::bad_alloc; kill -ABRT $$", tmp_path)
    assert run.outcome.verdict is Verdict.OUT_OF_MEMORY
    with pytest.raises(PlannerError, match="signal 6"):
        ask(planner, "echo assertion failed; kill -ABRT $$", tmp_path)


def test_out_of_time_with_a_plan(planner: Planner, tmp_path: Path) -> None:
    run = ask(planner, f"{WRITE_PLAN} sleep 60", tmp_path, Limits(time_s=0.3))
    assert run.outcome.verdict is Verdict.OUT_OF_TIME
    assert run.outcome.plans == (route(0, 2),)
    assert run.outcome.seconds < PROMPT_S


def test_a_planner_that_ignores_sigterm(planner: Planner, tmp_path: Path) -> None:
    script = 'trap "" TERM; while :; do sleep 0.05; done'
    assert ask(planner, script, tmp_path, Limits(time_s=0.2)).outcome.verdict is Verdict.OUT_OF_TIME


def test_a_planner_with_a_child_of_its_own(planner: Planner, tmp_path: Path) -> None:
    script = f"sleep 60 & echo $! > {tmp_path}/pid; wait"
    assert ask(planner, script, tmp_path, Limits(time_s=0.3)).outcome.verdict is Verdict.OUT_OF_TIME
    process = Path("/proc") / (tmp_path / "pid").read_text().strip()
    end = time.monotonic() + PROMPT_S
    while process.exists() and " Z " not in (process / "stat").read_text():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_stop(planner: Planner, tmp_path: Path) -> None:
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    assert ask(planner, "sleep 60", tmp_path, stop=stop).outcome.verdict is Verdict.STOPPED
    timer.join()


def test_a_flood_of_output(planner: Planner, tmp_path: Path) -> None:
    run = ask(planner, f"yes | head -n 200000; {WRITE_PLAN}", tmp_path)
    assert run.outcome.verdict is Verdict.FOUND
    assert len(run.output) == 65536


def test_half_a_plan_is_none(planner: Planner, tmp_path: Path) -> None:
    script = f"{WRITE_PLAN} printf '(move n0 n1)\\n' > sas_plan.2; sleep 60"
    assert ask(planner, script, tmp_path, Limits(time_s=0.3)).outcome.plans == (route(0, 2),)


def test_what_contradicts_itself_is_no_answer(planner: Planner, tmp_path: Path) -> None:
    with pytest.raises(PlannerError, match="says that it found a plan but wrote none"):
        ask(planner, "exit 0", tmp_path)
    with pytest.raises(PlannerError, match="wrote a plan but says that there is none"):
        ask(planner, f"{WRITE_PLAN} exit 11", tmp_path)
    with pytest.raises(PlannerError, match="wrote something that is no plan"):
        ask(planner, "printf 'move n0\\n; cost = 3\\n' > sas_plan", tmp_path)


def test_plans_come_in_the_order_of_their_numbers_and_once(
    planner: Planner, tmp_path: Path
) -> None:
    script = "".join(
        f"printf '(move n0 n{number % 2 + 1})\\n; cost = {number % 2 * 2 + 1}\\n' "
        f"> sas_plan.{number}; "
        for number in range(1, 12)
    )
    run = ask(planner, script, tmp_path)
    assert run.outcome.plans == (route(0, 2), route(0, 1))
    assert run.plan_costs == (3, 1)
    assert run.plan_files == 11


def test_costs_that_come_near_the_planners_32_bits(
    planner: Planner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(time_s=20)
    monkeypatch.setenv(planner.variable, str(fake_planner(tmp_path, WRITE_PLAN)))
    large = graph_sas([(0, 2, 3), (2, 0, 2**30 - 2)], 0, 2)
    assert planner.search(large, "any()", limits=limits).outcome.plans
    larger = graph_sas([(0, 2, 2**30 - 1)], 0, 2)
    with pytest.raises(PlannerError, match="counts in 32 bits"):
        planner.search(larger, "any()", limits=limits)
