"""The card of a suite: a dataset card as the Hugging Face hub reads it, figures included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from ecliptic.run.creation_panel import Rates
from ecliptic.run.creation_request import Request

FLOORS = ("null", "sine", "padding", "free_jitter", "duplicate", "resubmission")
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def card_of(
    request: Request,
    figures: Mapping[str, Mapping[str, Any]],
    rates: Rates,
    tasks_sha256: str,
    commitment: str | None,
) -> str:
    """The text of ``README.md``. ``commitment`` is that of a sealed suite."""
    sections = [
        _front_matter(request),
        f"# {request.name}",
        _introduction(request, commitment),
        "## Tiers\n\n" + _tiers(figures),
        "## Ceilings and floors\n\n" + _ceilings(request, figures),
    ]
    if rates:
        sections.append("## Simple solvers\n\n" + _panel(figures, rates))
    sections += [
        "## How the tasks are graded\n\n" + _grading(figures),
        "## How they were made\n\n" + _making(request, figures),
        "## How to load them\n\n" + _loading(commitment),
    ]
    if commitment is not None:
        sections.append("## The sealed part\n\n" + _sealed(commitment))
    sections += [
        "## Limits\n\n" + _limits(request),
        "## Files and licence\n\n" + _files(tasks_sha256),
    ]
    return "\n\n".join(sections) + "\n"


def _front_matter(request: Request) -> str:
    from huggingface_hub import DatasetCardData

    size = next((name for bound, name in SIZES if request.total < bound), "100K<n<1M")
    data = DatasetCardData(
        language="en",
        license="mit",
        task_categories=["other"],
        size_categories=[size],
        pretty_name=f"Ecliptic {request.name}",
        tags=["astronomy", "exoplanets", "radial-velocity", "agents", "benchmark", "croissant"],
        configs=[
            {
                "config_name": "default",
                "data_files": [{"split": "test", "path": "tasks.parquet"}],
            }
        ],
    )
    return f"---\n{data.to_yaml()}\n---"


def _introduction(request: Request, commitment: str | None) -> str:
    tiers = ", ".join(f"{count} {tier}" for tier, count in request.tiers.items())
    sealed = (
        " The truth is sealed: this is the public part, which can be played and, with the private "
        "part, graded."
        if commitment is not None
        else ""
    )
    return (
        f"{request.total} synthetic stars ({tiers}) with radial velocities as surveys see them. An "
        "agent gets times, velocities, errors, instruments, the star's mass and, where the star is "
        "active, its indicators, and says which planets there are. Each task is hard by structure "
        "that a good analyst can resolve, and each was proven solvable before it was published."
        + sealed
    )


def _tiers(figures: Mapping[str, Mapping[str, Any]]) -> str:
    from ecliptic.rv.structures import ECLIPTIC_TIERS, RANGES

    rows = []
    for tier in ECLIPTIC_TIERS:
        if tier not in figures:
            continue
        ranges = RANGES[tier]
        drawn = figures[tier].get("planets")
        told = "" if drawn is None else ", ".join(f"{count} with {n}" for n, count in drawn.items())
        spans = (ranges.planets, ranges.structures, ranges.observations, ranges.instruments)
        texts = [f"{low}-{high}" if low != high else str(low) for low, high in spans]
        rows.append([tier, str(figures[tier]["tasks"]), *texts, told or "sealed"])
    head = ["tier", "tasks", "planets", "structures", "observations", "instruments", "drawn"]
    return (
        _table(head, rows)
        + "\n\nStructures: `resonant_pair` (within 0.6 % of 2:1), `eccentric` (0.55 to 0.78), "
        "`alias` (a period near one, two or three days and one site), `chain` (three close "
        "planets), `activity` (rotating spots, with indicators), `instruments` (two to four, some "
        "drift)."
    )


def _ceilings(request: Request, figures: Mapping[str, Mapping[str, Any]]) -> str:
    from ecliptic.analysis.intervals import wilson_interval

    rows = []
    for tier, each in figures.items():
        ceiling, tasks = each["ceiling"], each["tasks"]
        low, high = wilson_interval(ceiling["passed"], ceiling["draws"])
        floors = [each["floor"].get(name) for name in FLOORS]
        rows.append(
            [
                tier,
                f"{each['oracle']}/{tasks}",
                f"{_percent(ceiling['passed'] / ceiling['draws'])} "
                f"({100 * low:.1f}-{100 * high:.1f})",
                _percent(ceiling["lowest"]),
                *("-" if one is None else f"{one['passed']}/{one['tasks']}" for one in floors),
            ]
        )
    names = [name.replace("_", " ") for name in FLOORS]
    return (
        "A pass rate reads between these. **Oracle**: tasks that the best fit started at the truth "
        "passes. **Ceiling**: share of fresh noise realisations of the same stars that the oracle "
        f"passes ({request.draws} a task, other ones than the tasks were accepted on; Wilson 95 % "
        "interval), and the lowest of one task. The other columns count tasks that a submission "
        "without insight passes, of those it can be tried on.\n\n"
        + _table(["tier", "oracle", "ceiling", "lowest", *names], rows)
    )


def _panel(figures: Mapping[str, Mapping[str, Any]], rates: Rates) -> str:
    from ecliptic.analysis.intervals import wilson_interval

    rows = []
    for label, by_tier in rates.items():
        cells = []
        for tier in figures:
            tasks, passed = by_tier[tier]["tasks"], by_tier[tier]["passed"]
            low, high = wilson_interval(passed, tasks)
            cells.append(f"{passed}/{tasks} ({100 * low:.0f}-{100 * high:.0f} %)")
        rows.append([label, *cells])
    return (
        "Tasks that simple solvers pass, one blind submission each (Wilson 95 % interval). "
        "`classical`: peaks of the periodogram one after another, count by BIC. `greedy`: the same "
        "with joint refits and the declared family of models; `GP`: with the activity's Gaussian "
        "process, else activity counts as white noise.\n\n" + _table(["solver", *figures], rows)
    )


_GRADING = """Protocol `strict`: every planet is detected (delta-BIC over 20 against none and \
against the model without it), the residuals are the oracle's, every true planet has a partner \
within what the data permit, no period is an alias, and the count is right. Grader, oracle and \
agent share one declared family of noise, the column `family`: an offset and a white jitter an \
instrument; linear drifts of the instruments named; a polynomial trend of the order named; and, \
where `activity` is true, a quasi-periodic Gaussian process (celerite2's rotation term) whose \
shape the indicators `fwhm` and `bisector` tell. Periods lie in the range that it states."""


def _grading(figures: Mapping[str, Mapping[str, Any]]) -> str:
    interacting = {tier: each["nbody"] for tier, each in figures.items() if each["nbody"]}
    if not interacting:
        return _GRADING + " All velocities are Keplerian."
    told = ", ".join(f"{count} {tier}" for tier, count in interacting.items())
    return (
        _GRADING + f" In some systems the planets pull on each other ({told}): there `family` has "
        "`forward_model` `nbody`, and grading needs REBOUND (`pip install 'ecliptic[nbody]'`)."
    )


def _making(request: Request, figures: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for tier, each in figures.items():
        draws, cpu = each["draws"], each["cpu_s"]
        told = ", ".join(f"{why} {count}" for why, count in draws["rejected"].items())
        rows.append(
            [
                tier,
                f"{draws['accepted']}/{draws['judged']} "
                f"({_percent(draws['accepted'] / draws['judged'])})",
                told or "-",
                str(draws["refused_in_publication"]),
                f"{cpu['make']:.1f} + {cpu['audit']:.1f}",
            ]
        )
    head = ["tier", "accepted", "rejected for", "refused in publication", "CPU s a task"]
    noise = "" if request.variant is None else f" Variant of the noise: `{request.variant}`."
    return (
        f"```sh\n{request.command}\n```\n\n"
        f"with ecliptic {version('ecliptic')}, recipe `ecliptic`, forward model "
        f"`{request.forward_model}`, begun on {request.started}.{noise} The seed has 128 random "
        "bits unless it was chosen; it is in no id. A candidate is accepted when an audit with 25 "
        "draws holds; an accepted one whose audit for publication fails is refused, and the next "
        "index takes its place. CPU: to make (with all rejected draws), and to audit.\n\n"
        + _table(head, rows)
    )


def _loading(commitment: str | None) -> str:
    if commitment is None:
        return (
            '```python\nimport ecliptic\n\nsuite = ecliptic.load_suite("FOLDER")\n'
            "task = suite[0]\nobservation = task.observation  # all that an agent may see\n```\n\n"
            "or, without ecliptic, `tasks.parquet` with any reader. A whole run: "
            "`ecliptic run --suite FOLDER --solver classical`."
        )
    return (
        '```python\nimport ecliptic\n\nsuite = ecliptic.load_suite("PUBLIC")  # to play\n'
        'suite = ecliptic.load_suite("PUBLIC", truth="PRIVATE")  # to grade\n```\n\n'
        "A whole run: `ecliptic run --suite PUBLIC --truth PRIVATE --solver classical`."
    )


def _sealed(commitment: str) -> str:
    return (
        "The column `commitment` holds, for each task, the SHA-256 over a secret salt of 128 bits, "
        "the hash of the public part and the hash of the sealed one. "
        f"That of the suite, over all of them and the seed, is\n\n    {commitment}\n\n"
        "Whoever notes it today can check later, with the private part, that no truth was changed: "
        "`ecliptic suite verify PUBLIC --truth PRIVATE`."
    )


def _limits(request: Request) -> str:
    lines = [
        "The stars are synthetic, and their noise is of the declared family"
        + (", but for the variant named above." if request.variant else "."),
        "**What the public part tells.** The tier (and the budget that goes with it, and in part "
        "the number of observations) narrows the number of planets to the range in the first "
        "table; so does the declared family, as activity and drifts are structures. `ecliptic run` "
        "hands a solver the observation alone, without tier and budget; who hands out these files "
        "should know that the column `tier` and the order of the rows tell it.",
        "A ceiling is that of an oracle that knows where to look; a blind analyst may stay below.",
        "Passing is a matter of thresholds; `ecliptic.rv` lets all of them be changed by name.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def _files(tasks_sha256: str) -> str:
    return (
        f"`tasks.parquet` has the SHA-256 `{tasks_sha256}`; `suite.json` holds those of all files "
        "and one over all of them, `croissant.json` describes the columns. `ecliptic suite verify` "
        "compares. MIT licence."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
