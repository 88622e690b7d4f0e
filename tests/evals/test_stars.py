from __future__ import annotations

import json
import math
import shutil
from typing import Any

import pytest
from evals.harness import (
    WRONG,
    Run,
    by_epoch,
    planets_of,
    python,
    run,
    score_of,
    scored_again,
    scripted,
    submit,
    written,
)
from inspect_ai import eval as inspect_eval
from inspect_ai.model import GenerateConfig

from ecliptic.agents.scripted import ScriptedAPI
from ecliptic.cli.app import run_cli
from ecliptic.errors import TaskError, UsageError
from ecliptic.evals import stargazer
from ecliptic.rv import Budget
from ecliptic.rv.submission import AGENT_LIMITS
from ecliptic.suite import load_suite

PLOT = "import matplotlib.pyplot as plt\nplt.plot(times_days, rvs_ms)\nlen(times_days)"


@pytest.fixture(scope="module")
def solved(suite, star, tmp_path_factory) -> Run:
    lines = [python(PLOT), python("star_mass_sun"), submit(WRONG), submit(planets_of(star))]
    return run(stargazer(suite), lines, tmp_path_factory.mktemp("logs"))


def test_an_attempt_computes_submits_and_is_solved(solved, star) -> None:
    assert solved.stop == "solved"
    assert solved.value["passed"] == solved.value["easy"] == 1.0
    assert solved.value["submissions"] == 2
    assert solved.told[0].startswith(str(len(star.observation.times_days)))
    assert float(solved.told[1]) == star.observation.star_mass_sun
    assert "Submission 1 was graded" in solved.told[2]
    assert "solved" in solved.told[3]
    (plotted,) = [m for m in solved.sample.messages if not isinstance(m.content, str)]
    assert [content.type for content in plotted.content] == ["text", "image"]


def test_the_score_holds_the_verdict_and_every_criterion(solved) -> None:
    assert solved.score.metadata["verdict"]["passed"] is True
    assert solved.value["recovery"] == solved.value["periods"] == 1.0
    assert math.isnan(solved.value["rms"])
    assert math.isnan(solved.value["hard"])
    kept = solved.score.metadata["submissions"]
    assert [each["passed"] for each in kept] == [False, True]
    assert kept[1]["tokens"] > kept[0]["tokens"] > 0


def test_scored_again_from_its_log_it_is_the_same(solved) -> None:
    (fresh,) = scored_again(solved)
    assert repr(fresh.value) == repr(solved.score.value)
    assert fresh.metadata["stop"] == "solved"
    assert fresh.metadata["verdict"] == solved.score.metadata["verdict"]


def test_budgets_are_limits_of_the_sample(solved) -> None:
    assert "3 submissions, 200,000 tokens and 600 seconds" in solved.sample.input
    assert solved.log.status == "success"


STOPS = {
    "submissions": [submit(WRONG, times=9)],
    "gave_up": [submit(WRONG), {"text": "Enough.", "times": 9}],
    "gave_up ": [{"text": "I cannot.", "times": 9}],
    "tokens": [{**python("1"), "usage": {"input": 150_000, "output": 9}, "times": 9}],
    "provider_error": [submit(WRONG), {"fault": "bad_request", "times": 9}],
    "provider_error ": [{"fault": "server_error", "times": 99}],
}


def test_the_reason_of_every_stop_is_recorded(suite, tmp_path) -> None:
    lines = by_epoch(list(STOPS.values()))
    result = run(stargazer(suite), lines, tmp_path, epochs=len(STOPS))
    scores = [score_of(s) for s in sorted(result.samples, key=lambda sample: sample.epoch)]
    assert [score.metadata["stop"] for score in scores] == [reason.strip() for reason in STOPS]
    failed = [score.metadata["stop"] == "provider_error" for score in scores]
    assert [score.value["error"] for score in scores] == [float(each) for each in failed]
    assert [math.isnan(score.value["passed_graded"]) for score in scores] == failed
    assert not any(score.value["passed"] for score in scores)


@pytest.mark.parametrize(
    ("reason", "lines", "options"),
    [
        ("time", [{**python("1"), "delay_seconds": 3}], {"time_limit": 1}),
        ("other_limit", [python("1", times=9)], {"message_limit": 4}),
    ],
)
def test_limits_of_the_run_hold_where_they_are_tighter(
    reason, lines, options, suite, tmp_path
) -> None:
    assert run(stargazer(suite), lines, tmp_path, **options).stop == reason


def test_the_time_of_a_tier_is_a_limit_of_the_sample(suite, tmp_path, monkeypatch) -> None:
    brief = Budget(tokens=1e6, seconds=1.0, submissions=3)
    monkeypatch.setattr("ecliptic.evals.star_task.budget_of", lambda _: brief)
    result = run(stargazer(suite), [{**python("1"), "delay_seconds": 30}], tmp_path)
    assert (result.stop, result.sample.limit.type) == ("time", "time")
    assert result.sample.total_time < 20


def test_a_fault_of_ours_is_called_ours(suite, tmp_path, monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("ecliptic.evals.episodes.session_variables", broken)
    result = run(stargazer(suite), [python("1")], tmp_path)
    assert result.stop == "our_error"
    assert result.value["error"] == 1.0


def test_passing_counts_although_the_provider_fails_afterwards(suite, star, tmp_path) -> None:
    first = submit(planets_of(star))
    first["tool_calls"].append({"function": "python", "arguments": {"code": "1"}})
    result = run(stargazer(suite), [first, {"fault": "bad_request", "times": 9}], tmp_path)
    assert result.stop == "solved"
    assert result.value["passed_graded"] == 1.0


FAULTY = ["malformed_tool_call", "unknown_tool", "empty"]
PASSING = ["rate_limit", "server_error", "timeout", "dropped_connection"]


def test_faults_that_can_be_mended_cost_no_attempt(suite, star, tmp_path) -> None:
    """Faulty calls are told to the model; what the provider mends by itself is tried again."""
    lines = [[{"fault": fault, "times": 1}, submit(planets_of(star))] for fault in FAULTY + PASSING]
    result = run(stargazer(suite), by_epoch(lines), tmp_path, epochs=len(lines), max_retries=3)
    assert [score_of(sample).metadata["stop"] for sample in result.samples] == ["solved"] * 7
    assert result.metric("error") == 0.0


def test_a_model_without_tools_hands_in_by_text(both, star, pair, tmp_path) -> None:
    right = json.dumps({"planets": planets_of(star)})
    lines = [
        {
            "sample": star.id,
            "text": f"First {json.dumps({'planets': WRONG})}, no: {right} I think.",
        },
        {"sample": pair.id, "text": "I do not know."},
    ]
    result = run(stargazer(both, hand_in="text"), lines, tmp_path)
    scores = {sample.id: score_of(sample) for sample in result.samples}
    first, second = scores[star.id], scores[pair.id]
    assert (first.value["passed"], first.metadata["stop"]) == (1.0, "solved")
    assert (second.value["submissions"], second.metadata["stop"]) == (0, "gave_up")
    asked = result.requests[0][1][-1].text
    assert f"{star.observation.times_days[0]:.4f}" in asked + result.requests[1][1][-1].text
    assert any(repr(again.value) == repr(first.value) for again in scored_again(result))


def test_by_text_a_provider_may_hold_the_reply_to_the_schema(suite, tmp_path) -> None:
    made = stargazer(suite, hand_in="text", constrained=True)
    result = run(made, [{"turn": 1, "json": {"planets": WRONG}}], tmp_path)
    (event,) = [event for event in result.sample.events if event.event == "model"]
    assert "planets" in event.config.response_schema.json_schema.properties
    assert (result.stop, result.value["submissions"]) == ("answered", 1)
    assert stargazer(suite, hand_in="text").config.response_schema is None


def test_a_held_reply_has_no_more_planets_than_the_limit_of_tokens_has_room_for(
    suite, tmp_path, monkeypatch
) -> None:
    asked = []
    generate = ScriptedAPI.generate

    async def kept(self: ScriptedAPI, *, config: GenerateConfig, **given: Any) -> Any:
        asked.append(config.response_schema.json_schema.properties["planets"].maxItems)
        return await generate(self, config=config, **given)

    monkeypatch.setattr(ScriptedAPI, "generate", kept)
    made = stargazer(suite, hand_in="text", constrained=True)
    lines = [{"turn": 1, "json": {"planets": WRONG}}]
    run(made, lines, tmp_path)
    monkeypatch.setattr("ecliptic.agents.response_schemas.LIMITING_SERVERS", ("scripted/",))
    run(made, lines, tmp_path)
    run(made, lines, tmp_path, max_tokens=400)
    assert asked == [None, AGENT_LIMITS.max_planets, 4]


def test_models_that_do_not_see_are_told_of_plots(suite, tmp_path) -> None:
    lines = [python(PLOT), {"text": "Enough.", "times": 9}]
    result = run(stargazer(suite, images=False), lines, tmp_path)
    assert "1 plots were drawn" in result.told[0]


def test_laboratories_end_with_their_attempts(suite, tmp_path, monkeypatch) -> None:
    from ecliptic.evals import episodes

    closed = []
    monkeypatch.setattr(episodes.Laboratory, "close", _noting(closed, episodes.Laboratory.close))
    run(stargazer(suite), [python("1"), {"fault": "bad_request", "times": 9}], tmp_path)
    assert len(closed) == 1
    assert not episodes._live


def _noting(closed, close):
    async def noted(self):
        closed.append(self)
        await close(self)

    return noted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"protocol": "lenient"}, "no protocol 'lenient'"),
        ({"feedback": "all"}, "no feedback level 'all'"),
        ({"protocol": "strict", "feedback": "paper"}, "tells distances to the truth"),
        ({"hand_in": "post"}, "hand_in: 'post'"),
        ({"skills": "some"}, "skills: 'some'"),
        ({"tiers": "epic"}, "no tier 'epic'"),
        ({"per_tier": 0}, "per_tier must be at least 1"),
    ],
)
def test_mistakes_are_one_line(arguments, message, suite) -> None:
    with pytest.raises(UsageError, match=message):
        stargazer(suite, **arguments)


def test_the_protocol_is_the_strict_one_where_the_suite_was_audited(suite) -> None:
    assert "no alias" in stargazer(suite).dataset[0].input
    assert "RMS of its residuals" in stargazer(suite, protocol="paper").dataset[0].input


def test_a_machine_without_a_jail_refuses_before_anything_is_paid_for(
    suite, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr("ecliptic.sandbox.isolation.why_no_bubblewrap", lambda: "none here")
    model = scripted([python("1")])
    result = run(stargazer(suite), model, tmp_path)
    assert result.stop == "our_error"
    assert "none here" in result.sample.error.message
    assert not result.requests

    with pytest.raises(UsageError, match="none here"):
        inspect_eval("ecliptic/stargazer", task_args={"suite": suite}, model=model, display="none")
    assert not model.api.requests


def test_a_sealed_suite_is_played_with_its_truth_apart(tmp_path) -> None:
    made = [
        "suite",
        "create",
        "one",
        "--tier",
        "easy",
        "--count",
        "1",
        "--seed",
        str(2**80),
        "--sealed",
    ]
    assert run_cli([*made, "--draws", "25", "--no-panel", "--out", str(tmp_path / "one")]) == 0
    public, private = str(tmp_path / "one" / "public"), str(tmp_path / "one" / "private")
    with pytest.raises(TaskError, match="truth is sealed; give --truth FOLDER"):
        stargazer(public)
    (star,) = load_suite(public, truth=private)
    lines = [submit(WRONG, times=1), submit(planets_of(star), times=1), {"text": "Enough."}]
    played = run(stargazer(public, truth=private), lines, tmp_path / "logs")
    assert played.value["submissions"] == 2
    assert played.value["count"] == 1.0  # as the joined truth says
    asked = str([messages for _, messages in played.requests])
    assert str(star.truth.planets[0].period_days)[:7] not in asked.partition("submit")[0]
    (fresh,) = scored_again(played)
    assert repr(fresh.value) == repr(played.score.value)


def test_time_that_a_dead_provider_used_up_is_no_fault_of_the_model(suite, tmp_path) -> None:
    lines = [python("1"), {"fault": "server_error", "times": 10**6}]
    result = run(stargazer(suite), lines, tmp_path, time_limit=6, max_retries=10**6)
    assert result.stop == "provider_error"
    assert "500 internal server error" in result.score.metadata["error"]
    assert math.isnan(result.value["passed_graded"])


def test_a_suite_made_anew_is_played_as_it_is(stars, tmp_path) -> None:
    folder = tmp_path / "suite"
    before = stargazer(written(stars[:1], folder))
    shutil.rmtree(folder)
    after = stargazer(written(stars[1:], folder))
    assert [sample.id for sample in after.dataset] == [stars[1].id]
    assert after.version != before.version
