"""Seconds and peak memory of a leaderboard over many attempts.

    python benchmarks/summarise.py [--attempts 100000] [--cut] [--keep FOLDER]

Writes synthetic logs (four fifths in logs of Inspect, stars and questions by eight agents; one
fifth in folders of ``ecliptic run`` with solvers), then reads them and prints the leaderboard in a
process of its own. With ``--cut`` the summaries lack the figures of the criteria, so that these are
read out of the samples.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from ecliptic.analysis import leaderboard, leaderboard_tables, read_attempts, read_bounds, render

AGENTS = ("single_shot", "hmaw", "pace", "phase", "schema", "react", "mentor", "router")
TIERS = ("easy", "medium", "hard", "frontier")
TYPES = ("numeric", "symbolic", "textual")
STRICT = ("detection", "residuals", "recovery", "periods", "count")
A_LOG, A_RUN = 500, 1000
PROMPT = "Find the planets of a star in its radial velocities. " * 25
CUT = "Key removed from summary (> 1k)"
NAN = float("nan")


def verdict_of(rng: np.random.Generator, passed: bool) -> dict[str, Any]:
    met = [True] * 5 if passed else [bool(x) for x in rng.random(5) < 0.5]
    criteria = {
        name: {"value": float(rng.random()), "threshold": 1.0, "passed": one, "comparison": "<="}
        for name, one in zip(STRICT, met, strict=True)
    }
    diagnosis = None if passed else {"code": "poor_residuals", "message": "", "evidence": {}}
    return {"outcome": "correct" if passed else "incorrect", "passed": passed, "score": 0.5,
            "protocol": "strict", "criteria": criteria, "diagnosis": diagnosis,
            "details": {"pairs": [[i, i, 0.1] for i in range(60)]}}  # fmt: skip


def summary_of(rng: np.random.Generator, star: bool, number: int, cut: bool) -> tuple[Any, Any]:
    """A sample's summary, and its scores in full."""
    passed, failed = bool(rng.random() < 0.4), bool(rng.random() < 0.02)
    kind = TIERS[number % 4] if star else TYPES[number % 3]
    verdict = verdict_of(rng, passed)
    value = {"passed": float(passed), "passed_graded": NAN if failed else float(passed),
             "error": float(failed)}  # fmt: skip
    if star:
        value |= {"score": 0.5, "submissions": 3, "repeats": 1}
        value |= {name: float(one["passed"]) for name, one in verdict["criteria"].items()}
        value |= {name: float(passed) if name == kind else NAN for name in TIERS}
    else:
        value |= {"undecided": 0.0, "passed_with_verifier": NAN, "format": 1.0}
        value |= {name: float(passed) if name == kind else NAN for name in TYPES}
    metadata: dict[str, Any] = {"tier" if star else "type": kind, "stop": "submissions",
                "error": "the provider did not answer" if failed else ""}  # fmt: skip
    if not cut:
        metadata["figures"] = {
            "diagnosis": "" if passed else "poor_residuals",
            "protocol": "strict" if star else "",
            "values": {name: one["value"] for name, one in verdict["criteria"].items()},
        }
    score = {"value": value, "answer": "x" * 400, "explanation": "why " * 20, "history": []}
    name = f"rv-{number:016x}" if star else f"2010_Lee_{number}_a"
    summary = {
        "id": name, "epoch": 1, "input": PROMPT, "target": "",
        "metadata": {"tier": kind, "question": name},
        "scores": {"planet_grade": score | {"metadata": metadata | {"verdict": CUT}}},
        "model_usage": {"openai/gpt": {"input_tokens": 9000, "output_tokens": 900,
                                       "total_tokens": 9900, "total_cost": 0.05}},
        "completed_at": "2026-11-30T23:25:27.544909+00:00", "total_time": 35.6,
        "uuid": rng.bytes(11).hex(), "completed": True,
    }  # fmt: skip
    return summary, {"planet_grade": score | {"metadata": metadata | {"verdict": verdict}}}


def write_eval(path: Path, rng: np.random.Generator, number: int, size: int, cut: bool) -> None:
    import zipfile_zstd  # noqa: F401 - teaches zipfile

    star = number % 2 == 0
    task = "ecliptic/stargazer" if star else "ecliptic/helio"
    agent = AGENTS[number // 2 % len(AGENTS)]
    spec = {"task": task, "task_registry_name": task, "task_id": f"t{number}", "eval_id": "e",
            "task_args": {"suite": "core"} if star else {"records": "helio-v1"},
            "model": "openai/gpt", "scorers": [{"name": "s", "options": {"protocol": "strict"}
                                                if star else {}}]}  # fmt: skip
    plan = {"steps": [{"solver": "ecliptic/answer_by", "params_passed": {"pattern": agent}}]}
    made = [summary_of(rng, star, index, cut) for index in range(size)]
    talk = [{"role": "assistant", "content": "word " * 400} for _ in range(6)]
    with ZipFile(path, "w", compression=93) as file:
        for summary, scores in made:
            full = {"id": summary["id"], "epoch": 1, "messages": talk, "scores": scores,
                    "events": talk}  # fmt: skip
            file.writestr(f"samples/{summary['id']}_epoch_1.json", json.dumps(full))
        file.writestr("summaries.json", json.dumps([summary for summary, _ in made], indent=2))
        file.writestr("header.json", json.dumps({"status": "success", "eval": spec, "plan": plan}))


def write_run(folder: Path, rng: np.random.Generator, size: int) -> None:
    folder.mkdir()
    identity = {"suite_checksum": "c" * 64, "solver": folder.name, "options": {}}
    (folder / "run.json").write_text(json.dumps({"suite": "core", "identity": identity}))
    with (folder / "results.jsonl").open("w") as file:
        for index in range(size):
            name = f"rv-{index:016x}"
            verdict = verdict_of(rng, bool(rng.random() < 0.6))
            line = {"key": name, "task_id": name, "tier": TIERS[index % 4], "solver": folder.name,
                    "protocol": "strict", "status": "done", "verdict": verdict, "error": None,
                    "submission": {"planets": []}, "cpu_s": 1.5, "wall_s": 1.6}  # fmt: skip
            file.write(json.dumps(line) + "\n")


def write_logs(folder: Path, attempts: int, cut: bool) -> None:
    streams = iter(np.random.SeedSequence(7).spawn(attempts // 100 + 10))
    runs = max(1, attempts // 5 // A_RUN)
    for number in range(runs):
        write_run(folder / f"solver{number}", np.random.default_rng(next(streams)), A_RUN)
    logs = max(1, (attempts - runs * A_RUN) // A_LOG)
    for number in range(logs):
        path = folder / f"{number:04}.eval"
        write_eval(path, np.random.default_rng(next(streams)), number, A_LOG, cut)


def read(folder: Path) -> None:
    """Read and print in this process; figures on the last line."""
    begin = time.perf_counter()
    attempts = read_attempts(folder)
    reading = time.perf_counter() - begin
    print(render(leaderboard_tables(leaderboard(attempts, None, read_bounds(attempts)))))
    line = {
        "attempts": len(attempts),
        "seconds": round(time.perf_counter() - begin, 2),
        "cpu_seconds": round(time.process_time(), 2),
        "reading": round(reading, 2),
        "peak_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(json.dumps(line))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--attempts", type=int, default=100_000)
    parser.add_argument("--cut", action="store_true")
    parser.add_argument(
        "--keep", type=Path, help="put the logs there, or read those that are there"
    )
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        read(options.read)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = options.keep or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            write_logs(folder, options.attempts, options.cut)
        subprocess.run([sys.executable, __file__, "--read", str(folder)], check=True)


if __name__ == "__main__":
    main()
