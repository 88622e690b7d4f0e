"""``ecliptic show``: draw a task, a submission and its residuals."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.errors import SubmissionError, UsageError

if TYPE_CHECKING:
    from ecliptic.rv.tasks import RVTask

MAX_INSTRUMENTS_LISTED = 8


@click.command()
@click.argument("task", metavar="TASK")
@click.option("--suite", "source", help="The suite that TASK is in.")
@click.option(
    "--submission",
    "submission_file",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="A JSON file with {'planets': [...]}; - reads standard input.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="A folder of `ecliptic run`: show what its solver submitted.",
)
@click.option("--truth", "with_truth", is_flag=True, help="Draw the true planets as well.")
@click.option(
    "--protocol",
    help="How to grade.  [default: strict where the task declares its models, else paper]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The picture: .png, .pdf or .svg [default: TASK.png in this folder].",
)
def show(
    task: str,
    source: str | None,
    submission_file: Path | None,
    results: Path | None,
    with_truth: bool,
    protocol: str | None,
    out: Path | None,
) -> int:
    """Draw a task: data, periodogram and, for a submission, model, residuals and folded planets.

    TASK is a task's .json file, or SUITE#NAME where NAME is a task's key, source_id or id in a
    suite (`quick#rv-3f2a...`, `bank.parquet#seed101`). With --suite or --results NAME is enough.

    Without --truth nothing of the truth is drawn; the diagnosis of a submission may name it.
    """
    from ecliptic.run.plan import usual_protocol
    from ecliptic.rv.plots import check_format, fit_figure, save_figure
    from ecliptic.rv.protocols import protocol_of
    from ecliptic.rv.scoring import evaluate

    if protocol is not None:
        protocol_of(protocol)
    if submission_file and results:
        raise UsageError("--submission and --results exclude each other; give one of them")
    if out is not None:
        check_format(out)
    key, chosen = _find(task, source, results)
    target = out or Path(f"{key.replace('/', '-')}.png")
    click.echo(_describe(key, chosen))
    submission: object = None
    title = f"{key} ({chosen.tier})"
    if submission_file is not None:
        submission = _read_submission(submission_file)
        click.echo(
            _explain(evaluate(chosen, submission, protocol or usual_protocol(chosen)).to_dict())
        )
    elif results is not None:
        record = _record(results, key, chosen)
        submission = record["submission"]
        said, title = _told(record, title)
        click.echo(said)
        if not (record["verdict"] or {}).get("criteria"):
            submission = None  # nothing that could be graded, so nothing that could be drawn
    figure = fit_figure(
        chosen.observation,
        submission,
        truth=chosen.truth if with_truth else None,
        title=title,
    )
    save_figure(figure, target)
    click.echo(f"picture: {target}")
    return 0


def _find(task: str, source: str | None, results: Path | None) -> tuple[str, RVTask]:
    """The task's key in its suite, and the task."""
    from ecliptic.suite import load_suite

    if source is None and Path(task).is_file() and task.endswith(".json"):
        entry = next(load_suite(task).entries())
        return entry.key, entry.load()
    if source is None and "#" in task:
        source, _, task = task.rpartition("#")
    if source is None and results is not None:
        from ecliptic.run import read_manifest
        from ecliptic.run.journal import results_file

        source = read_manifest(results_file(results).parent).get("suite_source")
        if not source:
            raise UsageError(f"{results}: does not say where its suite is; name it with --suite")
    if source is None:
        if task.endswith((".json", ".parquet")) or Path(task).exists():
            missing = "no such file" if not Path(task).exists() else "holds more than one task"
            raise UsageError(f"{task}: {missing}; give a task's .json file or SUITE#NAME")
        raise UsageError(f"'{task}': which suite is it in? give SUITE#{task} or --suite")
    entry = load_suite(source).find(task)
    return entry.key, entry.load()


def _read_submission(path: Path) -> object:
    from ecliptic.errors import TaskError
    from ecliptic.files import parse_json, reason
    from ecliptic.rv.submission import read_submission

    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {reason(error)}") from None
    where = "standard input" if str(path) == "-" else str(path)
    try:
        return read_submission(parse_json(data, where))
    except TaskError as error:  # the reader of JSON text serves tasks otherwise
        raise UsageError(str(error)) from None
    except SubmissionError as error:
        raise SubmissionError(f"{where}: {error}", field=error.field) from None


def _record(results: Path, key: str, task: RVTask) -> dict[str, Any]:
    from ecliptic.run import read_results

    found = next((record for record in read_results(results) if record["key"] == key), None)
    if found is None:
        raise UsageError(f"{results}: has no result for '{key}'")
    if found["task_id"] not in (None, task.id):
        raise UsageError(f"{results}: its '{key}' is another task ({found['task_id']})")
    return found


def _told(record: dict[str, Any], title: str) -> tuple[str, str]:
    """What a run says of a task, and the picture's title."""
    if record["verdict"] is None:
        reason = record["error"].get("reason", "")
        return f"no submission: the run failed on this task ({reason})", title
    outcome = "passed" if record["verdict"]["passed"] else "not passed"
    return _explain(record["verdict"]), f"{title[:-1]}, {record['solver']}: {outcome})"


def _describe(key: str, task: RVTask) -> str:
    data = task.observation
    span = float(data.times_days[-1] - data.times_days[0])
    counts = {label: data.instruments.count(label) for label in data.instrument_labels}
    named = [f"{label} ({count})" for label, count in counts.items()][:MAX_INSTRUMENTS_LISTED]
    more = f" and {len(counts) - len(named)} more" if len(counts) > len(named) else ""
    name = key if key == task.id else f"{key} ({task.id})"
    return (
        f"{name}: {task.tier}, difficulty {task.difficulty}\n"
        f"{len(data.times_days)} velocities over {span:.6g} days, "
        f"star of {data.star_mass_sun:.3g} solar masses\n"
        f"instruments: {', '.join(named)}{more}"
    )


def _explain(verdict: dict[str, Any]) -> str:
    head = f"{verdict['outcome']}, score {verdict['score']:.2f}"
    lines = [f"{head} (protocol {verdict.get('protocol', '')})"]
    width = max(map(len, verdict["criteria"]), default=0)
    for name, criterion in verdict["criteria"].items():
        value = "not finite" if criterion["value"] is None else f"{criterion['value']:.4g}"
        sign = criterion.get("comparison", "")
        state = "passed" if criterion["passed"] else "failed"
        lines.append(f"  {name:<{width}}  {state}  {value} {sign} {criterion['threshold']:.4g}")
    if verdict["diagnosis"] is not None:
        diagnosis = verdict["diagnosis"]
        lines.append(f"diagnosis: {diagnosis.get('code')}: {diagnosis.get('message')}")
    return "\n".join(lines)
