"""What stays sealed of a star: its planets, instruments and noise, and how well they are known.

Conventions: :mod:`ecliptic.rv.tasks`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from ecliptic.model import Float, Model, Text, field_error
from ecliptic.rv.observations import RotationGP
from ecliptic.rv.refit_records import Refit
from ecliptic.rv.sparse_records import Sparse


class Planet(Model):
    """Orbital elements of one planet, at the epoch ``t_ref_days`` of its task."""

    period_days: Annotated[Float, Field(gt=0)]
    m_sin_i_mjup: Annotated[Float, Field(ge=0)]
    e: Annotated[Float, Field(ge=0, lt=1)] = 0.0
    omega_rad: Float = 0.0
    l_rad: Float = 0.0
    Omega_rad: Float = 0.0
    inc_rad: Float | None = None


class Instrument(Sparse):
    """One instrument's zero point, quoted error and extra scatter.

    ``drift_ms_per_year`` is the change of the zero point, which is ``gamma_ms`` at the task's
    reference epoch.
    """

    left_out: ClassVar[frozenset[str]] = frozenset({"drift_ms_per_year"})

    label: Text
    gamma_ms: Float = 0.0
    sigma_white_ms: Annotated[Float, Field(ge=0)] = 0.0
    sigma_jitter_ms: Annotated[Float, Field(ge=0)] = 0.0
    drift_ms_per_year: Float = 0.0


class Noise(Model):
    """Everything in the velocities that is not a planet."""

    sigma_white_ms: Annotated[Float, Field(ge=0)]
    sigma_jitter_ms: Annotated[Float, Field(ge=0)] = 0.0
    gp: RotationGP | None = None


class Recovery(Model):
    """How well the data give the planets back: the oracle's fit, and what is asked of an agent.

    Attributes
    ----------
    planets
        The oracle's, in the order of the truth's.
    rms_ms, log_likelihood
        Of the oracle's residuals under the task's family of models.
    tolerances
        For each planet the largest distance (:mod:`ecliptic.rv.matching`) that is still a match.
    period_sigmas_days
        For each planet the standard deviation of its period.
    """

    planets: tuple[Planet, ...]
    rms_ms: Annotated[Float, Field(ge=0)]
    log_likelihood: Float
    tolerances: tuple[Annotated[Float, Field(gt=0)], ...]
    period_sigmas_days: tuple[Annotated[Float, Field(gt=0)], ...]


class Truth(Sparse):
    r"""The sealed answer: planets (in the order of their source), instruments, noise, model.

    Verdicts name planets by their position here. ``trend`` holds the coefficients
    :math:`c_1, c_2` in m/s a year and m/s a year squared of
    :math:`\sum_k c_k [(t - t_\mathrm{ref}) / 365.25\,\mathrm{d}]^k`. ``recovery`` is there
    once a task has been audited, ``refit`` where the star is a real one.
    """

    left_out: ClassVar[frozenset[str]] = frozenset({"trend", "recovery", "refit"})

    planets: tuple[Planet, ...]
    instruments: tuple[Instrument, ...]
    noise: Noise
    forward_model: Literal["keplerian", "nbody"] = "keplerian"
    trend: tuple[Float, ...] = ()
    recovery: Recovery | None = None
    refit: Refit | None = None

    @model_validator(mode="after")
    def _recovery_of_each(self) -> Self:
        n = len(self.planets)
        for name in ("planets", "tolerances", "period_sigmas_days"):
            length = n if self.recovery is None else len(getattr(self.recovery, name))
            if length != n:
                raise field_error(
                    f"recovery.{name}", f"must hold as many entries as planets ({n}), not {length}"
                )
        if self.refit is not None and len(self.refit.planets) != n:
            raise field_error(
                "refit.planets",
                f"must hold as many entries as planets ({n}), not {len(self.refit.planets)}",
            )
        return self
