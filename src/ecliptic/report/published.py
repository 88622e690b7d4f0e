"""Published figures, to stand beside ours, and where they come from.

Questions: Reasoning With a Star, accuracy in percent over its 158 records. Stars: Stargazer (Liu et
al. 2026, arXiv:2604.15664), pass rates in percent by tier.
"""

from __future__ import annotations

from collections.abc import Sequence

from ecliptic.analysis.leaderboards import Standing
from ecliptic.report.charts import Table

TIERS = ("easy", "medium", "hard", "real")
STARS: tuple[tuple[str, float | None, float | None, float | None, float | None], ...] = (
    ("classical pipeline", 95.0, 35.0, 5.0, None),
    ("nested sampling", 95.0, 32.5, 0.0, None),
    ("GPT-5.3-codex", 80.0, 30.8, 4.2, 0.0),
    ("GPT-5-mini", 76.7, 33.6, 2.5, 0.0),
    ("Gemini-3.1-Pro", 71.7, 35.0, 5.0, 0.0),
    ("Claude-Sonnet-4.6", 68.3, 22.5, 0.8, 0.0),
    ("GPT-5.2", 40.0, 30.0, 5.8, 0.0),
    ("o3-mini", 40.0, 24.2, 0.0, 0.0),
    ("Qwen-3.5-Plus", 26.7, 25.0, 1.6, 0.0),
    ("Kimi-K2.5", 13.3, 17.9, 0.8, 0.0),
)
QUESTIONS: tuple[tuple[str, str, float], ...] = (
    ("SCHEMA", "agents", 44.31),
    ("PHASE", "agents", 42.51),
    ("PACE", "agents", 41.92),
    ("HMAW", "agents", 39.52),
    ("Gemini 2.5 Pro", "single shot", 35.44),
    ("OSS 20B", "single shot", 32.91),
    ("OSS 120B", "single shot", 32.91),
    ("Llama 3.3", "single shot", 31.01),
    ("Mistral 24.11", "single shot", 27.22),
)
NOTE = (
    "Other tasks, other graders, other budgets: these figures stand side by side for orientation "
    "and do not compare. A difference between a row of ours and a published one says nothing about "
    "which agent is better."
)


def star_table(ours: Sequence[tuple[str, dict[str, Standing]]]) -> Table:
    """Ours by tier above the published ones."""
    rows: list[tuple[object, ...]] = []
    for name, by_tier in ours:
        cells = [percent(by_tier[tier].rate) if tier in by_tier else _NONE for tier in TIERS]
        rows.append((name, "here", *cells))
    rows += [(name, "published", *map(_published, figures)) for name, *figures in STARS]
    return Table(
        ("Agent", "Source", "Easy", "Medium", "Hard", "Real"), rows, "", frozenset(range(2, 6))
    )


def question_table(ours: Sequence[Standing]) -> Table:
    """Ours over all records above the published ones."""
    rows: list[tuple[object, ...]] = [(arm_of(each), "here", percent(each.rate)) for each in ours]
    rows += [(name, f"published, {how}", _published(value)) for name, how, value in QUESTIONS]
    return Table(("Agent", "Source", "Accuracy"), rows, "", frozenset({2}))


def arm_of(standing: Standing) -> str:
    """The agent with its model, as :attr:`ecliptic.analysis.Attempt.arm` says it."""
    return f"{standing.agent} ({standing.model})" if standing.model else standing.agent


def percent(rate: float | None) -> tuple[str, str]:
    """A share as text, and what to sort it by."""
    return _NONE if rate is None else (f"{100 * rate:.0f} %", f"{rate:.6f}")


_NONE = ("–", "")


def _published(value: float | None) -> tuple[str, str]:
    return _NONE if value is None else (f"{value:g} %", f"{value / 100:.6f}")
