"""The recipe ``ecliptic``: stars as surveys see them, whose planets the data do give back.

A candidate is drawn in the order plan, survey, instruments, orbits, activity, amplitudes, noise;
each from streams of its own (:mod:`ecliptic.rv.streams`), whose key is (index, attempt, redraw,
tier). What cannot become a task (orbits that cross, masses out of range, too few clear nights) is
redrawn at once, and the reasons are counted in the sealed ``meta``. Whether a candidate is then
accepted is for an audit to say (:mod:`ecliptic.rv.acceptance`).

Rounding: as in :mod:`ecliptic.rv.generator`, the truth is rounded before velocities are computed
from it, K to four significant digits since a matrix inverse lies behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.rv import noise, priors, spectrographs, systems
from ecliptic.rv.activity import Process, draw_indicators, draw_process
from ecliptic.rv.amplitudes import Design, Sky, design_amplitudes
from ecliptic.rv.interacting import (
    EDGE_ON_RAD,
    design_interacting,
    interact,
    pulled_velocities_ms,
)
from ecliptic.rv.orbit import minimum_mass_mjup, radial_velocity_ms
from ecliptic.rv.recipe_data import SurveyData, draw_data, draw_zero_points, slow_terms_ms
from ecliptic.rv.recipe_options import Options
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.streams import Stream, Streams
from ecliptic.rv.structures import RANGES, EclipticTier, Plan, draw_plan
from ecliptic.rv.tasks import (
    Indicator,
    Instrument,
    ModelFamily,
    Noise,
    Observation,
    Planet,
    RotationGP,
    RVTask,
    Truth,
)

Array = NDArray[np.float64]
RECIPE = "ecliptic"
STAR_MASS_SUN = (0.55, 1.3)
M_SIN_I_MJUP = (0.003, 13.0)
PERIOD_MIN_DAYS = 0.6
PERIOD_MAX_SPAN = 0.8
VELOCITY_DIGITS = 4
MAX_REDRAWS = 3000
REDRAWS_A_PLAN = 100
TIER_KEYS: dict[EclipticTier, int] = {
    "easy": 1,
    "medium": 2,
    "hard": 3,
    "frontier": 4,
    "faint": 5,
}


def candidate(
    seed: int, tier: EclipticTier, index: int, attempt: int = 0, options: Options | None = None
) -> RVTask:
    """Draw number ``attempt`` of task ``index``: a star that no audit has seen yet.

    Raises
    ------
    UsageError
        Three thousand redraws gave nothing, as a times array of one's own may.
    """
    asked = options or Options()
    reasons: Counter[str] = Counter()
    for redraw in range(MAX_REDRAWS):
        if redraw % REDRAWS_A_PLAN == 0:
            # One plan for many draws: structures that are hard to build stay as frequent as drawn.
            fresh = Streams(seed, index, attempt, redraw, TIER_KEYS[tier])
            plan = draw_plan(fresh[Stream.PLAN], tier, asked.variant)
        streams = Streams(seed, index, attempt, redraw, TIER_KEYS[tier])
        try:
            task = _draw(streams, plan, asked)
        except Redraw as why:
            reasons[str(why)] += 1
            continue
        provenance = {
            "recipe": RECIPE,
            "seed": str(seed),
            "index": index,
            "tier": tier,
            "attempt": attempt,
            "redraws": dict(reasons),
        }
        return task.model_copy(update={"meta": {**provenance, **task.meta}})
    told = ", ".join(f"{why} {count}" for why, count in reasons.most_common())
    raise UsageError(f"tier {tier}: {MAX_REDRAWS} draws gave no task with these times ({told})")


def _draw(streams: Streams, plan: Plan, asked: Options) -> RVTask:
    star_mass = priors.significant(_between(streams[Stream.STAR].random(), STAR_MASS_SUN))
    data = draw_data(streams, plan, asked)
    zero_points = draw_zero_points(streams, plan, data)
    level = float(np.median(data.sigmas))
    trend = spectrographs.draw_trend(streams[Stream.TREND], plan.trend_order, level, data.span)
    system = streams[Stream.SYSTEM]
    orbits = systems.draw_orbits(system, plan.n_planets, plan.structures, data.span)
    inc = systems.draw_inclination_rad(system)
    process = None
    if "activity" in plan.structures:
        periods = [each.period_days for each in orbits]
        process = draw_process(streams[Stream.ACTIVITY], periods, plan.variant)
    targets, ratio = _draw_targets(streams, plan, orbits)
    sky = _sky(plan, data, zero_points, process)
    design = design_amplitudes(sky, orbits, targets, ratio, RANGES[plan.tier].activity_to_K[0])
    planets = _planets(orbits, design, star_mass, inc)
    model: Literal["keplerian", "nbody"] = "keplerian"
    if asked.forward_model == "nbody":
        edge_on = _planets(orbits, design, star_mass, EDGE_ON_RAD)
        if interact(data.times, edge_on, star_mass, level):
            bounds = RANGES[plan.tier].tolerance
            design = design_interacting(sky, orbits, design, targets, bounds, star_mass)
            planets, model = _planets(orbits, design, star_mass, EDGE_ON_RAD), "nbody"
    if model == "nbody":
        velocities = pulled_velocities_ms(data.times, planets, star_mass)
    else:
        velocities = radial_velocity_ms(data.times, planets, star_mass, float(data.times[0]))
    velocities += np.array([each.gamma_ms for each in zero_points])[data.index]
    velocities += slow_terms_ms(zero_points, trend, data)
    velocities += noise.draw_white_ms(data.sigmas, streams[Stream.WHITE])
    jitters = np.array([each.sigma_jitter_ms for each in zero_points])[data.index]
    velocities += jitters * streams[Stream.JITTER].standard_normal(data.times.size)
    indicators: tuple[Indicator, ...] = ()
    made: dict[str, Any] = {}
    if process is not None:
        normals = streams[Stream.GP].standard_normal((data.times.size, 1))
        shared = process.draw(data.times, normals)[:, 0]
        velocities += design.activity_ms * shared
        indicators, made = draw_indicators(
            process,
            design.activity_ms,
            data.times,
            data.sigmas,
            shared,
            streams[Stream.INDICATORS],
            streams[Stream.INDICATOR_WHITE],
        )
    drifting = [each.label for each in zero_points if each.drift_ms_per_year]
    family = ModelFamily(
        activity=process is not None,
        trend_order=plan.trend_order,
        drifting=() if plan.variant == "drifts" else tuple(drifting),
        period_min_days=PERIOD_MIN_DAYS,
        period_max_days=float(np.ceil(PERIOD_MAX_SPAN * data.span)),
        forward_model=model,
    )
    labels = [each.label for each in data.spectrographs]
    meta = _meta(plan, data, orbits, design, targets)
    if process is not None:
        meta["activity"] = {**process.describe(design.activity_ms), "indicators": made}
    return RVTask.create(
        tier=plan.tier,
        observation=Observation(
            times_days=data.times,
            rvs_ms=np.round(velocities, VELOCITY_DIGITS),
            sigmas_ms=data.sigmas,
            instruments=tuple(labels[j] for j in data.index.tolist()),
            star_mass_sun=star_mass,
            indicators=indicators,
            family=family,
        ),
        truth=Truth(
            planets=planets,
            instruments=tuple(zero_points),
            noise=Noise(
                sigma_white_ms=round(level, VELOCITY_DIGITS),
                sigma_jitter_ms=round(float(np.median(jitters)), VELOCITY_DIGITS),
                gp=_gp(process, design.activity_ms),
            ),
            forward_model=model,
            trend=trend,
        ),
        difficulty=plan.difficulty,
        difficulty_terms={
            "planets": plan.n_planets,
            "structures": list(plan.structures),
            "trend_order": plan.trend_order,
        },
        meta=meta,
    )


def _draw_targets(
    streams: Streams, plan: Plan, orbits: Sequence[systems.Orbit]
) -> tuple[list[float], float]:
    """A tolerance a planet, and the activity's amplitude over the median K.

    The outer planet of a resonant pair is the stronger: only then does one eccentric orbit look
    like the two.
    """
    ranges = RANGES[plan.tier]
    rng = streams[Stream.TOLERANCES]
    low, high = ranges.tolerance
    targets = [round(low + (high - low) * u, 3) for u in rng.random(len(orbits)).tolist()]
    ratio = round(_between(rng.random(), ranges.activity_to_K), 3)
    pair = [j for j, each in enumerate(orbits) if each.structure == "resonant_pair"]
    if pair and targets[pair[0]] < targets[pair[1]]:
        targets[pair[0]], targets[pair[1]] = targets[pair[1]], targets[pair[0]]
    return targets, ratio


def _sky(
    plan: Plan, data: SurveyData, zero_points: Sequence[Instrument], process: Process | None
) -> Sky:
    """What the design's posterior sees: the declared family, with the true kernel."""
    jitters = np.array([each.sigma_jitter_ms for each in zero_points])[data.index]
    years = data.years
    columns = [(data.index == j).astype(np.float64) for j in range(len(zero_points))]
    columns += [
        columns[j] * (years - years[data.index == j].mean())
        for j, each in enumerate(zero_points)
        if each.drift_ms_per_year and plan.variant != "drifts"
    ]
    columns += [(years / years[-1]) ** order for order in range(1, plan.trend_order + 1)]
    return Sky(
        times_days=data.times,
        t_ref_days=float(data.times[0]),
        variance=data.sigmas**2 + jitters**2,
        correlation=None if process is None else process.correlation(data.times),
        nuisance=np.stack(columns, axis=1),
    )


def _planets(
    orbits: Sequence[systems.Orbit], design: Design, star_mass_sun: float, inc_rad: float
) -> tuple[Planet, ...]:
    masses = [
        priors.significant(float(minimum_mass_mjup(K, each.period_days, each.e, star_mass_sun)))
        for K, each in zip(design.K_ms, orbits, strict=True)
    ]
    if not all(M_SIN_I_MJUP[0] <= mass <= M_SIN_I_MJUP[1] for mass in masses):
        raise Redraw("mass out of range")
    planets = tuple(each.planet(mass, inc_rad) for each, mass in zip(orbits, masses, strict=True))
    if not systems.keep_apart(planets, star_mass_sun):
        raise Redraw("not Hill stable")
    return planets


def _gp(process: Process | None, amplitude_ms: float) -> RotationGP | None:
    """The rotation term of the truth; another kernel stands in ``meta`` alone."""
    if process is None or process.kernel != "rotation":
        return None
    return process.gp.model_copy(update={"sigma_ms": amplitude_ms})


def _meta(
    plan: Plan,
    data: SurveyData,
    orbits: Sequence[systems.Orbit],
    design: Design,
    targets: Sequence[float],
) -> dict[str, Any]:
    meta: dict[str, Any] = {
        "structures": list(plan.structures),
        "variant": plan.variant,
        "design": {
            "targets": list(targets),
            "tolerances": list(design.tolerances),
            "K_ms": list(design.K_ms),
            "placed_by": [each.structure for each in orbits],
        },
    }
    if data.survey is not None:
        survey = data.survey
        meta["survey"] = {
            "sites": {each.label: each.epoch.site.name for each in data.spectrographs},
            "right_ascension_turns": survey.right_ascension_turns,
            "half_window_hours": survey.half_window_hours,
            "moon": survey.moon,
            "moon_width": survey.moon_width,
            "campaigns": [list(each) for each in survey.campaigns],
        }
    return meta


def _between(u: float, bounds: tuple[float, float]) -> float:
    return bounds[0] + u * (bounds[1] - bounds[0])
