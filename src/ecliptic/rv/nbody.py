r"""Velocities of a star whose planets pull on each other, integrated with REBOUND.

REBOUND (Rein & Liu 2012) is GPL-3 and therefore optional: the extra ``nbody``. The integrator is
WHFast (Rein & Tamayo 2015) in Jacobi coordinates with a step of the shortest period over
``steps_per_period``; each output time is reached exactly by a shortened step. The system's centre
of mass rests at the origin. A planet's orbit refers to the centre of mass of the star and the
planets listed before it.

Two frames give the planets' angles a meaning:

``"published"``
    What the published Stargazer files hold (Liu et al. 2026, arXiv:2604.15664), reproduced to
    rounding on them. The mass is ``m sin i / sin i``. The orbit is given by Pal's (2009) elements
    ``h = e sin(omega)``, ``k = e cos(omega)``, ``ix = sin(i/2) sin(Omega)``,
    ``iy = sin(i/2) cos(Omega)`` and the mean longitude ``l``, and the velocity is the star's
    component along x. Pal defines ``ix = 2 sin(i/2) cos(Omega)`` and
    ``iy = 2 sin(i/2) sin(Omega)``, and x lies in his reference plane; hence the orbits are less
    tilted than ``inc_rad`` says, ``omega`` counts from the line of sight instead of the node, and
    even a lone planet's velocity is **not** its Keplerian curve. For reading those files only.

``"sky"``
    The usual one: inclination and node against the plane of the sky, ``omega`` the argument of
    periastron of the star's orbit, positive velocity away from the observer. A light planet's
    velocity is its Keplerian curve (:mod:`ecliptic.rv.orbit`).
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator, Sequence
from ctypes import byref, c_double
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecliptic.errors import MissingExtraError, UsageError
from ecliptic.rv.tasks import Planet

AU_M = 149597870700.0
DAY_S = 86400.0
GM_SUN_SI = 1.3271244004193938e20  # m^3 s^-2 (TDB), the value of JPL's ephemerides and of REBOUND
G_AU_DAY_SUN = GM_SUN_SI * DAY_S**2 / AU_M**3
MJUP_IN_SUN = 1.89813e27 / 1.98847e30  # kg / kg, the masses behind the published velocities
AU_PER_DAY_MS = AU_M / DAY_S

Frame = Literal["published", "sky"]
NEARLY_EDGE_ON_RAD = math.pi / 2.0 - 1e-3
_INTERRUPTED = 6  # REB_STATUS_SIGINT


def require_rebound() -> None:
    """Return if REBOUND is installed.

    Raises
    ------
    MissingExtraError
        It is not; the message names the extra ``nbody``.
    """
    if importlib.util.find_spec("rebound") is None:
        raise MissingExtraError("N-body velocities", "nbody")


def nbody_velocities_ms(
    times_days: ArrayLike,
    planets: Sequence[Planet],
    star_mass_sun: float,
    *,
    steps_per_period: float = 50.0,
    frame: Frame = "published",
    t_ref_days: float = 0.0,
    integrator: Literal["whfast", "ias15"] = "whfast",
) -> NDArray[np.float64]:
    """The star's radial velocity in m/s at each time, shape (n,).

    ``times_days``: shape (n,), finite, in any order (fastest if sorted). ``planets``: angles at
    the epoch ``t_ref_days``, which is 0 in the published files; a missing ``inc_rad`` means pi/2.
    ``frame``: see the module. ``integrator="ias15"`` is exact to rounding (Rein & Spiegel 2015)
    and some ten times slower: for orbits that come close to each other, and to check the other.

    Raises
    ------
    MissingExtraError
        REBOUND is not installed.
    UsageError
        A time is not finite, an orbit is seen face-on, or the integration failed.
    """
    require_rebound()
    times = np.ascontiguousarray(times_days, dtype=np.float64)
    if times.ndim != 1 or not np.isfinite(times).all():
        raise UsageError("times_days: must be a flat list of finite numbers")
    if not steps_per_period > 0.0:
        raise UsageError(f"steps_per_period: must be > 0, not {steps_per_period:g}")
    if not planets or times.size == 0:
        return np.zeros(times.size)
    simulation = _simulation(planets, star_mass_sun, frame)
    simulation.t = t_ref_days
    simulation.integrator = integrator
    simulation.dt = min(planet.period_days for planet in planets) / steps_per_period
    axis = "vx" if frame == "published" else "vz"
    velocities = np.fromiter(_star_velocities(simulation, times, axis), np.float64, times.size)
    if not np.isfinite(velocities).all():
        raise UsageError("planets: their orbits cannot be integrated (masses or distances)")
    return velocities * AU_PER_DAY_MS


def mean_longitudes(
    planets: Sequence[Planet],
    star_mass_sun: float,
    span_days: float,
    *,
    samples: int = 200,
    steps_per_period: float = 20.0,
) -> NDArray[np.float64]:
    """The straight line that each planet's mean longitude follows, shape (n_planets, 2).

    Its value at the epoch less the longitude there, in rad, and its slope in rad/day, from the
    epoch to ``span_days`` later; frame ``"sky"``. Near a resonance planets move on average at
    another rate than their periods at the epoch say. A planet may gain or lose at most half a turn
    between two of the ``samples``.

    Raises
    ------
    MissingExtraError
        REBOUND is not installed.
    UsageError
        The orbits cannot be integrated.
    """
    require_rebound()
    # Beyond 90 degrees l runs backwards, and rounding tilts orbits seen edge-on either way.
    tilted = [planet.model_copy(update={"inc_rad": NEARLY_EDGE_ON_RAD}) for planet in planets]
    simulation = _simulation(tilted, star_mass_sun, "sky")
    simulation.integrator = "whfast"
    simulation.dt = min(planet.period_days for planet in planets) / steps_per_period
    times = np.linspace(0.0, span_days, samples)
    longitudes = np.empty((samples, len(planets)))
    for number, time_days in enumerate(times.tolist()):
        simulation.integrate(time_days)
        longitudes[number] = [each.l for each in simulation.orbits()]
    if not np.isfinite(longitudes).all():
        raise UsageError("planets: their orbits cannot be integrated (masses or distances)")
    rates = np.array([2.0 * math.pi / planet.period_days for planet in planets])
    swings = np.unwrap(longitudes - np.outer(times, rates), axis=0)
    slopes, values = np.polyfit(times, swings - swings[0], 1)
    return np.column_stack([values, rates + slopes])


def _simulation(planets: Sequence[Planet], star_mass_sun: float, frame: Frame) -> Any:
    """The system at its epoch in AU, days and solar masses, at rest in its centre of mass."""
    import rebound

    simulation = rebound.Simulation()
    simulation.G = G_AU_DAY_SUN
    simulation.add(m=star_mass_sun)
    for index, planet in enumerate(planets):
        inc = math.pi / 2.0 if planet.inc_rad is None else planet.inc_rad
        sin_i = abs(math.sin(inc))
        if sin_i < 1e-6:
            raise UsageError(f"planets[{index}].inc_rad: a face-on orbit has no m sin i")
        mass_sun = planet.m_sin_i_mjup / sin_i * MJUP_IN_SUN
        elements = (
            _pal_elements(planet, inc) if frame == "published" else _sky_elements(planet, inc)
        )
        simulation.add(m=mass_sun, P=planet.period_days, **elements)
    simulation.move_to_com()
    return simulation


def _pal_elements(planet: Planet, inc: float) -> dict[str, float]:
    tilt = math.sin(inc / 2.0)
    return {
        "l": planet.l_rad,
        "h": planet.e * math.sin(planet.omega_rad),
        "k": planet.e * math.cos(planet.omega_rad),
        "ix": tilt * math.sin(planet.Omega_rad),
        "iy": tilt * math.cos(planet.Omega_rad),
    }


def _sky_elements(planet: Planet, inc: float) -> dict[str, float]:
    return {
        "e": planet.e,
        "inc": inc,
        "Omega": planet.Omega_rad,
        "omega": planet.omega_rad + math.pi,  # the planet is opposite to the star
        "M": planet.l_rad - planet.Omega_rad - planet.omega_rad,
    }


def _star_velocities(
    simulation: Any, times_days: NDArray[np.float64], axis: str
) -> Iterator[float]:
    # The library's C function is called directly: the checks of Simulation.integrate take about as
    # long as the integration from one output to the next.
    from rebound import clibrebound

    integrate, reference = clibrebound.reb_simulation_integrate, byref(simulation)
    star = simulation.particles[0]
    simulation.exact_finish_time = 1
    for time_days in times_days.tolist():
        status = integrate(reference, c_double(time_days))
        if status == _INTERRUPTED:
            raise KeyboardInterrupt
        if status != 0:
            raise UsageError(
                f"planets: the integration failed at day {time_days:g} (REBOUND status {status})"
            )
        yield getattr(star, axis)
    simulation.process_messages()
