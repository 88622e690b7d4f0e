"""The OpenAPI description: complete, and what it allows never ends in a fault of the server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx2 as httpx
import pytest
from server.conftest import ISOLATION, attempt_at
from server.served import KEY

EXAMPLES = os.environ.get("ECLIPTIC_SCHEMATHESIS_EXAMPLES", "4")
OPERATIONS = {
    "health", "metrics", "suite", "tasks", "create_attempt", "state", "end", "observe", "submit",
    "periodogram", "plot", "results", "key", "upload", "close_run",
}  # fmt: skip


@pytest.fixture(scope="module")
def document(stars) -> dict:
    return httpx.get(f"{stars.url}/openapi.json").json()


def test_every_operation_is_described(document) -> None:
    operations = [each for path in document["paths"].values() for each in path.values()]
    names = {each["operationId"] for each in operations}
    assert names == OPERATIONS | ({"python"} if ISOLATION != "none" else set())
    for each in operations:
        assert each["description"]
        assert {"400", "413"} <= each["responses"].keys()
        for status, answer in each["responses"].items():
            if int(status) >= 400:
                assert list(answer["content"]) == ["application/problem+json"]
        if "requestBody" in each:
            assert "422" in each["responses"]
        if "security" in each:
            assert "401" in each["responses"]
    assert document["components"]["securitySchemes"].keys() == {"attempt", "operator"}


@pytest.mark.parametrize("who", ["attempt", "operator"])
def test_generated_calls_never_end_in_a_fault(stars, who, tmp_path) -> None:
    """Short by default; ``ECLIPTIC_SCHEMATHESIS_EXAMPLES=1000`` makes it long."""
    secret = KEY if who == "operator" else attempt_at(stars).secrets["attempt"]
    report = tmp_path / "report.json"
    checks = (
        "not_a_server_error,status_code_conformance,content_type_conformance,"
        "response_schema_conformance,response_headers_conformance"
    )
    options = {
        "--header": f"Authorization: Bearer {secret}",
        "--max-examples": EXAMPLES,
        "--exclude-operation-id": "end",
        "--phases": "examples,coverage,fuzzing",
        "--checks": checks,
        "--request-timeout": "120",
        "--report-ndjson-path": str(report),
    }
    program = Path(sys.executable).with_name("schemathesis")
    command = [program, "run", f"{stars.url}/openapi.json", "--no-color"]
    for name, value in options.items():
        command += [name, value]
    # It has no way to write JSON lines; tests of uploads stand with the leaderboard.
    command += ["--exclude-operation-id", "upload", "--generation-deterministic"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=3600, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    assert report.stat().st_size > 0
