from __future__ import annotations

import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import get_model

from ecliptic.agents import answer_by
from ecliptic.agents.solvers import mentor
from ecliptic.errors import UsageError


@pytest.mark.parametrize("make", [lambda: mentor(every=0), lambda: answer_by("reakt")])
def test_mistakes_are_our_errors_and_lines_of_inspects_commands(make) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert isinstance(caught.value, PrerequisiteError)
    assert caught.value.message == f"ecliptic: {caught.value}"
    assert str(caught.value)


def test_a_script_that_is_not_there_is_a_line_too() -> None:
    with pytest.raises(UsageError, match=r"script nowhere\.jsonl cannot be read") as caught:
        get_model("scripted/nowhere.jsonl", memoize=False)
    assert isinstance(caught.value, PrerequisiteError)
