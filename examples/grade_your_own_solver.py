"""Grade a solver of your own on fresh tasks, and say why it failed where it did.

Run with: python examples/grade_your_own_solver.py
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ecliptic import analysis, rv


def strongest_sine(observation: rv.Observation) -> dict[str, Any]:
    """One circular orbit at the period, out of a fixed list, that a sine fits best."""
    t = observation.times_days - observation.t_ref_days
    weights = 1.0 / observation.sigmas_ms
    best: tuple[float, float, np.ndarray] = (np.inf, 1.0, np.zeros(3))
    for period in np.geomspace(1.5, 400.0, 4000):
        phase = 2.0 * np.pi * t / period
        columns = np.stack([np.cos(phase), np.sin(phase), np.ones_like(t)], axis=1)
        solution, *_ = np.linalg.lstsq(columns * weights[:, None], observation.rvs_ms * weights)
        misfit = float(np.sum(((observation.rvs_ms - columns @ solution) * weights) ** 2))
        if misfit < best[0]:
            best = misfit, float(period), solution
    _, period, (cosine, sine, _) = best
    mass = rv.minimum_mass_mjup(
        float(np.hypot(cosine, sine)), period, 0.0, observation.star_mass_sun
    )
    angle = float(np.arctan2(-sine, cosine))  # v = K cos(l) at the reference epoch
    return {"planets": [{"period_days": period, "m_sin_i_mjup": mass, "l_rad": angle}]}


def main() -> None:
    verdicts = [
        rv.evaluate(task, strongest_sine(task.observation), protocol="paper")
        for task in rv.generate_many(seed=2, count=20, recipe="paper", tier="medium")
    ]
    passed = sum(verdict.passed for verdict in verdicts)
    low, high = analysis.wilson_interval(passed, len(verdicts))
    print(f"passed {passed} of {len(verdicts)}, 95 % interval {low:.0%} to {high:.0%}")
    reasons = Counter(str(v.diagnosis.code) for v in verdicts if v.diagnosis is not None)
    for code, count in reasons.most_common():
        print(f"  {count:2d} {code}")


if __name__ == "__main__":
    main()
