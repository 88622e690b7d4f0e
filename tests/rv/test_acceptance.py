"""Candidates are drawn until a judge takes one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ecliptic.errors import UsageError
from ecliptic.rv.acceptance import Tally, accepted, by_audit
from ecliptic.rv.recipe import candidate
from ecliptic.rv.tasks import RVTask


def only_two_planets(task: RVTask) -> str | None:
    return None if len(task.truth.planets) == 2 else "one planet"


def test_the_first_that_is_accepted_is_taken_and_the_others_are_counted() -> None:
    tally = Tally()
    tasks = [accepted(3, "easy", i, accept=only_two_planets, tally=tally) for i in range(8)]
    assert all(len(task.truth.planets) == 2 for task in tasks)
    assert tally.accepted == 8
    assert tally.rejected["one planet"] == sum(task.meta["attempt"] for task in tasks) > 0
    assert tally.acceptance == pytest.approx(8 / (8 + tally.rejected.total()))
    for task in tasks:
        meta = json.loads(json.dumps(task.meta))
        assert meta["rejected"].get("one planet", 0) == meta["attempt"]
        first = candidate(3, "easy", meta["index"], meta["attempt"])
        assert first.id == task.id


def test_it_depends_on_the_index_alone() -> None:
    one, other = (accepted(3, "easy", 5, accept=only_two_planets) for _ in range(2))
    assert one == other


def test_a_judge_may_hand_back_the_task_with_what_it_found() -> None:
    def marked(task: RVTask) -> RVTask:
        return task.model_copy(update={"meta": {**task.meta, "seen": True}})

    task = accepted(3, "easy", 0, accept=marked)
    assert task.meta["seen"]
    assert task.id == candidate(3, "easy", 0).id


def test_it_gives_up_with_the_reasons() -> None:
    with pytest.raises(UsageError, match=r"none of 3 candidates was accepted \(dull 3\)"):
        accepted(3, "easy", 0, accept=lambda task: "dull", max_attempts=3)


def test_an_audit_takes_the_solvable_and_names_what_is_wrong_with_others() -> None:
    task = accepted(3, "easy", 0, accept=by_audit)
    recovery = task.truth.recovery
    assert recovery is not None
    assert len(recovery.tolerances) == len(task.truth.planets)
    assert task.id == candidate(3, "easy", 0, task.meta["attempt"]).id
    seen = task.observation
    noise = np.random.default_rng(1).standard_normal(len(seen.rvs_ms)) * seen.sigmas_ms
    empty = task.model_copy(update={"observation": seen.model_copy(update={"rvs_ms": noise})})
    assert isinstance(by_audit(empty), str)
