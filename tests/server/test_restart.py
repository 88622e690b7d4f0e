"""What was answered is there after a crash, and is graded once."""

from __future__ import annotations

import json
import threading

import httpx2 as httpx
import pytest
import sqlalchemy as sa
from server.conftest import FAST, attempt_at
from server.openapi_client import OpenAPIClient
from server.served import Served
from server.stars import FIELDS

SUITE = ("quick-paper", "--isolation", "none", *FAST)


def guess(period_days: float) -> dict:
    return {"planets": [dict.fromkeys(FIELDS, 0.2) | {"period_days": period_days}]}


def rows(state, query: str) -> list:
    engine = sa.create_engine(f"sqlite:///{state}/attempts.sqlite")
    with engine.connect() as connection:
        found = list(connection.execute(sa.text(query)))
    engine.dispose()
    return found


def submitted_while_killed(served: Served, tokens: list[str]) -> dict[tuple[str, str], dict]:
    """Hand in from several threads until the server is gone; what was acknowledged, by key."""
    told: dict[tuple[str, str], dict] = {}
    some = threading.Event()

    def play(token: str) -> None:
        with httpx.Client(base_url=served.url, timeout=60) as http:
            for number in range(10_000):
                key = f"k{number}"
                headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
                try:
                    answer = http.post(
                        "/v1/attempt/submissions", headers=headers, json=guess(3.0 + number)
                    )
                except httpx.TransportError:
                    return
                if answer.status_code == 409:
                    return
                told[token, key] = answer.json()
                some.set()

    threads = [threading.Thread(target=play, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    some.wait(60)
    served.kill()
    for thread in threads:
        thread.join()
    return told


def test_nothing_acknowledged_is_lost_or_graded_twice_when_killed(tmp_path) -> None:
    served = Served(*SUITE, state=tmp_path)
    names = OpenAPIClient(served.url)("tasks").json()["tasks"]
    clients = [attempt_at(served, name) for name in names]
    tokens = [client.secrets["attempt"] for client in clients]
    clock = clients[0]("state").json()["seconds_left"]
    told = submitted_while_killed(served, tokens)
    assert told

    again = Served(*SUITE, state=tmp_path)
    try:
        for token in tokens:
            client = OpenAPIClient(again.url, attempt=token)
            state = client("state").json()
            mine = [answer for (owner, _), answer in told.items() if owner == token]
            # One more may have been kept whose answer did not get through.
            assert state["answers"][: len(mine)] == mine
            assert len(state["answers"]) <= len(mine) + 1
            left = state["submissions_left"]
            for (owner, key), answer in told.items():
                if owner == token:
                    number = int(key[1:])
                    given = {"Idempotency-Key": key}
                    same = client("submit", guess(3.0 + number), **given)
                    assert same.json() == answer
            assert client("state").json()["submissions_left"] == left
            if left:
                following = client("submit", guess(400.0)).json()
                assert following["number"] == len(state["answers"]) + 1
                client("end")
        assert OpenAPIClient(again.url, attempt=tokens[0])("state").json()["seconds"] >= clock
    finally:
        assert again.stop() == 0
    (graded,) = rows(tmp_path, "select count(*) from submissions")[0]
    (distinct,) = rows(
        tmp_path, "select count(*) from (select distinct attempt, number from submissions)"
    )[0]
    assert graded == distinct >= len(told)


def test_a_key_is_good_for_one_submission(stars) -> None:
    client = attempt_at(stars)
    first = client("submit", guess(5.0), **{"Idempotency-Key": "a"}).json()
    assert client("submit", guess(5.0), **{"Idempotency-Key": "a"}).json() == first
    client("submit", guess(6.0), expect=409, **{"Idempotency-Key": "a"})
    assert client("submit", guess(5.0), **{"Idempotency-Key": "b"}).json()["number"] == 2


def test_a_submission_sent_twice_at_once_is_graded_once(stars) -> None:
    client = attempt_at(stars)
    headers = {
        "Authorization": f"Bearer {client.secrets['attempt']}", "Idempotency-Key": "twice"
    }  # fmt: skip
    answers = []

    def send() -> None:
        url = f"{stars.url}/v1/attempt/submissions"
        answers.append(httpx.post(url, headers=headers, json=guess(5.0), timeout=60).json())

    threads = [threading.Thread(target=send) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [answers[0]] * 5
    assert len(client("state").json()["answers"]) == 1


def test_a_second_server_on_the_same_state_is_refused(stars) -> None:
    with pytest.raises(AssertionError, match="is in use by another server"):
        Served("quick", "--isolation", "none", state=stars.state)


def test_a_state_of_another_suite_is_refused(questions, tmp_path) -> None:
    import anyio

    from ecliptic.errors import UsageError
    from ecliptic.server.service import prepare, running
    from ecliptic.server.settings import Settings, Source

    async def start(checksum: str) -> None:
        listing = {
            "name": "n", "checksum": checksum, "commitment": None, "protocol": "answer",
            "tasks": [("k", "k")],
        }  # fmt: skip
        settings = Settings(Source("helio-v1", "questions"), tmp_path, isolation="none")
        async with running(prepare(settings, listing), warm=False):
            pass

    anyio.run(start, "a" * 64)
    with pytest.raises(UsageError, match="another suite"):
        anyio.run(start, "b" * 64)
    assert json.dumps(sorted(path.name for path in tmp_path.iterdir()))
