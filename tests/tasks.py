"""Small tasks made by hand."""

from __future__ import annotations

from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth


def small_task(source_id: str | None = "tau", rv_ms: float = 1.5) -> RVTask:
    """Two points, one planet: enough to be a task."""
    return RVTask.create(
        tier="easy",
        source_id=source_id,
        observation=Observation(
            times_days=[0.5, 2.0],
            rvs_ms=[rv_ms, -0.1],
            sigmas_ms=[1.0, 2.0],
            instruments=("a", "a"),
            star_mass_sun=1.0,
        ),
        truth=Truth(
            planets=(Planet(period_days=10.0, m_sin_i_mjup=0.1),),
            instruments=(Instrument(label="a"),),
            noise=Noise(sigma_white_ms=1.0),
        ),
        difficulty=1,
        meta={"seed": 1},
    )
