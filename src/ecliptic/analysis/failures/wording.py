"""Figures in plain words."""

from __future__ import annotations

import math

from ecliptic.analysis.failures.system import System


def days(period_days: float) -> str:
    """A period with five significant digits."""
    return f"{period_days:.5g} d"


def percent(share: float) -> str:
    """A share in whole per cent."""
    return f"{100 * share:.0f} %"


def figure(value: float) -> str:
    """Three significant digits, or that there are none."""
    return f"{value:.3g}" if math.isfinite(value) else "no finite number"


def against(system: System, j: int, i: int) -> str:
    """Period and semi-amplitude of a submitted planet and of a true one."""
    guess, truth = system.guess[j], system.truth[i]
    return (
        f"{days(guess[0])} submitted, {days(truth[0])} true (K {guess[1]:.3g} against "
        f"{truth[1]:.3g} m/s)"
    )


def listed(periods_days: list[float]) -> str:
    """Periods one after another."""
    return ", ".join(map(days, periods_days))
