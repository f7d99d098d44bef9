"""Large runs: 100 to 1,000 plans on a road map, judged by a search and by the proof.

No list of all plans is possible here. Which plans costs make optimal is said by a search of our
own over the roads that were drawn; the bound may not be below what the hidden costs of the drivers
reach, and ``check-proof`` looks at what the bound rests on.
"""

from __future__ import annotations

import csv
import heapq
import json
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.soak.commands import Done, Sandbox, Stop
from benchmarks.soak.findings import Finding, Wrong
from benchmarks.soak.roads import between, draw_town
from benchmarks.soak.runs import Run, outcome_of
from benchmarks.soak.worlds import World
from plancost.cli import exit_codes

EVERY = 25
"""One run of so many is large."""
_LIMIT_S = 40.0
_ENDS = (exit_codes.OK, exit_codes.UNDECIDED)

Costs = Mapping[str, int]


@dataclass(frozen=True)
class Ways:
    """A road map: for each place the actions that leave it, and where they lead."""

    leaving: Mapping[str, tuple[tuple[str, str], ...]]

    def cheapest(self, start: str, goal: str, costs: Costs) -> tuple[int, int, list[str]]:
        """The least cost, how many plans have it (two stand for more), and one of them."""
        best, number = {start: 0}, {start: 1}
        last: dict[str, tuple[str, str]] = {}
        heap, done = [(0, start)], set()
        while heap:
            cost, place = heapq.heappop(heap)
            if place in done:
                continue
            done.add(place)
            for action, there in self.leaving.get(place, ()):
                total = cost + costs[action]
                if total < best.get(there, total + 1):
                    best[there], number[there], last[there] = total, number[place], (place, action)
                    heapq.heappush(heap, (total, there))
                elif total == best[there]:
                    number[there] = min(2, number[there] + number[place])
        steps, place = [], goal
        while place != start:
            place, action = last[place]
            steps.append(action)
        return best[goal], number[goal], steps[::-1]

    def is_optimal(self, trip: Trip, costs: Costs, *, strict: bool) -> bool:
        """Whether a plan is the cheapest; strictly: and no other is as cheap."""
        least, number, _ = self.cheapest(trip.start, trip.goal, costs)
        return sum(costs[name] for name in trip.plan) == least and (not strict or number == 1)


@dataclass(frozen=True)
class Trip:
    """An observed plan."""

    problem: int
    start: str
    goal: str
    plan: tuple[str, ...]


@dataclass(frozen=True)
class LargeCase:
    """A map, trips on it, and costs that most drivers have in mind."""

    world: World
    ways: Ways
    hidden: Costs
    trips: tuple[Trip, ...]

    def write(self, folder: Path, random: Random) -> list[str]:
        """A manifest; the words that name it to ``plancost``."""
        folder.mkdir(parents=True)
        domain = folder / "domain.pddl"
        domain.write_text(self.world.domain)
        rows = []
        for number, trip in enumerate(self.trips):
            path = folder / f"p{trip.problem}.pddl"
            if not path.exists():
                problem = between(trip.start, trip.goal)
                path.write_text(self.world.problem_text(random, path.stem, problem))
            (folder / f"t{number}.plan").write_text("".join(f"{step}\n" for step in trip.plan))
            rows.append([path.name, f"t{number}.plan"])
        with (folder / "plans.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["problem", "plan"], *rows])
        return [str(folder / "plans.csv"), "--domain", str(domain)]


def draw_large_case(random: Random) -> LargeCase:
    """Trips that are the cheapest for their drivers, who do not agree."""
    world = draw_town(random)
    leaving: dict[str, list[tuple[str, str]]] = {}
    for action in world.actions:
        _, a, b = action.words
        leaving.setdefault(a, []).append((action.name, b))
    ways = Ways({place: tuple(found) for place, found in leaving.items()})
    hidden = {action.name: random.randint(10, 40) for action in world.actions}
    noise = random.choice([0.05, 0.2, 0.5])
    pairs = random.sample(
        [(a, b) for a in leaving for b in leaving if a != b], random.randint(10, 40)
    )
    trips = []
    for _ in range(random.choice([100, 100, 200, 500, 1000])):
        number = random.randrange(len(pairs))
        own = {
            n: max(1, round(c * random.uniform(1 - noise, 1 + noise))) for n, c in hidden.items()
        }
        plan = tuple(ways.cheapest(*pairs[number], own)[2])
        trips.append(Trip(number, *pairs[number], plan))
    return LargeCase(world, ways, hidden, tuple(trips))


class LargeRun(Run):
    """A large run by its seed and number."""

    def prepare(self) -> None:
        """Draw the case and write it."""
        random, record = self.random, self.record
        self.folder.mkdir(parents=True)
        self.sandbox = Sandbox(self.folder, slowness=self.pace)
        self.large = draw_large_case(random)
        self.strict = random.random() < 0.4
        self.case_words = self.large.write(self.folder / "case", random)
        record.world, record.kind = "large roads", f"{len(self.large.trips)} plans"
        record.options = ["scf" if self.strict else "mcf"]
        words = ["learn", *self.case_words, "--solution", *record.options, "--output"]
        words += [
            str(self.sandbox.out / "RESULT.json"),
            "--time-limit",
            f"{_LIMIT_S * self.pace:g}",
        ]
        words += ["--jobs", random.choice(["1", "2"])]
        if random.random() < 0.3:
            words.append("--refine")
            record.options.append("initial costs")
        if random.random() < 0.7:
            words += ["--certificate", str(self.sandbox.out / "PROOF.json")]
        self.words = words
        self.stop = None
        if random.random() < 0.4:
            number = random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
            self.stop = Stop(number, self.pace * random.uniform(0, 10))
            record.injection = number.name

    def _execute(self) -> None:
        record, sandbox = self.record, self.sandbox
        if self.stop is not None:
            done = sandbox.run([*self.words, "--checkpoint-every", "0.5"], stop=self.stop)
            record.happened = done.signalled
            record.findings += done.problems()
            self._judge_file()
            record.commands.append("the same again")
        done = sandbox.run(self.words)
        record.outcome = outcome_of(done)
        record.findings += done.problems()
        if done.status not in _ENDS:
            self._wrong(Wrong.OUTCOME, f"status {done.status}: {done.err[-500:]}")
        self._judge_file()
        for text in (*sandbox.processes_left(), *sandbox.temporary_files()):
            self._wrong(Wrong.LEAK, text)
        if (sandbox.out / "PROOF.json").exists() and not record.findings:
            record.commands.append("check-proof")
            record.findings += self._check_proof()

    def _judge_file(self) -> None:
        path = self.sandbox.out / "RESULT.json"
        if path.exists():
            texts = wrong_with(self.large, json.loads(path.read_text()), strict=self.strict)
            self.record.findings += [Finding(Wrong.ANSWER, text) for text in texts]

    def _check_proof(self) -> Iterator[Finding]:
        case, *domain = self.case_words
        files = [str(self.sandbox.out / name) for name in ("RESULT.json", "PROOF.json")]
        done: Done = self.sandbox.run(["check-proof", case, *files, *domain])
        yield from done.problems()
        if done.status not in _ENDS:
            kind = Wrong.ANSWER if done.status == exit_codes.CONTRADICTED else Wrong.OUTCOME
            yield Finding(
                kind, f"check-proof: status {done.status}: {(done.out + done.err)[-500:]}"
            )


def wrong_with(case: LargeCase, result: dict[str, Any], *, strict: bool) -> Iterator[str]:
    """What a result says that a search of our own does not."""
    costs = result["costs"]
    optimal = 0
    for item in result["observations"]:
        trip = case.trips[int(Path(item["plan"]).stem[1:])]
        right = case.ways.is_optimal(trip, costs, strict=strict)
        optimal += bool(item["optimal"])
        if item["optimal"] not in (None, right):
            yield f"{item['plan']}: optimal is {item['optimal']}, but that is {right}"
        if item["cost"] != sum(costs[name] for name in trip.plan):
            yield f"{item['plan']} does not cost {item['cost']}"
        least = case.ways.cheapest(trip.start, trip.goal, costs)[0]
        if item["optimal_cost"] not in (None, least):
            yield f"{item['plan']}: the cheapest plan costs {least}, not {item['optimal_cost']}"
    if (result["optimal_plans"], len(result["observations"])) != (optimal, len(case.trips)):
        yield f"{optimal} plans are called optimal, but optimal_plans is {result['optimal_plans']}"
    reached = sum(case.ways.is_optimal(trip, case.hidden, strict=strict) for trip in case.trips)
    if result["upper_bound"] < max(reached, optimal):
        yield f"the bound is {result['upper_bound']}, but {max(reached, optimal)} can be optimal"
    if result["proved"] != (result["optimal_plans"] == result["upper_bound"]):
        yield "proved, but the bound is not reached (or the other way round)"
