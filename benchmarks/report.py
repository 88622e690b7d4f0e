"""Cost of a report: seconds and megabytes for logs of all kinds, made with a scripted model.

    python benchmarks/report.py [--logs FOLDER] [--epochs 2] [--per-type 8] [--out FOLDER]

``make_logs`` writes logs of several agents on the stars of the suite ``quick`` and on questions of
``helio-v1``: attempts that pass, and failures of every kind, drawn by chance with rates that differ
between agents, tiers and types. The same seed draws the same attempts.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

WORK = {"single_shot": "answer", "hmaw": "answer", "pace": "answer", "phase": "solve",
        "schema": "synthesis"}  # fmt: skip
CLOSING = {"pace": "enclose", "phase": "evaluate", "schema": "final"}
HANDOVERS: dict[str, dict[str, Any]] = {
    "hmaw/brief": {"goal": "the quantity", "must_contain": ["the value"],
                   "answer_form": "as asked", "pitfalls": ["units"]},
    "hmaw/instruct": {"steps": ["derive", "insert"], "knowledge": ["SI units"], "checks": []},
    "pace/plan": {"asked": "a value", "steps": ["derive", "insert"], "answer_form": "as asked"},
    "pace/critique": {"errors": [], "verdict": "accept"},
    "phase/plan": {"asked": "a value", "given": ["B = 5 nT"], "method": ["balance of forces"],
                   "answer_form": "as asked"},
    "phase/hypothesise": {"assumptions": [{"statement": "steady flow", "reason": "given"}],
                          "principle": "conservation of momentum", "required_units": "none"},
    "phase/analyse": {"relations": ["rho v^2 = B^2 / 2 mu_0"], "dimensions": "hold",
                      "expectations": ["of the order of 10"]},
    "schema/architecture": {"question_type": "numeric", "acceptance_checks": ["in dollar signs"],
                            "experts": [{"field": "plasma physics", "focus": "the derivation"},
                                        {"field": "metrology", "focus": "units"}]},
    "schema/expert-1": {"reasoning": "by balance", "result": "as derived", "confidence": "high",
                        "warnings": []},
    "schema/expert-2": {"reasoning": "by dimensions", "result": "as derived", "confidence": "low",
                        "warnings": ["mind the sign"]},
    "schema/guard": {"failed": [], "satisfied": True},
    "mentor/review": {"on_track": False, "advice": ["look at the residuals for a further planet"]},
}  # fmt: skip
PLOT = (
    "import matplotlib.pyplot as plt\n"
    "plt.errorbar(times_days, rvs_ms, sigmas_ms, fmt='.')\n"
    "plt.xlabel('days'); plt.ylabel('m/s')\nplt.show()"
)
SCAN = (
    "from astropy.timeseries import LombScargle\n"
    "f, p = LombScargle(times_days, rvs_ms, sigmas_ms).autopower(maximum_frequency=1.0)\n"
    "best = f[np.argsort(-p)[:5]]\nprint('strongest periods (days):', 1 / best)"
)
HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=alert(1)> \u202egnp.exe "
    "\x00\x1b[31m <!-- ]]> {{ 7 * 7 }} ${7*7} "
)
FAULTS = ("alias", "half", "missed", "spurious", "eccentric", "offset", "repeat", "malformed",
          "silent", "plain_end", "cell_error", "provider", "dropped", "hostile")  # fmt: skip


@dataclass(frozen=True)
class StarAgent:
    """A scripted agent: how often it is right by tier, and whether it has skills and a mentor."""

    model: str
    pattern: str
    skill: dict[str, float]
    skills: str = "none"


@dataclass(frozen=True)
class QuestionAgent:
    """A scripted agent: how often it is right by type of record."""

    model: str
    pattern: str
    skill: dict[str, float]


STAR_AGENTS = (
    StarAgent("patient", "react", {"easy": 0.95, "medium": 0.7, "hard": 0.4, "frontier": 0.2}),
    StarAgent("patient", "react", {"easy": 1.0, "medium": 0.85, "hard": 0.6, "frontier": 0.35},
              skills="injected"),
    StarAgent("hasty", "mentor", {"easy": 0.8, "medium": 0.4, "hard": 0.1, "frontier": 0.0}),
)  # fmt: skip
QUESTION_AGENTS = (
    QuestionAgent("patient", "single_shot", {"numeric": 0.55, "symbolic": 0.4, "textual": 0.6}),
    QuestionAgent("patient", "hmaw", {"numeric": 0.6, "symbolic": 0.45, "textual": 0.65}),
    QuestionAgent("patient", "pace", {"numeric": 0.75, "symbolic": 0.5, "textual": 0.7}),
    QuestionAgent("patient", "phase", {"numeric": 0.85, "symbolic": 0.6, "textual": 0.6}),
    QuestionAgent("patient", "schema", {"numeric": 0.7, "symbolic": 0.7, "textual": 0.8}),
)


def make_logs(
    folder: Path,
    *,
    epochs: int = 2,
    star_epochs: int | None = None,
    per_type: int = 8,
    per_tier: int | None = None,
    star_agents: Sequence[StarAgent] = STAR_AGENTS,
    question_agents: Sequence[QuestionAgent] = QUESTION_AGENTS,
    solvers: Sequence[str] = ("classical", "null"),
    seed: int = 1,
    plots: float = 0.3,
    faults: Sequence[str] = FAULTS,
) -> list[Path]:
    """Write logs and folders of solvers into ``folder``; returns what to hand to a report.

    ``epochs`` attempts on each task, on stars ``star_epochs`` where it is given; ``per_tier`` stars
    of a tier, all by default; ``plots`` is the share of attempts on stars that draw one,
    ``faults`` how they may fail.
    """
    from inspect_ai import Task, task_with
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import get_model

    import ecliptic.evals.registry  # noqa: F401 - registers the scripted provider
    from ecliptic.agents import answer_by
    from ecliptic.evals import helio, stargazer
    from ecliptic.evals.question_task import SHIPPED
    from ecliptic.helio import load
    from ecliptic.run import run_suite
    from ecliptic.suite import load_suite

    stars = load_suite("quick")
    streams = iter(np.random.SeedSequence(seed).spawn(64))
    paths: list[Path] = []

    def play(name: str, task: Task, pattern: str, lines: list[dict[str, Any]], epochs: int) -> None:
        model = get_model(f"scripted/{name}", script=lines, memoize=False)
        place = folder / f"{len(paths):02d}-{name}-{pattern}"
        paths.append(place)
        inspect_eval(task_with(task, solver=answer_by(pattern)), model=model, epochs=epochs,
                     log_dir=str(place), display="none", log_realtime=False, max_retries=1,
                     max_samples=4)  # fmt: skip

    tries = epochs if star_epochs is None else star_epochs
    for agent in star_agents:
        rng = np.random.default_rng(next(streams))
        lines: list[dict[str, Any]] = []
        for star in stars:
            for epoch in range(1, tries + 1):
                played = star_attempt(star, agent, rng, plots, faults)
                conditions = {"sample": star.id, "epoch": epoch, "stage": "act"}
                lines += [{**conditions, "times": 1, **line} for line in played]
        lines += [{"stage": name, "json": reply} for name, reply in HANDOVERS.items()]
        lines.append({"text": "I have nothing more to hand in.", "times": 100})
        task = stargazer("quick", skills=agent.skills, per_tier=per_tier)
        play(agent.model, task, agent.pattern, lines, tries)
    records = load(SHIPPED)
    for each in question_agents:
        rng = np.random.default_rng(next(streams))
        lines = []
        for record in records:
            for epoch in range(1, epochs + 1):
                answer = question_answer(record, each, rng)
                conditions = {"sample": record.id, "epoch": epoch}
                for stage in (WORK[each.pattern], CLOSING.get(each.pattern)):
                    if stage:
                        lines.append({**conditions, "stage": stage, **answer})
        lines += [{"stage": name, "json": reply} for name, reply in HANDOVERS.items()]
        lines.append({"text": "No idea.", "times": 100})
        play(each.model, helio(per_type=per_type), each.pattern, lines, epochs)
    for solver in solvers:
        place = folder / f"{len(paths):02d}-{solver}"
        paths.append(place)
        run_suite(stars, solver, None, 2, place, suite_source="quick", limit=per_tier and 2)
    return paths


def star_attempt(
    star: Any,
    agent: StarAgent,
    rng: np.random.Generator,
    plots: float,
    faults: Sequence[str] = FAULTS,
) -> list[dict[str, Any]]:
    """Replies of one attempt: some cells, then submissions that pass or fail in one way."""
    truth = [planet.model_dump(exclude={"Omega_rad"}) for planet in star.truth.planets]
    truth = [{name: value for name, value in each.items() if name in _FIELDS} for each in truth]
    turns = [_cell("First the strongest periods.", SCAN)]
    if rng.random() < plots:
        turns.append(_cell("The velocities over time:", PLOT))
    right = rng.random() < agent.skill.get(star.tier, 0.0)
    fault = str(rng.choice(list(faults)))
    if right:
        if rng.random() < 0.5 and len(truth) > 1:
            turns.append(_handed("The strongest planets.", truth[:-1]))
            turns.append(_cell("What is left?", "print(np.std(rvs_ms))"))
        turns.append(_handed("All of them.", truth))
    elif fault == "provider":
        turns.append({"fault": "bad_request"})
    elif fault == "dropped":
        turns.append({"fault": "dropped_connection", "times": 3})
    elif fault == "silent":
        turns.append({"text": "It is a star with several planets. " * 3})
    elif fault == "malformed":
        turns += [{"tool_calls": _call("submit", planets=[{"P": 3, "e": 2}])}] * 3
    elif fault == "hostile":
        shown = _call("python", code=f"print({HOSTILE!r})")
        turns.append({"text": HOSTILE * 20, "tool_calls": shown})
        turns.append({"tool_calls": _call("submit", planets=[{"period_days": HOSTILE}])})
        turns.append({"text": "x" * 300_000, "tool_calls": _call("submit", planets=truth[:1])})
    elif fault == "cell_error":
        turns += [_cell("I divide.", "1 / 0"), _cell("", "import requests"), {"text": "I stop."}]
    else:
        wrong = _wrong(truth, fault)
        turns.append(_handed("A first model.", wrong))
        if fault == "repeat":
            turns += [_handed("Again.", wrong) for _ in range(3)]
        elif fault != "plain_end":
            near = [{**planet, "l_rad": planet["l_rad"] + 0.4} for planet in wrong]
            turns.append(_handed("Phases moved.", near))
            turns.append(_handed("Back again.", wrong))
    scale = {"easy": 1, "medium": 2, "hard": 4, "frontier": 6}.get(star.tier, 1)
    for number, turn in enumerate(turns, start=1):
        read, written = 1500 * scale * number, int(rng.integers(200, 900)) * scale
        turn.setdefault("usage", {"input": read, "output": written})
    return turns


_FIELDS = ("period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad")


def _wrong(truth: list[dict[str, float]], fault: str) -> list[dict[str, float]]:
    planets = [dict(planet) for planet in truth]
    first = planets[0]
    if fault == "alias":
        first["period_days"] = 1.0 / abs(1.0 / first["period_days"] - 1.0027)
        first["period_days"] = max(first["period_days"], 0.6)
    elif fault == "half":
        first["period_days"] /= 2.0
    elif fault == "missed":
        planets = planets[:-1] or [{**first, "m_sin_i_mjup": 0.001}]
    elif fault == "spurious":
        planets.append({**first, "period_days": first["period_days"] * 1.618, "m_sin_i_mjup": 0.01})
    elif fault == "eccentric":
        first["e"] = 0.75 if first["e"] < 0.4 else 0.0
    else:
        first["l_rad"] = first["l_rad"] + math.pi / 2
        first["m_sin_i_mjup"] *= 0.5
    return planets


def question_answer(record: Any, agent: QuestionAgent, rng: np.random.Generator) -> dict[str, Any]:
    """The answer to one record, right or wrong in one of many ways."""
    gold = record.final
    usage = {"input": int(rng.integers(400, 1200)), "output": int(rng.integers(80, 900))}
    if rng.random() < agent.skill.get(record.type, 0.5):
        return {"text": f"By the relations above,\n\nFinal answer: {gold}", "usage": usage}
    numeric = ("10", "-", "no_unit", "unit", "factor", "none", "error", "prose")
    others = ("wrong", "none", "error", "prose", "opposite", "open")
    fault = str(rng.choice(numeric if record.type == "numeric" else others))
    if fault == "error":
        return {"fault": "bad_request"}
    text = {
        "10": re.sub(r"\d", lambda found: found[0] + "0", gold, count=1),
        "-": gold.replace("$", "$-", 1),
        "no_unit": re.sub(r"\\ .*", "$", gold),
        "unit": re.sub(r"\\mathrm\{.*", r"\\mathrm{kg}$", gold),
        "factor": re.sub(r"[\d.]+", lambda found: f"{2 * float(found[0]):g}", gold, count=1)
        if re.search(r"\d", gold)
        else gold,
        "none": "",
        "prose": "The answer depends on the assumptions that one makes. " + HOSTILE,
        "wrong": re.sub(r"\\pi|\\sin|\\sqrt", r"2 \\log", gold).replace("=", "= 3", 1),
        "opposite": gold.replace("increases", "grows" if rng.random() < 0.3 else "decreases"),
        "open": "It changes in a way that is hard to tell, $x^{x^x} = \\oint$ perhaps.",
    }[fault]
    return {"text": text, "usage": usage}


def _call(function: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"function": function, "arguments": arguments}]


def _cell(text: str, code: str) -> dict[str, Any]:
    return {"text": text, "tool_calls": _call("python", code=code)}


def _handed(text: str, planets: list[dict[str, float]]) -> dict[str, Any]:
    return {"text": text, "tool_calls": _call("submit", planets=planets)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--logs", type=Path, help="use or make logs here")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--per-type", type=int, default=8)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        logs = options.logs or Path(place) / "logs"
        if not logs.exists():
            begun = time.perf_counter()
            make_logs(logs, epochs=options.epochs, per_type=options.per_type)
            print(json.dumps({"logs_s": round(time.perf_counter() - begun, 1)}), flush=True)
        from ecliptic.report import write_report

        out = options.out or Path(place) / "report"
        begun, used = time.perf_counter(), time.process_time()
        written = write_report([logs], out)
        seconds, used = time.perf_counter() - begun, time.process_time() - used
        files = [file for file in out.rglob("*") if file.is_file()]
        line = {
            "attempts": written.attempts,
            "seconds": round(seconds, 1),
            "cpu_seconds": round(used, 1),
            "files": len(files),
            "megabytes": round(sum(file.stat().st_size for file in files) / 1e6, 1),
        }
        print(json.dumps(line))


if __name__ == "__main__":
    main()
