from __future__ import annotations

import pytest
from inspect_ai._util.registry import registry_lookup

import ecliptic.evals.registry as registry

NAMES = {
    "task": ["helio", "stargazer"],
    "solver": ["single_shot", "hmaw", "pace", "phase", "schema", "react", "mentor", "router",
               "answer_by", "wrapped", "admission", "begin_episode", "check_verifier"],
    "scorer": ["answer_grade", "planet_grade"],
    "tool": ["python", "submit"],
    "modelapi": ["scripted"],
    "metric": ["mean_of_known", "clustered_error"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k, names in NAMES.items() for n in names])
def test_inspect_finds_it_by_the_packages_name(kind: str, name: str) -> None:
    known = name if kind == "modelapi" else f"ecliptic/{name}"
    assert registry_lookup(kind, known) or registry_lookup(kind, f"ecliptic/{name}")  # type: ignore[arg-type]
    assert hasattr(registry, name)
