"""Mutated golds and answers for ``ECLIPTIC_FUZZ_SECONDS`` (600); run with ``-m fuzz``.

``ECLIPTIC_FUZZ_SEED`` (0) chooses the stream; the same seed makes the same texts in the same order.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from ecliptic.grading import grade, worker

HELD_OUT = Path(__file__).with_name("held_out_pairs.jsonl")
SECONDS = 2.0
"""What one answer may take of the processor, so that other programs do not count."""
MOST_SHOWN = 20
KINDS = (None, None, None, "numeric", "symbolic", "textual", "structured")
FRAGMENTS = (
    r"\frac{", "}", "{", r"\left(", r"\right)", "(", ")", "^", "_", "^{", "_{", "$", "$$", r"\[",
    r"\]", r"\boxed{", r"\int_0^\infty ", r"\sum_{n=1}^{10^{9}} ", r"\prod_{k=1}^{n} ", r"\sqrt[",
    r"\sqrt{", r"\nabla\times ", r"\partial_t ", r"\mathrm{", r"\text{", r"\begin{cases}",
    r"\end{cases}", r"\begin{pmatrix}", "&", r"\\", "10^{99999}", "9^{9^{9^{9}}}", "1e-400", "1/0",
    "!", "'", "~", "%", "+-", "--", "±", "=", "<", r"\pm", "nan", "inf", "-", "+", "/", ",", ";",
    r"\ln ", r"\sin^{-1}", r"\exp(", r"\frac{d}{dx}", r"\lim_{x\to 0}", r"\def\x{", "km/s",
    r"\,\mathrm{cm^{-3}}", "Answer:", "or", " not ", '{"value": ', "```", "**", "\n\n", "\x00", "π",
)  # fmt: skip
RANGES = ((0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x3FF), (0x2000, 0x22FF), (0x0, 0x10FFFF))
"""Printable ASCII, accents, Greek, mathematical signs; then anything, lone surrogates too."""


def character(rng: random.Random) -> str:
    return chr(rng.randint(*rng.choice(RANGES)))


def cut(text: str, rng: random.Random) -> tuple[str, str, str]:
    """The text in three; the middle is short as a rule."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((1, 1, 2, 4, 12, 80)))
    return text[:start], text[start:end], text[end:]


def deleted(text: str, other: str, rng: random.Random) -> str:
    before, _, behind = cut(text, rng)
    return before + behind


def repeated(text: str, other: str, rng: random.Random) -> str:
    before, middle, behind = cut(text, rng)
    return before + middle * rng.choice((2, 2, 3, 30, 300)) + behind


def reversed_part(text: str, other: str, rng: random.Random) -> str:
    before, middle, behind = cut(text, rng)
    return before + middle[::-1] + behind


def inserted(text: str, other: str, rng: random.Random) -> str:
    before, middle, behind = cut(text, rng)
    return before + rng.choice(FRAGMENTS) + middle + behind


def noised(text: str, other: str, rng: random.Random) -> str:
    before, middle, behind = cut(text, rng)
    return before + "".join(character(rng) for _ in middle) + behind


def spliced(text: str, other: str, rng: random.Random) -> str:
    return cut(text, rng)[0] + "".join(cut(other, rng)[1:])


def nested(text: str, other: str, rng: random.Random) -> str:
    opening, closing = rng.choice((("(", ")"), ("{", "}"), (r"\sqrt{", "}"), (r"\frac{1}{", "}")))
    times = rng.choice((1, 2, 10, 100))
    before, middle, behind = cut(text, rng)
    return before + opening * times + middle + closing * times + behind


def digits_changed(text: str, other: str, rng: random.Random) -> str:
    return "".join(rng.choice("0123456789") if sign in "0123456789" else sign for sign in text)


def joined(text: str, other: str, rng: random.Random) -> str:
    return text + rng.choice((" ", ", ", " = ", " or ", "\n\n", " + ")) + other


def noise(text: str, other: str, rng: random.Random) -> str:
    return "".join(character(rng) for _ in range(rng.randint(1, 60)))


MUTATIONS: tuple[Callable[[str, str, random.Random], str], ...] = (
    deleted, repeated, reversed_part, inserted, inserted, inserted, noised, spliced, nested,
    digits_changed, joined, noise,
)  # fmt: skip


def mutated(text: str, texts: list[str], rng: random.Random) -> str:
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 6))):
        text = rng.choice(MUTATIONS)(text, rng.choice(texts), rng)
    return text


def fault_of(
    gold: str, answer: str, counts: Counter[str], kind: str | None = None, *, again: bool = False
) -> str:
    """What is wrong with one grade, or nothing."""
    begin = time.thread_time()
    try:
        verdict = grade(gold=gold, answer=answer, type=kind)
    except Exception as error:  # noqa: BLE001  a fault to be listed with its texts
        return f"{type(error).__name__}: {error}"
    seconds = time.thread_time() - begin
    counts[verdict.outcome] += 1
    counts["over 2 s"] += seconds > SECONDS
    counts["longest, ms"] = max(counts["longest, ms"], round(1000 * seconds))
    if verdict.outcome not in ("correct", "incorrect", "undecided"):
        return f"outcome {verdict.outcome!r}"
    if seconds > SECONDS:
        return f"{seconds:.2f} s"
    if again and grade(gold=gold, answer=answer, type=kind).outcome != verdict.outcome:
        return f"{verdict.outcome} is not the outcome a second time"
    if gold == answer and verdict.outcome != "correct":
        return f"a gold does not equal itself: {verdict.outcome}"
    json.dumps(verdict.to_dict(), allow_nan=False)
    return ""


@pytest.mark.fuzz
def test_mutated_texts_are_graded(record_property: Callable[[str, object], None]) -> None:
    seed = int(os.environ.get("ECLIPTIC_FUZZ_SEED", "0"))
    end = time.monotonic() + float(os.environ.get("ECLIPTIC_FUZZ_SECONDS", "600"))
    rng = random.Random(seed)
    lines = HELD_OUT.read_text("utf-8").splitlines()
    pairs = [(pair["gold"], pair["pred"]) for pair in map(json.loads, lines)]
    texts = [text for pair in pairs for text in pair]
    counts: Counter[str] = Counter()
    faults: list[str] = []
    worker.prepare("ecliptic.grading.simplify_worker")
    grade(gold="$x$", answer="$x$")  # imports are no part of an answer's time
    while time.monotonic() < end and len(faults) < MOST_SHOWN:
        gold, answer = rng.choice(pairs)
        gold = gold if rng.random() < 0.5 else mutated(gold, texts, rng)
        if not gold.strip():
            continue  # an empty gold is the user's mistake
        for given in (mutated(answer, texts, rng), gold):
            counts["grades"] += 1
            kind = rng.choice(KINDS)
            fault = fault_of(gold, given, counts, kind, again=rng.random() < 0.05)
            if fault:
                faults.append(f"{fault} ({kind})\n  gold   {gold!r}\n  answer {given!r}")
    for name, count in counts.items():
        record_property(name, count)
    print(dict(counts))  # noqa: T201  shown by -s, and beside a failure
    assert counts["grades"] > 0
    assert not faults, f"seed {seed}, {counts['grades']} grades:\n" + "\n".join(faults)
