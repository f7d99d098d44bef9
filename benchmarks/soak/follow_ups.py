"""What is done with a result: verify, explain, report, apply, solve, and a planner on the PDDL."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.soak import written
from benchmarks.soak.checks import Json, check_observations
from benchmarks.soak.commands import Done, Sandbox
from benchmarks.soak.findings import Finding, Wrong
from benchmarks.soak.questions import Question
from plancost.cli import exit_codes


@dataclass
class FollowUp:
    """A result of a run, and where all of it lies."""

    question: Question
    sandbox: Sandbox
    case_words: list[str]
    case: Path
    result: Json
    random: Random
    run: Callable[[list[str]], Done]
    limit: str
    """Seconds for a command."""
    others: list[str] = field(default_factory=list)
    """Who else has looked at the PDDL that was written."""

    @property
    def path(self) -> Path:
        """The RESULT.json."""
        return self.sandbox.out / "RESULT.json"

    def one(self) -> tuple[str, Iterator[Finding]]:
        """Do one of them: its name, and what is wrong."""
        chosen = self.random.choice(
            [self.verify, self.verify, self.explain, self.report, self.apply, self.solve]
        )
        return chosen.__name__, chosen()

    def verify(self) -> Iterator[Finding]:
        """A second oracle agrees, or says that it ran out of time."""
        oracle = self.random.choice(["auto", "graph", "fast-downward", "symk"])
        words = ["verify", *self.case_words, str(self.path), "--oracle", oracle, "--json"]
        done = self.run([*words, "--time-limit", self.limit])
        yield from self._outcome(done, [exit_codes.OK, exit_codes.UNDECIDED])
        if done.status in (exit_codes.OK, exit_codes.UNDECIDED) and done.out:
            yield from check_observations(self.question, json.loads(done.out))

    def explain(self) -> Iterator[Finding]:
        """Every plan that is not optimal has a reason that is one."""
        words = ["explain", *self.case_words, str(self.path), "--json"]
        done = self.run([*words, "--time-limit", self.limit])
        yield from self._outcome(done, [exit_codes.OK, exit_codes.UNDECIDED])
        if done.status in (exit_codes.OK, exit_codes.UNDECIDED) and done.out:
            yield from check_observations(self.question, json.loads(done.out))

    def check_proof(self) -> Iterator[Finding]:
        """Nothing is wrong; not proven is only what is left open, or a goal that always holds."""
        files = [str(self.path), str(self.sandbox.out / "PROOF.json")]
        case, *domain = self.case_words
        done = self.run(["check-proof", case, *files, *domain])
        yield from self._outcome(done, [exit_codes.OK, exit_codes.UNDECIDED])
        excuses = ["left open", "trivial goal", "no second"]
        if not {"share", "linear"}.isdisjoint(self.result["options"]):
            excuses.append("no plan uses")  # a cost that depends on those of other groups
        if self.result["options"].get("time_limit") is not None:
            excuses.append("ended before there was a proof")
        excused = any(word in done.out for word in excuses)
        if done.status == exit_codes.UNDECIDED and not excused:
            yield Finding(Wrong.ANSWER, f"check-proof: {done.out}")

    def report(self) -> Iterator[Finding]:
        """A page."""
        page = self.sandbox.out / "page.html"
        words = ["report", *self.case_words, str(self.path), "--output", str(page)]
        group = self._group()
        done = self.run([*words, *([] if group is None else ["--group", group])])
        yield from self._outcome(done, [exit_codes.OK])
        if done.status == exit_codes.OK and not page.read_text().rstrip().endswith("</html>"):
            yield Finding(Wrong.OUTCOME, "the page is not whole")

    def apply(self) -> Iterator[Finding]:
        """PDDL that any planner understands, with the costs in it."""
        number, costs, words = self._problem()
        folder = self.sandbox.out / "applied"
        done = self.run(["apply", str(self.path), *words, "--output", str(folder)])
        yield from self._outcome(done, [exit_codes.OK])
        if done.status == exit_codes.OK:
            yield from self.others_agree(folder, number, costs)

    def solve(self) -> Iterator[Finding]:
        """The cheapest plans."""
        number, costs, words = self._problem()
        count = self.random.choice([1, 1, 1, 3])
        words += ["--costs", str(self.path), "--json", "--time-limit", self.limit]
        if count > 1:
            words += ["--count", str(count)]
        elif self.random.random() < 0.7:
            words += ["--planner", self.random.choice(["fast-downward", "symk"])]
        done = self.run(["solve", *words])
        allowed = [exit_codes.OK, exit_codes.UNPROVEN, exit_codes.UNDECIDED]
        yield from self._outcome(done, allowed)
        if done.status == exit_codes.OK:
            found = [plan["cost"] for plan in json.loads(done.out)["plans"]]
            right = self._cheapest(number, costs)[:count]
            if found != right:
                yield Finding(Wrong.ANSWER, f"solve: the cheapest plans cost {right}, not {found}")

    def others_agree(
        self, folder: Path, number: int, costs: Mapping[str, int]
    ) -> Iterator[Finding]:
        """A planner or a validator alone, on the PDDL that was written."""
        files = folder / "domain.pddl", folder / f"p{number}.pddl"
        work = self.sandbox.folder / "planner"
        case = self.question.case
        who = self.random.choice(["Fast Downward", "SymK", "unified-planning"])
        plans = [item.plan for item in case.seen if item.problem == number and item.plan]
        if who == "unified-planning" and written.is_readable(case.world) and plans:
            plan = self.random.choice(plans)
            texts = written.wrong_by_validator(*files, plan, sum(costs[a] for a in plan), work)
        else:
            who = "Fast Downward" if who == "unified-planning" else who
            least = self._cheapest(number, costs)[0]
            texts = written.wrong_by_planner(who, *files, least, work)
        yield from (Finding(Wrong.ANSWER, text) for text in texts)
        self.others.append(f"{who} on the PDDL")

    def _outcome(self, done: Done, allowed: Collection[int]) -> Iterator[Finding]:
        yield from done.problems()
        if done.status is not None and done.status not in allowed:
            kind = Wrong.ANSWER if done.status == exit_codes.CONTRADICTED else Wrong.OUTCOME
            command = self.sandbox.command_line(done.words)
            text = f"{command}: status {done.status}: {(done.out + done.err)[-500:]}"
            yield Finding(kind, text)

    def _group(self) -> str | None:
        names = [group["name"] for group in self.result.get("groups", ()) if group["plans"]]
        return self.random.choice(names) if names else None

    def _problem(self) -> tuple[int, Mapping[str, int], list[str]]:
        """A problem, the costs for it, and the words for both."""
        group, seen, costs = self._group(), self.question.case.seen, self.result["costs"]
        if group is not None:
            (of_group,) = (g for g in self.result["groups"] if g["name"] == group)
            costs = of_group["costs"]
            if "group" in self.question.columns:
                seen = tuple(item for item in seen if item.group == group)
        number = self.random.choice(seen).problem
        words = [str(self.case / f"p{number}.pddl"), "--domain", str(self.case / "domain.pddl")]
        return number, costs, [*words, *([] if group is None else ["--group", group])]

    def _cheapest(self, number: int, costs: Mapping[str, int]) -> list[int]:
        """What the plans of a problem cost, one ordering of the same actions each."""
        plans = {
            frozenset(Counter(plan).items()): plan for plan in self.question.case.plans[number]
        }
        return sorted(sum(costs[name] for name in plan) for plan in plans.values())
