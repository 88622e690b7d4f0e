"""Attacks on the laboratory, each really tried from inside."""

from __future__ import annotations

import pytest
from sandbox.attack import Attack
from sandbox.quiet_attacks import QUIET

from ecliptic.sandbox import BlockingLaboratory


@pytest.mark.parametrize("attack", QUIET, ids=lambda attack: attack.name)
def test_is_stopped(attack: Attack, session: BlockingLaboratory, facts: dict[str, str]) -> None:
    result = session.run(attack.source(facts))
    assert attack.was_stopped(result.text), result.text
    assert not result.session_lost
