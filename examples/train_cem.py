"""A minimal learner: cross-entropy search over a linear policy, on easy stars.

The policy is seven numbers. From an observation it computes a periodogram of the velocities; its
highest peak is submitted as a circular planet, and so is each of the next four whose weighted
features exceed a threshold. What is learned: which features make a peak a planet, and how much
jitter to assume.

Run: ``python examples/train_cem.py [generations]``
"""

import sys

import gymnasium
import numpy as np

import ecliptic.training  # noqa: F401  (registers the environments)
from ecliptic.training.star_actions import AMPLITUDES_MS, PER_SLOT, PERIODS_DAYS, SIZE

PEAKS, FEATURES = 5, 5
N_WEIGHTS = FEATURES + 2
POPULATION, ELITE, EPISODES, HELD_OUT = 16, 4, 12, 100


def sinusoid(times, velocities, weights, group, period):
    """Least squares of a sinusoid and an offset for each instrument: amplitude, phase, misfit."""
    angle = 2 * np.pi * times / period
    offsets = (group[:, None] == np.unique(group)).astype(float)
    design = np.column_stack([np.cos(angle), np.sin(angle), offsets]) * weights[:, None]
    solution, *_ = np.linalg.lstsq(design, velocities * weights, rcond=None)
    left = velocities - (design @ solution) / weights
    return np.hypot(*solution[:2]), np.arctan2(-solution[1], solution[0]), left


def peaks_of(observation):
    """The highest peaks: period, amplitude, phase and features of each, greedily."""
    there = observation["mask"].astype(bool)
    times, velocities, sigmas = (
        observation[name][there] for name in ("times_days", "rvs_ms", "sigmas_ms")
    )
    group, weights = observation["instrument"][there], 1.0 / sigmas
    _, shortest, longest, *_ = observation["star"]
    frequencies = np.arange(1 / (longest or 300), 1 / max(shortest, 1.1), 0.2 / np.ptp(times))
    waves = np.exp(-2j * np.pi * frequencies[:, None] * times)
    left = velocities - sum(
        (group == each) * np.average(velocities[group == each]) for each in np.unique(group)
    )
    found = []
    for _ in range(PEAKS):
        power = np.abs(waves @ (left * weights**2)) ** 2
        period = 1 / frequencies[np.argmax(power)]
        amplitude, phase, after = sinusoid(times, left, weights, group, period)
        gain = np.sum((left * weights) ** 2) - np.sum((after * weights) ** 2)
        features = (
            1.0,
            np.log(max(gain, 1e-3)) - 3.0,
            np.log(amplitude / np.median(sigmas)),
            np.log(np.ptp(times) / period) - 2.0,
            float(len(found)),
        )
        found.append((period, amplitude, phase, np.array(features)))
        left = after
    return found


def act(observation, parameters):
    """The submission of the policy as an action."""
    weights, (threshold, jitter) = parameters[:FEATURES], parameters[FEATURES:]
    action = np.full(SIZE, -1.0)
    action[-1] = np.tanh(jitter) - 0.9
    for slot, (period, amplitude, phase, features) in enumerate(peaks_of(observation)):
        if slot and features @ weights < threshold:
            continue
        start = slot * PER_SLOT
        action[start] = 1.0
        action[start + 1] = scaled(period, PERIODS_DAYS)
        action[start + 2] = scaled(amplitude, AMPLITUDES_MS)
        action[start + 3] = -1.0  # circular
        action[start + 4] = 0.0
        action[start + 5] = phase / np.pi
    return np.clip(action, -1.0, 1.0).astype(np.float32)


def scaled(value, bounds):
    """A value as its place on a logarithmic scale, in [-1, 1]."""
    low, high = np.log(bounds)
    return 2 * (np.log(value) - low) / (high - low) - 1


def play(env, parameters, seed, episodes):
    """Mean return and share solved over ``episodes`` stars that follow from the seed."""
    returns, solved = [], []
    for number in range(episodes):
        observation, _ = env.reset(seed=seed if number == 0 else None)
        # One submission: the policy says the same again, which earns nothing.
        _, reward, terminated, _, info = env.step(act(observation, parameters))
        returns.append(reward)
        solved.append(terminated and info["is_success"])
    return np.mean(returns), np.mean(solved)


def main():
    generations = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else 2
    env = gymnasium.make(
        "ecliptic/RadialVelocity-Easy-v1", recipe="paper", protocol="paper", submissions=2
    )
    random = np.random.default_rng(0)
    mean, spread = np.zeros(N_WEIGHTS), np.full(N_WEIGHTS, 2.0)
    print(f"generation  return  solved ({HELD_OUT} stars that training never sees)")
    for generation in range(generations + 1):
        returned, solved = play(env, mean, 10**6, HELD_OUT)
        print(f"{generation:10d}  {returned:6.3f}  {solved:6.3f}", flush=True)
        if generation == generations:
            break
        candidates = mean + spread * random.standard_normal((POPULATION, N_WEIGHTS))
        scores = [play(env, each, 1000 + generation, EPISODES)[0] for each in candidates]
        elite = candidates[np.argsort(scores)[-ELITE:]]
        mean, spread = elite.mean(axis=0), elite.std(axis=0) + 0.05
    env.close()


if __name__ == "__main__":
    main()
