"""Likelihood of velocities under a declared family of models, and fits of it.

>>> from ecliptic.rv import inference
>>> problem = inference.problem_of(observation)                       # doctest: +SKIP
>>> start = inference.start_of(problem, elements)                     # doctest: +SKIP
>>> best = inference.fit(problem, start)                              # doctest: +SKIP
>>> best.log_likelihood, best.bic, best.planets()                     # doctest: +SKIP
>>> inference.Posterior.of(best).sigmas()                             # doctest: +SKIP
"""

from __future__ import annotations

from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.evidence import Priors, ln_evidence
from ecliptic.rv.inference.fitting import (
    Fit,
    NoiseLevels,
    fit,
    fit_held,
    log_likelihood,
    start_of,
    theta_of,
)
from ecliptic.rv.inference.posterior import Posterior
from ecliptic.rv.inference.problem import Problem, family_of
from ecliptic.rv.inference.rotation import RotationFit, fit_rotation
from ecliptic.rv.inference.scan import scan

__all__ = [
    "Fit",
    "NoiseLevels",
    "Posterior",
    "Priors",
    "Problem",
    "RotationFit",
    "family_of",
    "fit",
    "fit_held",
    "fit_rotation",
    "ln_evidence",
    "log_likelihood",
    "problem_of",
    "scan",
    "start_of",
    "theta_of",
]
