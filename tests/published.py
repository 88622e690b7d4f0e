"""Made-up task files in the published Stargazer format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np


def published_task(
    task_id: str = "seed1_diff3", *, difficulty: int = 3, planets: int = 1, real: bool = False
) -> dict[str, Any]:
    """A small, valid task file; velocities are noise, for nothing here depends on their fit."""
    rng = np.random.default_rng(sum(task_id.encode()))
    n = 12
    times = sorted(rng.uniform(0.0, 90.0, n).tolist())
    labels = ["instA"] * n
    noise = {
        "sigma_white_ms": 1.5,
        "sigma_jitter_ms": 0.25,
        "gp": {
            "use_gp": False,
            "sigma_ms": 0.0,
            "period_days": 25.0,
            "Q0": 1.0,
            "dQ": 0.1,
            "f": 0.5,
        },
    }
    return {
        "task_id": task_id,
        "truth_difficulty": difficulty,
        "difficulty_details": {"n_obs": n, **({"real_data": True} if real else {"raw_score": 3})},
        "meta": {"rv_semantics": "rv_only"} if real else {"source_seed": 7, "seed": 7},
        "config": {
            "engine": "keplerian" if real else "rebound",
            "los_axis": "x",
            "star": {"M_star_sun": 0.9, "gamma_ms": 0.0},
            "planets": [
                {
                    "P_days": 12.0 * 2.3**index,
                    "m_sin_i_mjup": 0.2,
                    "m_true_mjup": None,
                    "e": 0.1,
                    "inc_rad": 1.2,
                    "l_rad": 0.5 + index,
                    "omega_rad": 2.0,
                    "Omega_rad": 0.0 if real else 1.0,
                }
                for index in range(planets)
            ],
            "instruments": [
                {"label": "instA", "gamma_ms": 3.0, "sigma_white_ms": 1.5, "sigma_jitter_ms": 0.25}
            ],
            "noise": noise,
            "schedule": {"times_days": times, "instruments": labels},
        },
        "observations": {
            "times_days": times,
            "rvs_ms": rng.normal(0.0, 20.0, n).tolist(),
            "sigmas_ms": rng.uniform(1.0, 2.0, n).tolist(),
            "instruments": labels,
        },
    }


def write_published(folder: Path, data: dict[str, Any], name: str | None = None) -> Path:
    """One task file, named after its task."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (name or f"{data['task_id']}.json")
    path.write_text(json.dumps(data), encoding="utf-8")
    return path
