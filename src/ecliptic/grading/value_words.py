"""Words beside a value that contradict those of the gold: ``5 nT northward``, ``falls to 3 nT``.

Value and unit may agree while the sentence says the opposite. Only the clauses of the answer that
hold a number are looked at, and only words of the closed vocabulary, so that a word which the
gold does not use, or one that stands on both sides, decides nothing.
"""

from __future__ import annotations

import re

from ecliptic.grading.comparison import Comparison, different, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.paraphrase import exchanged, normal_form
from ecliptic.grading.wording import FILLER, NEGATIONS, opposites, plain_words

METHOD = "words beside the value"
_MAX_TEXT = 2000
_MAX_SENTENCE = 240
_END = re.compile(r"[.!?;](?=\s+\S)|\n\s*\S")
_MULTIPLES = (
    frozenset({"double", "doubled", "doubling", "twice"}),
    frozenset({"halve", "halved", "halves", "halving"}),
)
_PLACES = ({"above", "below"}, {"over", "under"}, {"inside", "outside"}, {"before", "after"})
_FORMULA = re.compile(r"\$[^$]{0,400}\$|\\\([^$]{0,400}?\\\)|\\\[[^$]{0,400}?\\\]")
_CLAUSE = re.compile(r"[.;:!?](?=\s|$)|,\s|\n")
_NUMBER = re.compile(
    r"[\d=≈<>]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half)\b", re.I
)
_POLAR = re.compile(r"^\W*(yes|no|true|false)\b(?!\.\s*\d)", re.I)
_STEP = re.compile(
    r"\b(?:increas|decreas|ris|rose|fall|fell|drop|grow|grew|reduc|climb|chang|sink|sank|declin)\w*"
    r"\s+(by|to|of)\s+(?:about\s+|only\s+|roughly\s+|approximately\s+)?[-−$]?\d",
    re.I,
)
_CONCLUSION = re.compile(
    r"[,;:.$]\s*(?:and\s+)?(?:so|hence|thus|therefore)\b[,:]?\s+([^.;\n]+)", re.I
)
_TURNED = frozenset({"opposite", "reverse", "contrary", "minus", "negative"})


def contradicted_beside(gold: str, answer: str, taken: str) -> Comparison | None:
    """A contradiction in the words around equal values, or ``None``.

    An answer of one sentence is read as a whole, of a longer one only what was ``taken`` from it.
    """
    answer = answer.strip()
    if not answer or len(answer) > _MAX_SENTENCE or _END.search(answer):
        answer = taken
    if max(len(gold), len(answer)) > _MAX_TEXT:
        return None
    if polar := _polarity(gold, answer):
        return polar
    wanted = _words(gold)
    if not wanted:
        return None
    held = [part for part in _CLAUSE.split(_FORMULA.sub(" 0 ", answer)) if _NUMBER.search(part)]
    given = _words(held[-1]) if held else []
    whole = _words(answer)
    if _TURNED.intersection(whole):
        return None
    if (
        steps := _other_conclusion(gold, answer)
        or _by_for_to(gold, answer)
        or _roles_exchanged(gold, answer)
    ):
        return steps
    for words in (given, whole if len(whole) == len(wanted) else []):
        if (
            opposite := opposites(wanted, words)
            or _multiplied(wanted, words)
            or _placed(wanted, words)
        ):
            _, left, right = opposite
            message = f"'{right}' where the gold says '{left}'"
            code = GradingDiagnosis.CONTRADICTION
            return different(code, message, method=METHOD, gold=left, answer=right)
    return _denial(wanted, whole)


def _other_conclusion(gold: str, answer: str) -> Comparison | None:
    """``$\\beta < 1$, so A dominates`` against ``$\\beta < 1$, so B dominates``."""
    wanted, given = _CONCLUSION.search(gold), _CONCLUSION.search(answer)
    if wanted is None or given is None or "$" in wanted[1] + given[1]:
        return None
    content = [set(plain_words(match[1])) - FILLER for match in (wanted, given)]
    if len(content[0]) < 2 or content[0] <= content[1]:
        return None
    message = f"the formula agrees; no rule can tell whether the answer concludes: {wanted[1]}"
    return undecided(GradingDiagnosis.UNDECIDED, message[:300], method=METHOD)


def _by_for_to(gold: str, answer: str) -> Comparison | None:
    """``drops by 20 nT`` against ``drops to 20 nT``."""
    ways = [
        {match[1].casefold().replace("of", "by") for match in _STEP.finditer(text)}
        for text in (gold, answer)
    ]
    if not all(ways) or ways[0] & ways[1]:
        return None
    left, right = (", ".join(sorted(way)) for way in ways)
    message = f"the answer says a change {right} this value, the gold a change {left} it"
    return different(GradingDiagnosis.CONTRADICTION, message, method=METHOD)


def _roles_exchanged(gold: str, answer: str) -> Comparison | None:
    """``A precedes B by 4 years`` against ``B precedes A by 4 years``."""
    if max(len(gold), len(answer)) > _MAX_SENTENCE:
        return None
    if not exchanged(normal_form(gold), normal_form(answer)):
        return None
    message = f"the roles in '{gold}' are exchanged"
    return different(GradingDiagnosis.SWAPPED, message, method=METHOD)


def _words(text: str) -> list[str]:
    return [word for word in plain_words(_FORMULA.sub(" 0 ", text)) if word.isalpha()]


def _multiplied(gold: list[str], answer: list[str]) -> tuple[str, str, str] | None:
    """``doubles every 10 nm`` against ``is halved every 10 nm``."""
    for one, other in (_MULTIPLES, _MULTIPLES[::-1]):
        left, right = one.intersection(gold), other.intersection(answer)
        if left and right and not one.intersection(answer):
            return "multiple", min(left), min(right)
    return None


def _placed(gold: list[str], answer: list[str]) -> tuple[str, str, str] | None:
    """The one word in which two sentences differ, where the two place a thing the other way."""
    if len(gold) != len(answer):
        return None
    pairs = [pair for pair in zip(gold, answer, strict=True) if pair[0] != pair[1]]
    return ("place", *pairs[0]) if len(pairs) == 1 and set(pairs[0]) in _PLACES else None


def _denial(wanted: list[str], given: list[str]) -> Comparison | None:
    """The gold's statement beside its value with a negation more or less."""
    content = {word for word in wanted if len(word) > 2} - FILLER - NEGATIONS
    denied = bool(NEGATIONS.intersection(wanted))
    if not content or not content <= set(given):
        return None
    if not denied:
        # The negation must stand at a word of the gold: "not northward" denies no "southward".
        places = [index for index, word in enumerate(given) if word in NEGATIONS]
        turned = any(content.intersection(given[place + 1 : place + 3]) for place in places)
    else:
        turned = len(content) > 1 and not NEGATIONS.intersection(given)
    if not turned:
        return None
    message = "what the gold says beside the value is " + ("affirmed" if denied else "denied")
    return different(GradingDiagnosis.CONTRADICTION, message, method=METHOD)


def _polarity(gold: str, answer: str) -> Comparison | None:
    wanted, given = _POLAR.match(gold), _POLAR.match(answer)
    if wanted is None or given is None:
        return None
    left, right = wanted[1].casefold(), given[1].casefold()
    if (left in {"yes", "true"}) == (right in {"yes", "true"}):
        return None
    code = GradingDiagnosis.CONTRADICTION
    return different(code, f"'{right}' for '{left}'", method=METHOD, gold=left, answer=right)
