"""A compiled random walk for dynesty: a new live point above a given likelihood.

Like dynesty's own ``rwalk``: steps drawn in the ellipsoid around a live point, taken where the
likelihood stays above the bound. Compiled as a whole it is several times as fast, and it **jumps**:
one planet takes a new frequency from the whole density, half the time with a new shape and scale,
and the planets are put in order again. Both moves are symmetric on the cube, so that the walk keeps
the constrained prior; jumps carry points between periods whatever the ellipsoids are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled
from ecliptic.rv.solvers.nested_model import Constants, ln_target

JUMP_SHARE = 0.2


@compiled
def jump(u: Array, p: int, j: int, fresh: Array, whole: bool, out: Array) -> None:
    """Give planet ``j`` a new frequency (and shape, scale); order the planets again.

    ``fresh`` (4,): uniform numbers.
    """
    for k in range(u.size):
        out[k] = u[k]
    ranks, order = np.empty(p), np.arange(p)
    rank = 1.0
    for k in range(p - 1, -1, -1):
        rank *= u[k] ** (1.0 / (k + 1))
        ranks[k] = rank
    ranks[j] = fresh[0]
    for a in range(1, p):
        for b in range(a, 0, -1):
            if ranks[order[b]] < ranks[order[b - 1]]:
                order[b], order[b - 1] = order[b - 1], order[b]
    above = 1.0
    for k in range(p - 1, -1, -1):
        rank = ranks[order[k]]
        out[k] = min((rank / above) ** (k + 1), 1.0)
        above = rank
        for c in range(3):
            value = fresh[1 + c] if whole and order[k] == j else u[p + 3 * order[k] + c]
            out[p + 3 * k + c] = value


@compiled
def walk(
    u: Array, ln_like: float, least: float, axes: Array, scale: float, directions: Array,
    radii: Array, choices: Array, fresh: Array, jump_share: float, constant: float,
    constants: Constants,
) -> tuple[float, int, int]:  # fmt: skip
    """Walk from ``u``, in place; ``least`` is the bound on the likelihood.

    ``directions`` (w, d) normal, ``radii`` (w,), ``choices`` (w, 3) and ``fresh`` (w, 4) uniform.
    Returns ln L of the last point and the numbers of steps in the ellipsoid taken and refused.
    """
    d = u.size
    p = (d - constants[0]) // 4
    trial = np.empty(d)
    taken, refused = 0, 0
    for step in range(radii.size):
        jumps = p > 0 and choices[step, 0] < jump_share
        inside = True
        if jumps:
            j = min(int(choices[step, 1] * p), p - 1)
            jump(u, p, j, fresh[step], choices[step, 2] < 0.5, trial)
        else:
            square = 0.0
            for k in range(d):
                square += directions[step, k] ** 2
            radius = scale * radii[step] ** (1.0 / d) / np.sqrt(square)
            for k in range(d):
                value = u[k]
                for m in range(d):
                    value += radius * axes[k, m] * directions[step, m]
                trial[k] = value
                if not 0.0 < value < 1.0:
                    inside = False
        value = constant + ln_target(trial, *constants) if inside else -np.inf
        if value > least:
            ln_like = value
            for k in range(d):
                u[k] = trial[k]
            taken += 0 if jumps else 1
        else:
            refused += 0 if jumps else 1
    return ln_like, taken, refused


def compiled_walk(dynesty: Any, constants: Constants, constant: float, walks: int, d: int) -> Any:
    """A sampler to hand to dynesty's ``NestedSampler`` as ``sample``.

    ``constant`` is added to the compiled target (the linear terms' prior).
    """
    samplers = dynesty.internal_samplers

    def sample(args: Any) -> Any:
        rng = dynesty.utils.get_random_generator(args.rseed)
        u = np.array(args.u)
        ln_like, taken, refused = walk(
            u, np.nan, args.loglstar, np.ascontiguousarray(args.axes), args.scale,
            rng.standard_normal((walks, d)), rng.random(walks), rng.random((walks, 3)),
            rng.random((walks, 4)), JUMP_SHARE, constant, constants,
        )  # fmt: skip
        value = dynesty.utils.LoglOutput(ln_like, False)
        return samplers.SamplerReturn(
            u=u,
            v=u.copy(),
            logl=args.loglikelihood(u) if np.isnan(ln_like) else value,
            ncalls=walks,
            tuning_info={"accept": taken, "reject": refused, "scale": args.scale},
            evaluation_history=[],
            proposal_stats={"n_accept": taken, "n_reject": refused},
        )

    kind = type("CompiledWalk", (samplers.RWalkSampler,), {"sample": staticmethod(sample)})
    return kind(walks=walks, ndim=d, ncdim=d)
