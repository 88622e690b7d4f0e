"""A bench for the evaluations: small suites and records, scripted models, one call to run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai._eval.loader import ScorerSpec, scorer_from_spec
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, Model, get_model
from inspect_ai.scorer import Score

import ecliptic.evals.registry  # noqa: F401 - registers all names
from ecliptic.rv import RVTask
from ecliptic.suite import Suite, write_suite


@dataclass
class Run:
    """The log of a run, and what the scripted model was asked."""

    log: EvalLog
    requests: list[tuple[str, list[ChatMessage]]]

    @property
    def samples(self) -> list[EvalSample]:
        assert self.log.samples, self.log.error
        return self.log.samples

    @property
    def sample(self) -> EvalSample:
        return self.samples[0]

    @property
    def score(self) -> Score:
        return score_of(self.sample)

    @property
    def value(self) -> dict[str, float]:
        assert isinstance(self.score.value, dict)
        return self.score.value  # type: ignore[return-value]

    @property
    def stop(self) -> str:
        return str((self.score.metadata or {})["stop"])

    @cached_property
    def told(self) -> list[str]:
        """What the tools said, in order."""
        return [m.text or str(m.error) for m in self.sample.messages if m.role == "tool"]

    def metric(self, key: str, name: str = "mean_of_known") -> float:
        assert self.log.results
        score = next(s for s in self.log.results.scores if s.name == key)
        return next(m.value for n, m in score.metrics.items() if n.endswith(name))


def score_of(sample: EvalSample) -> Score:
    (score,) = (sample.scores or {}).values()
    return score


def scripted(lines: Any, name: str = "test") -> Model:
    return get_model(f"scripted/{name}", script=lines, keep_requests=True, memoize=False)


def run(task: Task, lines: Any, folder: Path, **options: Any) -> Run:
    model = lines if isinstance(lines, Model) else scripted(lines)
    settings = {"display": "none", "log_realtime": False, "max_retries": 1, **options}
    log = inspect_eval(task, model=model, log_dir=str(folder), **settings)[0]
    return Run(log, getattr(model.api, "requests", []))


def scored_again(result: Run) -> list[Score]:
    """As ``inspect score --scorer`` does it: everything from the log's file."""
    log = read_eval_log(result.log.location)
    (known,) = log.eval.scorers or []
    spec = ScorerSpec(scorer=f"ecliptic/{known.name}")
    scorer = scorer_from_spec(spec, None, **(known.options or {}))
    again = inspect_score(log, scorer, display="none", action="overwrite")
    assert again.samples
    return [score_of(sample) for sample in again.samples]


def call(function: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"function": function, "arguments": arguments}]


def python(code: str, **conditions: Any) -> dict[str, Any]:
    return {"text": "look", "tool_calls": call("python", code=code), **conditions}


def submit(planets: Any, **conditions: Any) -> dict[str, Any]:
    return {"text": "so", "tool_calls": call("submit", planets=planets), **conditions}


def planets_of(star: RVTask) -> list[dict[str, float]]:
    return [
        {
            "period_days": planet.period_days,
            "m_sin_i_mjup": planet.m_sin_i_mjup,
            "e": planet.e,
            "omega_rad": planet.omega_rad,
            "l_rad": planet.l_rad,
        }
        for planet in star.truth.planets
    ]


def written(stars: list[RVTask], folder: Path) -> str:
    write_suite(Suite.of(stars, name=folder.name), folder)
    return str(folder)


def by_epoch(scripts: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """A script for each epoch of one run; lines without conditions play in their order."""
    return [
        {"epoch": epoch, **({} if {"times", "turn"} & line.keys() else {"times": 1}), **line}
        for epoch, lines in enumerate(scripts, start=1)
        for line in lines
    ]


WRONG = [{"period_days": 3.3, "m_sin_i_mjup": 0.01, "e": 0.0, "omega_rad": 0.0, "l_rad": 0.0}]
