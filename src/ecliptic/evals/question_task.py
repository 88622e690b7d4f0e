"""The task ``ecliptic/helio``: question records, answered in one reply."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import TaskState

from ecliptic.agents import answer_by
from ecliptic.agents.inspect_errors import in_one_line
from ecliptic.errors import UsageError
from ecliptic.evals.admission import admission, book
from ecliptic.evals.answer_scoring import TYPES, answer_grade, records_of
from ecliptic.evals.argument_lists import names_in
from ecliptic.evals.attempt_progress import attempt_ended
from ecliptic.evals.content_version import content_version
from ecliptic.evals.score_metrics import HEADLINE, QUESTION
from ecliptic.evals.skill_modes import skill_steps
from ecliptic.evals.verifier_role import check_roles, check_verifier
from ecliptic.helio import Record

SHIPPED = "helio-v1"


@task
@in_one_line
def helio(
    records: str = SHIPPED,
    hint: bool = True,
    types: str | list[str] | None = None,
    per_type: int | None = None,
    verifier: bool | None = None,
    allow_self_judge: bool = False,
    skills: str = "none",
) -> Task:
    """Heliophysics questions.

    Parameters
    ----------
    records
        A file of JSON lines, a shipped set (``helio-v1``), or ``rws``, the published records.
    hint
        Whether the model reads the hint, word for word.
    types
        Only records of these types (``numeric,symbolic``).
    per_type
        Only so many records of each type, the first ones.
    verifier
        Whether answers that the rules leave undecided are judged by the model of the role
        ``verifier``; by default where one is bound.
    allow_self_judge
        Whether that may be the model under test.
    skills
        ``none``, ``injected`` into the prompt, or read ``on_demand``.

    Raises
    ------
    UsageError
        There is no such type, no record is left, or the verifier cannot be had.
    TaskError
        The records cannot be read.
    """
    check_roles(verifier, allow_self_judge)
    records_of.cache_clear()  # the file may have been mended since another task was made of it
    chosen = _chosen(records, types, per_type)
    return Task(
        dataset=MemoryDataset([_sample(record, hint) for record in chosen], name=records),
        setup=[
            check_verifier(verifier, allow_self_judge),
            admission(),
            *skill_steps(skills, "helio"),
        ],
        solver=answer_by("single_shot"),
        scorer=answer_grade(records, verifier, allow_self_judge),
        cleanup=_cleanup,
        score_on_error=True,
        continue_on_fail=True,
        headline_metric=HEADLINE,
        metadata={"suite_checksum": content_version(records_of(records).values())},
        version=content_version(chosen),
    )


def _chosen(source: str, types: str | list[str] | None, limit: int | None) -> list[Record]:
    wanted = names_in(types) or list(TYPES)
    for kind in wanted:
        if kind not in TYPES:
            raise UsageError(f"types: there is no type '{kind}'; known: {', '.join(TYPES)}")
    if limit is not None and limit < 1:
        raise UsageError(f"per_type must be at least 1, not {limit}")
    taken = dict.fromkeys(wanted, 0)
    chosen = []
    for record in records_of(source).values():
        if record.type in taken and (limit is None or taken[record.type] < limit):
            taken[record.type] += 1
            chosen.append(record)
    if not chosen:
        raise UsageError(f"{source}: holds no record of type {', '.join(wanted)}")
    return chosen


def _sample(record: Record, hint: bool) -> Sample:
    parts = [*record.preamble, record.question, record.hint if hint else ""]
    return Sample(
        id=record.id,
        input="\n\n".join(part for part in parts if part),
        metadata={"type": record.type, "id": record.id, QUESTION: question_of(record)},
    )


def question_of(record: Record) -> str:
    """The problem that a record is a part of: its parts stand and fall together."""
    problem = record.meta.get("problem")
    if isinstance(problem, str) and problem:
        return problem
    suffix = f"_{record.sub_id}"
    return record.id.removesuffix(suffix) if record.sub_id else record.id


async def _cleanup(state: TaskState) -> None:
    book(state.uuid)
    attempt_ended()
