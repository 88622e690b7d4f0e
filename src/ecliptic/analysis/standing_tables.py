"""Standings and comparisons as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ecliptic.analysis.comparison import Comparison, p_text
from ecliptic.analysis.formats import Table
from ecliptic.analysis.leaderboards import Standing

Column = tuple[str, Callable[[Standing], str], bool]
_FEW = 300
"""Below it an interval is no narrower than some per cent, so rates are shown without decimals."""


def leaderboard_tables(standings: Sequence[Standing], by: str | None = None) -> list[Table]:
    """One table a suite (and version of it) and protocol."""
    parts: dict[tuple[str, str, str], list[Standing]] = {}
    for each in standings:
        parts.setdefault((each.suite, each.protocol, each.version), []).append(each)
    return [_leaderboard(rows, by) for rows in parts.values()]


def comparison_table(comparisons: Sequence[Comparison]) -> Table:
    """One line a pair, with a sentence on each below."""
    header = ["first", "second", "suite", "tasks", "first passes", "second passes",
              "difference", "95 % CI", "only first", "only second", "p", "test"]  # fmt: skip
    notes = [each.words() for each in comparisons]
    if len(comparisons) > 1:
        notes.append(
            f"p by Holm's method over {len(comparisons)} comparisons; each interval is of one "
            "difference by itself"
        )
    notes += dict.fromkeys(note for each in comparisons for note in _apart(each))
    cells = [
        [
            each.pairing.first,
            each.pairing.second,
            each.pairing.suite,
            str(len(each.pairing.tasks)),
            f"{100 * each.first_rate:.1f} %",
            f"{100 * each.second_rate:.1f} %",
            f"{100 * each.difference:+.1f}",
            f"{100 * each.interval[0]:+.1f} to {100 * each.interval[1]:+.1f}",
            "-" if each.only_first is None else str(each.only_first),
            "-" if each.only_second is None else str(each.only_second),
            p_text(each.p_adjusted),
            {"mcnemar": "McNemar, exact", "sign_flip": "sign flips"}[each.test],
        ]
        for each in comparisons
    ]
    records = [comparison_record(each) for each in comparisons]
    return Table("Paired comparison", header, cells, records, notes)


def comparison_record(each: Comparison) -> dict[str, Any]:
    """Plain names and numbers."""
    pairing = each.pairing
    return {
        "first": pairing.first,
        "second": pairing.second,
        "suite": pairing.suite,
        "protocol": pairing.protocol,
        "tasks": len(pairing.tasks),
        "problems": len(set(pairing.clusters)),
        "epochs": pairing.epochs,
        "first_rate": each.first_rate,
        "first_low": each.first_interval[0],
        "first_high": each.first_interval[1],
        "second_rate": each.second_rate,
        "second_low": each.second_interval[0],
        "second_high": each.second_interval[1],
        "difference": each.difference,
        "difference_low": each.interval[0],
        "difference_high": each.interval[1],
        "both": each.both,
        "only_first": each.only_first,
        "only_second": each.only_second,
        "neither": each.neither,
        "test": each.test,
        "p_value": each.p_value,
        "p_adjusted": each.p_adjusted,
        "settled": each.settled,
        "tasks_needed": each.needed,
        "first_errors": pairing.first_errors,
        "second_errors": pairing.second_errors,
        "left_out": len(pairing.left_out),
        "words": each.words(),
    }


def standing_record(each: Standing) -> dict[str, Any]:
    """Plain names and numbers."""
    low, high = each.interval or (None, None)
    many, bounds = each.repeats, each.reach
    return {
        "suite": each.suite,
        "protocol": each.protocol,
        "suite_checksum": each.version,
        "agent": each.agent,
        "model": each.model,
        "group": each.group,
        "tasks": each.tasks,
        "attempts": each.attempts,
        "errors": each.errors,
        "graded": each.graded,
        "passed": each.passed,
        "rate": each.rate,
        "rate_low": low,
        "rate_high": high,
        "ceiling": bounds and bounds.ceiling,
        "floor": bounds and bounds.floor,
        "share_of_reachable": bounds and bounds.reached,
        "undecided": each.undecided,
        "passed_with_verifier": each.verified,
        "k": many and many.k,
        "pass_at_k": many and many.at_least_once,
        "pass_hat_k": many and many.every_time,
        "tokens": each.tokens,
        "tokens_per_pass": each.tokens_per_pass,
        "cost": each.cost,
        "cost_per_pass": each.cost_per_pass,
        "median_seconds": each.seconds,
    }


def common_k(rows: Sequence[Standing]) -> int:
    """The k of pass@k where it is one for all lines that have repeats, else 0.

    Those of different k do not compare, and with k = 1 it is the pass rate again.
    """
    found = {row.repeats.k for row in rows if row.repeats is not None}
    k = found.pop() if len(found) == 1 else 0
    return k if k > 1 else 0


def _leaderboard(rows: Sequence[Standing], by: str | None) -> Table:
    own = by in {None, "kind"}
    k = common_k(rows)
    columns: list[Column] = [
        ("agent", lambda r: r.agent, True),
        ("model", lambda r: r.model, any(r.model for r in rows)),
        ({"kind": "part"}.get(by or "", by or ""), lambda r: r.group, by is not None),
        ("tasks", lambda r: str(r.tasks), True),
        ("attempts", lambda r: str(r.attempts), any(r.attempts != r.tasks for r in rows)),
        ("errors", lambda r: str(r.errors), any(r.errors for r in rows)),
        (_HEADS.get(by or "", "passed"), lambda r: f"{r.passed}/{r.graded}", True),
        ("rate", lambda r: _percent(r.rate, r.graded), True),
        ("95 % CI", _interval, True),
        ("ceiling", lambda r: _percent(r.reach.ceiling if r.reach else None), _any(rows, own)),
        ("floor", lambda r: _percent(r.reach.floor if r.reach else None), _any(rows, own)),
        ("of reachable", lambda r: _percent(r.reach.reached if r.reach else None), _any(rows, own)),
        (f"pass@{k}", lambda r: _percent(r.repeats.at_least_once if r.repeats else None), k > 1),
        (f"pass^{k}", lambda r: _percent(r.repeats.every_time if r.repeats else None), k > 1),
        ("undecided", lambda r: str(r.undecided), own and any(r.undecided for r in rows)),
        ("verified", lambda r: "-" if r.verified is None else str(r.verified),
         own and any(r.verified is not None for r in rows)),
        ("tokens/attempt", lambda r: f"{r.tokens / r.attempts:,.0f}",
         own and any(r.tokens for r in rows)),
        ("cost", lambda r: f"{r.cost:,.2f}", own and any(r.cost for r in rows)),
        ("cost/pass", lambda r: "-" if r.cost_per_pass is None else f"{r.cost_per_pass:,.2f}",
         own and any(r.cost for r in rows)),
        ("median s", lambda r: "-" if r.seconds is None else f"{r.seconds:.3g}", own),
    ]  # fmt: skip
    shown = [column for column in columns if column[2]]
    cells = [[tell(row) for _, tell, _ in shown] for row in rows]
    first = rows[0]
    told = [f"protocol {first.protocol}"] if first.protocol else []
    told += [f"checksum {first.version[:12]}"] if first.version else []
    title = first.suite + (f" ({', '.join(told)})" if told else "")
    records = [standing_record(row) for row in rows]
    return Table(title, [name for name, _, _ in shown], cells, records, _notes(rows))


_HEADS = {"criterion": "met", "diagnosis": "failed so", "stop": "ended so"}


def _any(rows: Sequence[Standing], own: bool) -> bool:
    return own and any(row.reach is not None for row in rows)


def _notes(rows: Sequence[Standing]) -> list[str]:
    notes = []
    if any(row.errors for row in rows):
        notes.append("attempts that an error ended are counted apart and are in no rate")
    sizes = {(row.agent, row.model): row.tasks for row in rows if not row.group}
    if len(set(sizes.values())) > 1:
        notes.append("not all agents were run on as many tasks: their rates do not compare")
    return notes


def _apart(each: Comparison) -> list[str]:
    pairing = each.pairing
    sides = ((pairing.first, pairing.first_errors), (pairing.second, pairing.second_errors))
    found = [
        f"{_counted(errors, 'attempt')} of {name} on {pairing.suite} ended in an error and "
        f"{'is' if errors == 1 else 'are'} not counted"
        for name, errors in sides
        if errors
    ]
    if pairing.left_out:
        number = len(pairing.left_out)
        found.append(
            f"{_counted(number, 'task')} of {pairing.suite} {'is' if number == 1 else 'are'} left "
            f"out between {pairing.first} and {pairing.second} for that"
        )
    return found


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _interval(row: Standing) -> str:
    if row.interval is None:
        return "-"
    digits = 0 if row.graded < _FEW else 1
    return f"{100 * row.interval[0]:.{digits}f}–{100 * row.interval[1]:.{digits}f} %"


def _percent(share: float | None, graded: int = _FEW) -> str:
    return "-" if share is None else f"{100 * share:.{0 if graded < _FEW else 1}f} %"
