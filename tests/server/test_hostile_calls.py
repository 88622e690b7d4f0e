"""What a client may try, and what it must not get."""

from __future__ import annotations

import json
import re

import pytest
from server.conftest import attempt_at
from server.served import KEY
from server.stars import WRONG, task_behind

DEEP = "[" * 200_000
MEASURED = re.compile(r"\[(?:[-+.\deE]+,\s*){20,}[-+.\deE]+\]")
SQL = "' OR '1'='1'; DROP TABLE attempts; --"


@pytest.fixture(scope="module")
def mine(stars):
    return attempt_at(stars)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


@pytest.mark.parametrize(
    "path",
    ["", "/observation", "/../attempts", "/%2e%2e/%2e%2e/etc/passwd", "/observation%00", "/" + SQL],
)
@pytest.mark.parametrize("token", ["", "x", SQL, "ea_" + "0" * 24 + "_" + "A" * 43, KEY])
def test_no_token_opens_no_attempt(raw, path, token) -> None:
    answer = raw.get(f"/v1/attempt{path}", headers=bearer(token) if token else {})
    assert answer.status_code in {401, 404, 405}
    assert "observation" not in answer.text


def test_a_token_is_good_for_its_own_attempt_alone(stars, raw, mine) -> None:
    other = attempt_at(stars)
    forged = "_".join([*other.secrets["attempt"].split("_")[:2], "A" * 43])
    assert raw.get("/v1/attempt", headers=bearer(forged)).status_code == 401
    swapped = other.secrets["attempt"][:28] + mine.secrets["attempt"][28:]
    assert raw.get("/v1/attempt", headers=bearer(swapped)).status_code == 401
    assert raw.post("/v1/leaderboard/runs", headers=bearer(other.secrets["attempt"])).is_error
    assert raw.post("/mcp", headers=bearer(forged), content=b"{}").status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe{}", 400),
        (DEEP.encode(), 400),
        *((b'{"planets":' + b"[" * n + b"]" * n + b"}", 400) for n in (50, 495, 500, 900)),
        (b'{"planets": [{"period_days": ' + b"9" * 5000 + b"}]}", 400),
        (b'{"planets": [{"period_days": NaN}]}', 422),
        (b'{"planets": [{"period_days": 1e400}]}', 422),
        (b'{"\\ud800": 1}', 422),
        (b'{"planets": [{"\\ud800\\u0000": 1}]}', 422),
        (b'{"planets": null}', 422),
        (json.dumps({"planets": [{}] * 5000}).encode(), 422),
        (json.dumps({str(i): i for i in range(5000)}).encode(), 422),
        (b"null", 422),
        (b" " * 1_000_001, 413),
    ],
    ids=range(18),
)
def test_a_bad_submission_is_told_and_costs_nothing(raw, mine, body, status) -> None:
    headers = bearer(mine.secrets["attempt"])
    before = mine("state").json()["submissions_left"]
    answer = raw.post("/v1/attempt/submissions", headers=headers, content=body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert mine("state").json()["submissions_left"] == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        DEEP.encode(),
        b"[]",
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\u0000","arguments":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"submit",'
        b'"arguments":{"\\ud800":"\\ud800"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"peek","arguments":{}}}',
    ],
    ids=range(9),
)
def test_bad_calls_over_mcp_end_in_no_fault(raw, mine, body) -> None:
    headers = bearer(mine.secrets["attempt"]) | {"Accept": "application/json, text/event-stream"}
    answer = raw.post("/mcp", headers=headers, content=body)
    assert answer.status_code < 500
    assert "Traceback" not in answer.text
    assert mine("state").json()["submissions_left"] > 0


@pytest.mark.parametrize("origin", ["http://attacker.example", "HTTPS://localhost:1", "null"])
def test_a_web_page_may_not_call(raw, mine, origin) -> None:
    headers = bearer(mine.secrets["attempt"]) | {"Origin": origin}
    for method, path in (("POST", "/mcp"), ("GET", "/v1/attempt"), ("POST", "/v1/attempts")):
        answer = raw.request(method, path, headers=headers, content=b"{}")
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers
    headers["Origin"] = "vscode-file://vscode-app"
    assert raw.get("/v1/attempt", headers=headers).status_code == 200


def test_a_stream_without_a_length_is_cut(raw, mine) -> None:
    def endless():
        for _ in range(100):
            yield b" " * 100_000

    headers = bearer(mine.secrets["attempt"])
    answer = raw.post("/v1/attempt/submissions", headers=headers, content=endless())
    assert answer.status_code == 413


@pytest.mark.parametrize("key", ["", "a" * 101, SQL, "ä", "a b"])
def test_a_bad_idempotency_key_is_refused(raw, mine, key) -> None:
    headers = bearer(mine.secrets["attempt"]) | {"Idempotency-Key": key.encode("latin-1")}
    answer = raw.post("/v1/attempt/submissions", headers=headers, content=json.dumps(WRONG))
    assert answer.status_code == 422


@pytest.mark.parametrize("task", [SQL, "../../etc/passwd", "", "t-" + "0" * 24, "rv-\u0000"])
def test_no_such_task(raw, task) -> None:
    answer = raw.post("/v1/attempts", json={"task": task, "agent": SQL[:100]})
    assert answer.status_code in {404, 422}


def test_text_of_an_agent_is_kept_as_it_is(raw) -> None:
    task = raw.get("/v1/tasks").json()["tasks"][0]
    for agent, status in ((SQL, 201), ("a\u0000b", 422), ("a" * 201, 422)):
        answer = raw.post("/v1/attempts", json={"task": task, "agent": agent})
        assert answer.status_code == status
    assert raw.post("/v1/attempts", content=b'{"task":"\\ud800"}').status_code == 422
    assert raw.post("/v1/attempts", content=b"{").status_code in {400, 422}


def test_only_the_operator_names_runs_uploads_and_signs(raw) -> None:
    task = raw.get("/v1/tasks").json()["tasks"][0]
    assert raw.post("/v1/attempts", json={"task": task, "run": "r"}).status_code == 403
    wrong = {"Authorization": "Bearer nobody"}
    assert raw.post("/v1/attempts", json={"task": task}, headers=wrong).status_code == 401
    assert raw.post("/v1/leaderboard/uploads?agent=a", headers=wrong).status_code == 401
    assert raw.post("/v1/leaderboard/runs", headers=wrong, json={"run": "r"}).status_code == 401


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/state/operator.key", "/docs", "//"])
def test_nothing_else_is_served(raw, path) -> None:
    assert raw.get(path).status_code == 404


def test_nothing_tells_the_truth_or_a_secret(stars, raw) -> None:
    client = attempt_at(stars)
    seen = client("observe")
    task = task_behind(seen.json()["observation"], "quick")
    answers = [seen, client("state"), client("submit", WRONG), raw.get("/metrics")]
    answers += [raw.get("/v1/suite"), raw.get("/v1/tasks"), raw.get("/openapi.json")]
    # Among hundreds of measured figures one may hold the digits of any other by chance.
    text = "".join(MEASURED.sub("[]", each.text) for each in answers)
    told = text + stars.log
    for planet in task.truth.planets:
        for value in (planet.period_days, planet.m_sin_i_mjup, planet.l_rad):
            assert repr(value) not in told
            assert f"{value:.4f}" not in told
    for secret in (task.id, task.tier + '"', str(task.meta.get("seed")), task.source_id):
        assert not secret or secret not in told
    assert client.secrets["attempt"] not in stars.log
    assert KEY not in told
