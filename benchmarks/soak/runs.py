"""One run: a case, a question, a fault, the commands, and what is wrong with all of it."""

from __future__ import annotations

import json
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.soak.cases import draw_case
from benchmarks.soak.checks import Json, check_result
from benchmarks.soak.commands import Done, Sandbox, files_in
from benchmarks.soak.draws import draw_question
from benchmarks.soak.findings import Finding, NoReferenceError, Wrong
from benchmarks.soak.follow_ups import FollowUp
from benchmarks.soak.injections import Injection, draw_injection, slowed
from benchmarks.soak.records import Record
from plancost.cli import exit_codes

_LATE_S = 60.0
"""How long after its time limit a command may still be there."""


_TURNS = re.compile("[\\u2028-\\u202e\\u2066-\\u2069]")


@dataclass
class Run:
    """A run by its seed and number."""

    seed: int
    number: int
    base: Path
    pace: float = 1.0
    """How many times as long everything takes, compared with a machine that has time for us."""

    def __post_init__(self) -> None:
        self.random = Random(f"{self.seed} {self.number}")
        self.folder = self.base / f"run-{self.number}"
        self.record = Record(self.number, self.seed)

    def go(self, *, keep: bool = False) -> Record:
        """Do it; the folder stays if something is wrong."""
        began = time.monotonic()
        self.prepare()
        try:
            self._execute()
        except NoReferenceError:
            self.record.is_judged = False
        self.record.seconds = time.monotonic() - began
        if keep or self.record.findings:
            self.record.folder = self.folder
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.record

    def prepare(self) -> None:
        """Draw all that is to be drawn beforehand, and write the files."""
        record, random = self.record, self.random
        files = self.folder / "files"
        files.mkdir(parents=True)
        self.sandbox = Sandbox(self.folder, slowness=self.pace)
        self.question = draw_question(random, draw_case(random), files)
        record.world, record.kind = self.question.case.world.kind, self.question.kind
        record.options, record.features = self.question.options, self.question.case.features
        self.case = self.folder / "case"
        self.case_words = self.question.case.write(self.case, self.question.columns)
        drawn = draw_injection(random, self.question, self.sandbox, self.case)
        self.injection = slowed(drawn, self.question, self.pace)
        record.injection = self.injection.name
        record.in_process = record.injection == "none" and random.random() < 0.6
        self.words = self._words(self.injection)
        (self.folder / "command").write_text(self.sandbox.command_line(self.words) + "\n")

    def _execute(self) -> None:
        record, sandbox, injection = self.record, self.sandbox, self.injection
        before = files_in(self.case)
        run: Callable[[list[str]], Done] = sandbox.run_here if record.in_process else sandbox.run
        if injection.name == "none":
            done = run(self.words)
        else:
            done = sandbox.run(self.words, stop=injection.stop, ulimit=injection.ulimit)
        record.happened = injection.name != "none" and injection.happened
        if injection.stop is not None:
            record.happened = done.signalled
        record.outcome = outcome_of(done)
        result = self._after_learn(done, injection)
        sandbox.environment.clear()
        if injection.stop is not None:
            record.commands.append("the same again")
            result = self._after_learn(sandbox.run(self.words), Injection())
        if result is not None and not record.findings:
            self._follow_ups(result, injection, run)
        if files_in(self.case) != before:
            self._wrong(Wrong.LEAK, "the case folder has changed")

    def _words(self, injection: Injection) -> list[str]:
        random, out = self.random, self.sandbox.out
        words = ["learn", *self.case_words, "--output", str(injection.unwritable or self._result)]
        words += [*self.question.all_words, *injection.words]
        for option, chance in (
            (["--pddl-out", str(out / "pddl")], 0.3),
            (["--report", str(out / "report.html")], 0.15),
            (["--json"], 0.3),
            (["--verbose"], 0.1),
            (["--log-file", str(out / "log.txt")], 0.1),
        ):
            if random.random() < chance:
                words += option
        if self.question.is_provable and random.random() < 0.5:
            words += ["--certificate", str(out / "PROOF.json")]
        return words

    @property
    def _result(self) -> Path:
        return self.sandbox.out / "RESULT.json"

    def _wrong(self, kind: Wrong, text: str) -> None:
        self.record.findings.append(Finding(kind, text))

    def _after_learn(self, done: Done, injection: Injection) -> Json | None:
        """Look at the exit status, the result and the leftovers."""
        record, question = self.record, self.question
        record.findings += done.problems()
        killed = injection.stop is not None and injection.stop.signal == signal.SIGKILL
        processes, files = self.sandbox.processes_left(), self.sandbox.temporary_files()
        if processes:
            self._wrong(Wrong.LEAK, f"processes: {processes}")
        if killed:
            record.left_by_kill += len(files)  # the next run removes it
        elif files:
            self._wrong(Wrong.LEAK, f"temporary files: {files}")
        result = self._read()
        record.findings += self._strangers(result, injection)
        if done.status is None:
            return None
        free = injection.name == "none" and question.limit_s is None
        allowed = self._expected(result) if free else injection.statuses
        if question.limit_s is not None and injection.name == "none":
            allowed = {*self._expected(result), *allowed}
        if done.status not in allowed:
            text = f"status {done.status}, expected one of {sorted(allowed)}: {done.err[-500:]}"
            self._wrong(Wrong.OUTCOME, text)
        if question.limit_s is not None and done.seconds > question.limit_s + self.pace * _LATE_S:
            text = f"{done.seconds:.0f} s with a time limit of {question.limit_s:g} s"
            self._wrong(Wrong.OUTCOME, text)
        if result is None:
            if done.status in (exit_codes.OK, exit_codes.NO_IDEAL):
                self._wrong(Wrong.OUTCOME, f"status {done.status} without RESULT.json")
            return None
        if not injection.damaged:
            record.findings += check_result(question, result, self.random, expect_proof=free)
        return result

    def _expected(self, result: Json | None) -> set[int]:
        """How learning ends when nothing comes in its way.

        Actions of no plan matter too where costs are shared or linear: each costs at least 1.
        """
        question = self.question
        if question.is_refused:
            return {exit_codes.BAD_INPUT}
        actions = question.case.useful_actions
        if result is not None:
            parts = result.get("groups") or [result]
            actions = sorted(set(actions).union(*(part["costs"] for part in parts)))
        references = [question.reference(actions, name) for name in question.names_of_groups]
        if any(reference.is_contradictory for reference in references):
            return {exit_codes.BAD_INPUT}
        if question.concept.solution != "icf":
            return {exit_codes.OK}
        if question.groups > 1:
            plans = sum(item.count for item in question.case.seen)
            ideal = references[0].most_in_groups(question.groups) == plans
        else:
            ideal = all(reference.ideal for reference in references)
        if question.alternatives == "exact":
            return {exit_codes.OK if ideal else exit_codes.NO_IDEAL}
        return {exit_codes.OK, exit_codes.UNDECIDED} | (set() if ideal else {exit_codes.NO_IDEAL})

    def _read(self) -> Json | None:
        if not self._result.exists():
            return None
        try:
            content = json.loads(self._result.read_text(encoding="utf-8"))
        except ValueError as error:
            self._wrong(Wrong.OUTCOME, f"half a RESULT.json: {error}")
            return None
        return content if isinstance(content, dict) else None

    def _strangers(self, result: Json | None, injection: Injection) -> Iterator[Finding]:
        """Files that nobody asked for."""
        asked = {
            "RESULT.json",
            "PROOF.json",
            "pddl",
            "report.html",
            "log.txt",
            "applied",
            "page.html",
        }
        unfinished = result is None or not result["proved"] or not result["secondary"]["proved"]
        if unfinished or injection.name != "none":
            asked.add("RESULT.json.checkpoint")
        if injection.unwritable is not None:
            asked |= {"file", "file.checkpoint"}
        for path in self.sandbox.out.iterdir():
            if path.name not in asked and not path.name.startswith("report"):
                yield Finding(Wrong.LEAK, f"nobody asked for {path.name}")
            if path.suffix == ".html" and _TURNS.search(path.read_text(encoding="utf-8")):
                yield Finding(Wrong.OUTCOME, f"{path.name} has signs that turn text around")
        for path in (self.folder / "home").rglob("*"):
            if path.is_file():
                yield Finding(Wrong.LEAK, f"a file at home: {path.name}")

    def _follow_ups(
        self, result: Json, injection: Injection, run: Callable[[list[str]], Done]
    ) -> None:
        record = self.record
        follow = FollowUp(
            self.question,
            self.sandbox,
            self.case_words,
            self.case,
            result,
            self.random,
            run,
            f"{20 * self.pace:g}",
        )
        if injection.damaged:
            # The reference does not know this case; another look at it has to agree.
            words = ["verify", *self.case_words, str(self._result), "--quiet"]
            done = run([*words, "--time-limit", f"{20 * self.pace:g}"])
            if done.status not in (exit_codes.OK, exit_codes.UNDECIDED):
                self._wrong(Wrong.ANSWER, f"verify: status {done.status}: {done.err}")
            record.commands.append("verify")
            return
        if (self.sandbox.out / "PROOF.json").exists():
            record.findings += follow.check_proof()
            record.commands.append("check-proof")
        pddl = self.sandbox.out / "pddl"
        if (pddl / "domain.pddl").exists() and self.random.random() < 0.5:
            number = self.random.choice(self.question.case.seen).problem
            record.findings += follow.others_agree(pddl, number, result["costs"])
        for _ in range(self.random.choice([0, 1, 2])):
            name, findings = follow.one()
            record.commands.append(name)
            record.findings += findings
            processes, files = self.sandbox.processes_left(), self.sandbox.temporary_files()
            if processes or files:
                self._wrong(Wrong.LEAK, f"{name}: processes {processes}, temporary files {files}")
        record.commands += follow.others


def outcome_of(done: Done) -> str:
    """How a command ended, in a few words."""
    if done.status is None:
        return "hung"
    words = {
        exit_codes.OK: "an answer",
        exit_codes.BAD_INPUT: "an error",
        exit_codes.USAGE: "an error",
        exit_codes.NO_IDEAL: "none, proven",
        exit_codes.UNDECIDED: "undecided",
        exit_codes.FAILED: "failed",
        exit_codes.INTERRUPTED: "stopped",
        exit_codes.TERMINATED: "stopped",
        -signal.SIGKILL: "killed",
    }
    return words.get(done.status, f"status {done.status}")
