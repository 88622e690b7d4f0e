"""What the columns of a table of tasks hold, in a sentence each."""

from __future__ import annotations

from typing import Final

DESCRIPTIONS: Final[dict[str, str]] = {
    "id": "Hash of the public part; the task's name.",
    "source_id": "Name where the task was published, if it was.",
    "tier": "easy, medium, hard, frontier, faint or real.",
    "difficulty": "1 to 10; sealed.",
    "n_obs": "Number of velocities.",
    "star_mass_sun": "Mass of the star in solar masses.",
    "t_ref_days": "Reference epoch of all angles, in days.",
    "times_days": "Times of the observations in days, not decreasing.",
    "rvs_ms": "Radial velocities in m/s.",
    "sigmas_ms": "Quoted errors of the velocities in m/s.",
    "instruments": "Label of the instrument of each velocity.",
    "planets": "Sealed: the true planets (period in days, m sin i in Jupiter masses, e, angles).",
    "forward_model": "Sealed: keplerian or nbody.",
    "instruments_truth": "Sealed, JSON: zero point, white noise, jitter and drift by instrument.",
    "noise": "Sealed, JSON: white noise, jitter and activity.",
    "difficulty_terms": "Sealed, JSON: how the difficulty came about.",
    "meta": "Sealed, JSON: provenance.",
    "sealed_checksum": "First 64 bits of the SHA-256 of the sealed part.",
    "indicators": "Activity indicators: name, values and errors in m/s, one a velocity.",
    "trend": "Sealed: coefficients of the trend in m/s a year and a year squared.",
    "family": "JSON: the declared models (activity, trend, drifts, range of periods).",
    "recovery": "Sealed, JSON: what the oracle reached, and the tolerances.",
    "refit": "Sealed, JSON: of real stars, the refit and the published values.",
    "commitment": "SHA-256 over salt, public part and sealed part.",
}
