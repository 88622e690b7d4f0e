"""Radial velocities: tasks, physics, grading, an environment and solvers.

>>> from ecliptic import rv
>>> task = rv.generate(seed=3, recipe="paper", tier="easy")
>>> env = rv.Environment(task, protocol="paper", feedback="criteria")
>>> observation = env.reset()
>>> step = env.step({"planets": []})
>>> step.terminated
False
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from ecliptic.rv import archive, inference, solvers
    from ecliptic.rv.auditing import Audit, audit, with_recovery
    from ecliptic.rv.budget import Budget, budget_of
    from ecliptic.rv.environment import Environment, Step
    from ecliptic.rv.feedback import Feedback
    from ecliptic.rv.generator import generate, generate_many
    from ecliptic.rv.kepler import eccentric_anomaly
    from ecliptic.rv.orbit import minimum_mass_mjup, radial_velocity_ms, semi_amplitude_ms
    from ecliptic.rv.protocols import ArchivalProtocol, PaperProtocol, StrictProtocol
    from ecliptic.rv.refit_records import KnownPlanet, Measured, Refit
    from ecliptic.rv.scoring import evaluate
    from ecliptic.rv.stargazer import import_stargazer
    from ecliptic.rv.submission import Submission, read_submission
    from ecliptic.rv.tasks import (
        Indicator,
        Instrument,
        ModelFamily,
        Noise,
        Observation,
        Planet,
        Recovery,
        RotationGP,
        RVTask,
        Truth,
    )

# Loaded at first use: reading a task file must not wait for compilers and solvers.
__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submodules=["archive", "inference", "solvers"],
    submod_attrs={
        "auditing": ["Audit", "audit", "with_recovery"],
        "budget": ["Budget", "budget_of"],
        "environment": ["Environment", "Step"],
        "feedback": ["Feedback"],
        "generator": ["generate", "generate_many"],
        "kepler": ["eccentric_anomaly"],
        "orbit": ["minimum_mass_mjup", "radial_velocity_ms", "semi_amplitude_ms"],
        "protocols": ["ArchivalProtocol", "PaperProtocol", "StrictProtocol"],
        "refit_records": ["KnownPlanet", "Measured", "Refit"],
        "scoring": ["evaluate"],
        "stargazer": ["import_stargazer"],
        "submission": ["Submission", "read_submission"],
        "tasks": [
            "Indicator",
            "Instrument",
            "ModelFamily",
            "Noise",
            "Observation",
            "Planet",
            "RVTask",
            "Recovery",
            "RotationGP",
            "Truth",
        ],
    },
)

__all__ = [
    "ArchivalProtocol",
    "Audit",
    "Budget",
    "Environment",
    "Feedback",
    "Indicator",
    "Instrument",
    "KnownPlanet",
    "Measured",
    "ModelFamily",
    "Noise",
    "Observation",
    "PaperProtocol",
    "Planet",
    "RVTask",
    "Recovery",
    "Refit",
    "RotationGP",
    "Step",
    "StrictProtocol",
    "Submission",
    "Truth",
    "archive",
    "audit",
    "budget_of",
    "eccentric_anomaly",
    "evaluate",
    "generate",
    "generate_many",
    "import_stargazer",
    "inference",
    "minimum_mass_mjup",
    "radial_velocity_ms",
    "read_submission",
    "semi_amplitude_ms",
    "solvers",
    "with_recovery",
]
