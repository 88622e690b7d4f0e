"""One attempt as a row: which agent on which task, how it ended, and what it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Attempt:
    """A finished attempt, small enough that a hundred thousand of them fit into memory.

    Attributes
    ----------
    agent
        The pattern or solver, such as ``react`` or ``classical``; with skills
        ``react+skills:injected``.
    model
        Such as ``openai/gpt-5``; empty for a solver.
    world
        ``stargazer``, ``helio``, or ``other`` for somebody else's benchmark.
    suite
        Name of the suite or of the question records.
    suite_source
        The path or shipped name that the run was given.
    suite_checksum
        What tells one version of the suite from another; empty where the log does not say.
    task
        Id of the star or record. With ``suite`` and ``epoch`` it pairs attempts of two agents.
    cluster
        What attempts share that are not independent: the problem of a question's parts
        (``q_id``), else the task itself.
    kind
        Tier of a star, type of a question.
    protocol
        Label of the grading protocol; empty for questions.
    epoch
        1 for the first attempt on the task.
    passed
        ``None`` where the attempt ended in an error of ours or of the provider.
    undecided
        Whether the rules could not decide; it has not passed.
    verified
        With the verifier's judgement; ``None`` where there was no verifier.
    score
        Of the best submission, or of the answer.
    criteria
        Whether each criterion is met.
    values
        The figure of each criterion that has one, such as ``match``: for sweeps over thresholds.
    diagnosis
        Code of the verdict's diagnosis; empty where it passed or none was graded.
    stop
        Why it ended, such as ``solved`` or ``tokens``.
    error
        The message of the error, if one ended it.
    tokens_in, tokens_out
        Read (caches included) and written (reasoning included).
    cost
        In the currency of the provider's prices; 0 where none are known.
    seconds
        Wall time; for solvers CPU time.
    submissions, repeats
        How many were graded; how many hardly differed from an earlier one.
    log
        The log file, or the folder of a solver's run.
    uuid
        Of the sample within the log; for a solver's run the task's key.
    """

    agent: str
    model: str
    world: str
    suite: str
    task: str
    cluster: str
    kind: str
    passed: bool | None
    suite_checksum: str = ""
    suite_source: str = ""
    protocol: str = ""
    epoch: int = 1
    undecided: bool = False
    verified: bool | None = None
    score: float = 0.0
    criteria: Mapping[str, bool] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    diagnosis: str = ""
    stop: str = ""
    error: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    submissions: int = 0
    repeats: int = 0
    log: Path = field(default_factory=Path)
    uuid: str = ""

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.tokens_in + self.tokens_out

    @property
    def arm(self) -> str:
        """What is compared: the agent, with its model where there is one."""
        return f"{self.agent} ({self.model})" if self.model else self.agent


def to_pandas(attempts: Iterable[Attempt]) -> DataFrame:
    """One row an attempt; criteria as columns ``criterion_NAME``, their figures ``value_NAME``."""
    import pandas as pd

    plain = [each.name for each in fields(Attempt) if each.name not in {"criteria", "values"}]
    rows: list[dict[str, Any]] = []
    for attempt in attempts:
        row = {name: getattr(attempt, name) for name in plain}
        row |= {f"criterion_{name}": met for name, met in attempt.criteria.items()}
        row |= {f"value_{name}": value for name, value in attempt.values.items()}
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else plain)
