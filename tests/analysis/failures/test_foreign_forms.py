"""Logs that were changed by hand, or written by something else."""

from __future__ import annotations

import pytest

from ecliptic.analysis import Attempt
from ecliptic.analysis.failures import label_all, labelling


@pytest.mark.parametrize("error", [TypeError("a\nb"), IndexError("x"), OverflowError("x")])
def test_values_of_another_form_leave_one_attempt_out_and_say_so(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(labelling, "read_details", fail)
    attempt = Attempt("a", "m", "stargazer", "s", "t", "t", "easy", passed=False)
    (row,) = label_all([attempt, attempt]).rows[:1]
    assert "'t' has a form that is not known" in row.skipped
    assert "\n" not in row.skipped
