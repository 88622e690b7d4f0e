"""The answer in words, from the statistics: who is better, on what, by how much, how sure, why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ecliptic.analysis.comparison import Comparison, p_words
from ecliptic.analysis.leaderboards import Standing
from ecliptic.report.board import Board
from ecliptic.report.published import arm_of

WHY_NAMED = 4
MANY = 6
"""Agents with a sentence of their own about their failures."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The first sentences, then headings each with more."""

    first: str
    parts: Sequence[tuple[str, Sequence[str]]] = field(default_factory=tuple)


def answer(board: Board) -> Answer:
    """What the first page says of a board."""
    if not board.leading:
        return Answer("No attempt was graded: all ended in an error.")
    parts = [
        ("How sure", _how_sure(board)),
        ("On what", _where(board)),
        ("Why attempts fail", _why(board)),
        ("Mind", _cautions(board)),
    ]
    return Answer(
        _unbroken(_who(board)), [(name, [*map(_unbroken, told)]) for name, told in parts if told]
    )


def _unbroken(text: str) -> str:
    """No line ends between a figure and its sign."""
    return text.replace(" %", "\u00a0%")


def _percent(rate: float) -> str:
    return f"{100 * rate:.0f} %"


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _rate(row: Standing) -> str:
    assert row.rate is not None
    assert row.interval is not None
    low, high = row.interval
    return (
        f"{row.passed} of {row.graded} ({_percent(row.rate)}, 95 % interval {100 * low:.0f} to "
        f"{100 * high:.0f} %)"
    )


def _who(board: Board) -> str:
    best = board.leading[0]
    text = _lead(board, best)
    if board.is_partial(best):
        text += " But agents tried different tasks, so that rates do not compare."
    if best.passed and best.reach is not None and best.reach.reached is not None:
        share = best.reach.reached
        reached = "all" if share >= 1.0 else _percent(share)
        text += (
            f" The oracle reaches {_percent(best.reach.ceiling)}, so this is {reached} of what can "
            "be reached."
        )
    return text


def _lead(board: Board, best: Standing) -> str:
    ties = [row for row in board.leading if row.rate == best.rate]
    mixed = any(map(board.is_partial, board.standings))
    if mixed and not board.is_partial(best):
        those = f"Of those that tried all {len(board.tasks)} tasks, "
        if len(board.leading) == 1:
            only = f"Only {arm_of(best)} tried all {len(board.tasks)} tasks."
            return f"{only} It passes {_rate(best)}."
    else:
        those = ""
    if best.passed == 0:
        whole = f"{those}nobody passes anything: 0 of {best.graded} for {arm_of(best)}."
        return whole[0].upper() + whole[1:]
    if len(board.standings) == 1:
        return f"{arm_of(best)} passes {_rate(best)}."
    if len(ties) > 1:
        each = " each" if len({row.graded for row in ties}) == 1 else ""
        names = _listed([arm_of(row) for row in ties])
        return f"{those}{names} pass the same share: {_rate(best)}{each}."
    return f"{those}{arm_of(best)} passes most: {_rate(best)}."


def _how_sure(board: Board) -> list[str]:
    if len(board.standings) < 2:
        return []
    best = arm_of(board.leading[0])
    others = [arm_of(row) for row in board.standings if arm_of(row) != best]
    settled: list[str] = []
    behind: list[str] = []
    unsettled: list[str] = []
    for other in others:
        found = board.between(best, other)
        if found is None:
            continue
        if not found.settled:
            unsettled.append(other)
            continue
        ahead = (found.difference > 0) == (found.pairing.first == best)
        told = (
            f"{other} (by {100 * abs(found.difference):.1f} points, p {p_words(found.p_adjusted)})"
        )
        (settled if ahead else behind).append(told)
    sentences = []
    if settled:
        sentences.append(
            f"On the same tasks {best} is better than {_listed(settled)}; that is settled (5 %, "
            "over all pairs together)."
        )
    if behind:
        sentences.append(f"On the same tasks {best} is worse than {_listed(behind)}; settled too.")
    if unsettled:
        sentences.append(f"Whether {best} is better than {_listed(unsettled)} is not settled.")
    runner_up = board.between(best, others[0])
    if runner_up is not None:
        sentences.append(f"On {_compared(runner_up)}.")
    sentences += [f"Skills: on {_compared(found)}." for found, _, _ in board.skills]
    return sentences


def _compared(found: Comparison) -> str:
    tasks = len(found.pairing.tasks)
    return f"{tasks} task{'s' if tasks != 1 else ''}, {found.words()}"


def _where(board: Board) -> list[str]:
    kinds = list(dict.fromkeys(kind for own in board.by_kind.values() for kind in own))
    if len(kinds) < 2 or len(board.leading) < 2:
        return []
    sentences = []
    for kind in kinds:
        own = [board.by_kind.get(arm_of(row), {}) for row in board.leading]
        rows = [each[kind] for each in own if kind in each]
        graded = [row for row in rows if row.rate is not None]
        top = max((row.rate or 0.0 for row in graded), default=0.0)
        first = [row for row in graded if row.rate == top]
        if not graded or top == 0.0:
            sentences.append(f"{kind}: nobody passes")
        elif len(first) == len(graded):
            sentences.append(f"{kind}: all alike, {_percent(top)}")
        else:
            names = _listed([arm_of(row) for row in first])
            sentences.append(f"{kind}: {names} with {_percent(top)} ({_counts(first)})")
    return [*sentences, "Who is ahead on such a part is not tested; see the intervals below."]


def _counts(rows: Sequence[Standing]) -> str:
    return ", ".join(f"{row.passed} of {row.graded}" for row in rows)


def _why(board: Board) -> list[str]:
    sentences = []
    for arm in list(board.arms)[:MANY]:
        rows = board.failures_of(arm)
        own = [row for row in rows if row.primary and row.code.group != "error"]
        if not own:
            continue
        failed = sum(row.primary for row in own)
        named = [f"{str(row.code).replace('_', ' ')} {row.primary}" for row in own[:WHY_NAMED]]
        more = ", others" if len(own) > WHY_NAMED else ""
        sentences.append(
            f"{arm}, {failed} failure{'s' if failed != 1 else ''}: {', '.join(named)}{more}"
        )
    best = arm_of(board.leading[0])
    if best in board.fits:
        fit = board.fits[best]
        sentences.append(
            f"{best} fits the data in {_percent(fit.statistical_rate)} of its attempts and has the "
            f"right planets in {_percent(fit.physical_rate)}"
        )
    return sentences


def _cautions(board: Board) -> list[str]:
    sentences = _other_tasks(board)
    errors = sum(row.errors for row in board.standings)
    if errors:
        sentences.append(
            f"{errors} of {len(board.attempts)} attempts ended in an error of ours or of a "
            "provider; they are in no rate."
        )
    undecided = sum(row.undecided for row in board.standings)
    if undecided:
        sentences.append(
            f"{undecided} answers could not be decided by the rules; they count as not passed."
        )
    skipped = sum(bool(row.skipped) for row in board.labelled)
    if skipped:
        sentences.append(f"{skipped} failed attempts could not be labelled.")
    if board.comparison_note:
        sentences.append(
            "Not all agents made the same attempts; two agents are compared on those that both "
            "made."
        )
    return sentences


def _other_tasks(board: Board) -> list[str]:
    """Whose rate is of other tasks than the rest's."""
    partial = [row for row in board.standings if board.is_partial(row)]
    if not partial:
        return []
    whole = len(board.tasks)
    if board.is_partial(board.leading[0]):
        return [
            f"No agent tried all {whole} tasks, so the rates are of different tasks and do not "
            "compare; see the differences on the same tasks."
        ]
    told = [f"{arm_of(row)} {row.tasks} ({row.passed} of {row.graded} passed)" for row in partial]
    return [
        f"Only a part of the {whole} tasks tried: {_listed(told)}. Their rates do not compare with "
        "the others'."
    ]
