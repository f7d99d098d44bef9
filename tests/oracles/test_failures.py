"""Failures are said once each, and end the asking when there are too many."""

from __future__ import annotations

from plancost.errors import ClusterError, PlannerError
from plancost.oracles.failures import Failures


def test_each_sentence_once_in_the_order_of_first_times() -> None:
    failures = Failures()
    for text in ("b", "a", "b"):
        failures.note(PlannerError(text))
    failures.note("c")
    assert failures.said == ("b", "a", "c")


def test_twenty_in_a_row_are_too_many() -> None:
    failures = Failures()
    for _ in range(19):
        failures.note("crash")
    assert not failures.are_too_many
    failures.note_success()
    for _ in range(19):
        failures.note("crash")
    assert not failures.are_too_many, "one answered in between"
    failures.note("crash")
    assert failures.are_too_many


def test_a_cluster_that_is_lost_stays_lost() -> None:
    failures = Failures()
    failures.note(ClusterError("the scheduler is gone"))
    failures.note_success()
    assert failures.are_too_many
