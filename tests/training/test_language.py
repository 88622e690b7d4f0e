"""Both tasksets, run to the end by the library's own commands against a scripted provider."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers")

from training.scripted_provider import calls, scripted_provider

from ecliptic import rv
from ecliptic.helio import generate
from ecliptic.sandbox import why_no_bubblewrap
from ecliptic.suite import load_suite
from ecliptic.training.language.references import StarReference

SECONDS = 900
WRONG = [{"period_days": 17.0, "m_sin_i_mjup": 1.0, "e": 0.0, "omega_rad": 0.0, "l_rad": 0.0}]
ISOLATION = "auto" if why_no_bubblewrap() is None else "unconfined"


def run(command: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """One of the library's commands in this interpreter."""
    return subprocess.run(
        [str(Path(sys.executable).with_name(command)), *arguments],
        cwd=folder,
        env={**os.environ, "SCRIPTED_KEY": "none"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def evaluate(taskset: str, address: str, folder: Path, *more: str) -> list[dict[str, Any]]:
    """The traces of an evaluation."""
    done = run(
        "vf-eval",
        taskset,
        *("--no-rich", "--no-push", "--model", "scripted", "--run.dir", "run"),
        *("--client.base-url", address, "--client.api-key-var", "SCRIPTED_KEY"),
        *("--env.taskset.tools.isolation", ISOLATION, *more),
        folder=folder,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    lines = (folder / "outputs" / "run" / "traces.jsonl").read_text().splitlines()
    episodes = [json.loads(line) for line in lines]
    return [trace for each in episodes for trace in each.get("traces", [each])]


def test_a_star_is_analysed_with_tools_and_solved(tmp_path: Path) -> None:
    star = next(
        star
        for star in load_suite("quick")
        if rv.evaluate(
            star, {"planets": [p.model_dump() for p in star.truth.planets]}, "strict"
        ).passed
    )
    planets = [planet.model_dump() for planet in star.truth.planets]

    def say(messages: list[dict[str, Any]]) -> dict[str, Any]:
        turn = sum(message["role"] == "assistant" for message in messages)
        script = (
            calls("python", code="print('points:', len(times_days))"),
            calls("submit", planets=WRONG),
            calls("submit", planets=planets),
        )
        return script[turn] if turn < len(script) else {"role": "assistant", "content": "Done."}

    with scripted_provider(say) as (address, requests):
        (trace,) = evaluate("ecliptic-stars", address, tmp_path, "--select.include.ids", star.id)
    assert trace["ok"], trace["errors"]
    assert trace["stop_condition"] == "attempt_over"
    assert trace["rewards"]["verdict"]["score"] == 1.0
    assert trace["metrics"]["submissions"] == 2.0
    assert trace["metrics"]["solved"] == 1.0
    told = [message["content"] for message in requests[-1]["messages"] if message["role"] == "tool"]
    assert f"points: {len(star.observation.times_days)}" in str(told[0])
    assert "FAIL" in str(told[1])
    seen = json.dumps(requests)
    assert star.id not in seen
    assert "m_sin_i_mjup" in seen
    first = json.dumps(requests[:3])
    assert not any(f"{planet.period_days:.4f}" in first for planet in star.truth.planets)


def test_a_question_is_computed_and_answered(tmp_path: Path) -> None:
    record = generate("parker_wind", 7)

    def say(messages: list[dict[str, Any]]) -> dict[str, Any]:
        if messages[-1]["role"] == "user":
            return calls("python", code="6 * 7")
        return {"role": "assistant", "content": f"Final answer: {record.final}"}

    with scripted_provider(say) as (address, requests):
        (trace,) = evaluate(
            "ecliptic-questions",
            address,
            tmp_path,
            *("-n", "1", "--env.taskset.seed", "7"),
            *("--env.taskset.families", "parker_wind", "--env.taskset.forms", "numeric"),
        )
    assert trace["ok"], trace["errors"]
    assert trace["rewards"]["verdict"]["score"] == 1.0
    assert "42" in str(requests[-1]["messages"][-1]["content"])


@pytest.mark.parametrize(
    ("taskset", "arguments"),
    [
        ("ecliptic_stars", {"tiers": ["easy"]}),
        ("ecliptic_questions", {"families": ["parker_wind"]}),
    ],
)
def test_validation_proves_each_task(taskset: str, arguments: dict[str, Any]) -> None:
    from verifiers.v1.utils.loaders import load_taskset, taskset_config_type

    config = taskset_config_type(taskset).model_validate({"id": taskset, **arguments})
    tasks = list(load_taskset(config).take(2))
    assert len(tasks) == 2
    assert all(asyncio.run(task.validate(None)) for task in tasks)
    assert len({task.key for task in tasks}) == 2


def test_tasks_are_frozen_and_hold_no_truth() -> None:
    from pydantic import ValidationError
    from verifiers.v1.utils.loaders import taskset_config_type

    from ecliptic_stars import StarsTaskset

    config = taskset_config_type("ecliptic-stars").model_validate({"id": "ecliptic-stars"})
    task = next(iter(StarsTaskset(config)))
    with pytest.raises(ValidationError):
        task.data.prompt = "another"
    text = task.data.model_dump_json()
    truth = load_suite("quick").find(task.data.id).load().truth
    assert not any(str(planet.m_sin_i_mjup) in text for planet in truth.planets)


def test_a_star_of_a_seed_is_found_again_in_another_process() -> None:
    reference = StarReference(recipe="paper", tier="easy", seed=2**100 + 1, index=3)
    again = StarReference.model_validate_json(reference.model_dump_json())
    assert again == reference
    assert again.find().id == reference.find().id
