"""Whether a sentence says a claim, and what in the rest of an answer takes it away again."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ecliptic.grading.claims import read_claim
from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.comparison import Comparison, different, same
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.paraphrase import agree, exchanged, named, normal_form, other_number
from ecliptic.grading.predicates import state_of_something
from ecliptic.grading.retractions import taken_back
from ecliptic.grading.sentences import sentences
from ecliptic.grading.wording import DOUBT, NEGATIONS, plain_words
from ecliptic.grading.work_budget import spend

MAX_SENTENCES = 60
PAIR = 200
"""Units of work to look for one claim in one sentence."""
MAX_CLAUSE = 400
"""A longer sentence is no plain statement of one claim."""
MAX_PHRASE = 6
"""Words of a gold answer that may be the name of a thing."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CONTRAST = re.compile(
    r"(?<=\w)(?:,\s+(?:and\s+|but\s+)?not\s|\s+but\s+not\s|,?\s+(?:rather than|instead of|"
    r"as opposed to)\s)",
    re.I,
)
_NOT_PLAIN = re.compile(
    r"\b(?:in|on|at|for|near|when|if|while|during|with|without|always|all|every|each|any|only"
    r"|necessarily|entirely|quite|really|usually|just|so|as|that|yet|much|by|under|inside|outside"
    r"|exactly|completely|alone|because|anywhere|everywhere|is|are|true|right|correct)\b",
    re.I,
)
_GLOSS = re.compile(r"(?<=\w)\s+\([A-Z]{2}[A-Za-z0-9]{0,6}\)(?=\W*$)")
"""An abbreviation in brackets at the end: ``kinetic waves (KAWs)``."""
_PRONOUN = re.compile(r"^\s*(?:it|they)\s+(?!is\b|are\b|was\b|were\b)", re.I)
_REASON = re.compile(r",?\s+(?:because|since|which\s+(?:is\s+)?(?:because|why))\s+(?!of\b)", re.I)


_ANOTHER = re.compile(
    r"\b(?:also|too|as well|alternatively|another|both|either|or|others?|likewise|equally"
    r"|vice versa|on the other hand)\b",
    re.I,
)


_CHANGES_AGAIN = re.compile(
    r"\b(?:it|they|these|this|both|former|latter|quantit(?:y|ies)|trends?|results?|first|second"
    r"|one|again|later|then|afterwards?|eventually|finally)\s+(?:\w+\s+){0,3}?(?:increas|decreas|ris"
    r"|grow|fall|drop|declin|chang|var|revers|stay|remain|go|becom|unchanged|constant|same)"
    r"|^\W*(?:increas|decreas|ris|grow|fall|drop|declin|revers|stay|remain)",
    re.I,
)
"""A pronoun or a time in front of a change: of what is said of it no more is known."""


def sentences_of(text: str) -> list[str]:
    """The sentences that hold a word."""
    parts = [part.strip() for part in _SENTENCE.split(text)]
    return [part for part in parts if re.search(r"\w", part)][:MAX_SENTENCES]


def without_contrast(sentence: str) -> str:
    """``X`` out of ``X, not Y``, unless what is denied limits X itself (``but not always``)."""
    match = _CONTRAST.search(sentence)
    if match is None:
        return sentence
    denied = sentence[match.end() :]
    if len(denied.split()) > 5 or _NOT_PLAIN.search(denied) or _CONTRAST.search(denied):
        return sentence
    return sentence[: match.start()]


def says(claim: str, sentence: str) -> Comparison | None:
    """``same`` where the sentence says the claim, ``different`` where it only exchanges roles.

    ``None`` leaves it open.
    """
    if max(len(claim), len(sentence)) > MAX_CLAUSE or sentence.rstrip("\"')* ").endswith("?"):
        return None
    wanted = normal_form(claim)
    phrase = len(clause_words(claim)) <= MAX_PHRASE
    turned = _only_denied(claim, sentence) if phrase else None
    for candidate in _candidates(claim, sentence):
        readings = [candidate, named(candidate)] if phrase else [candidate]
        if state := phrase and state_of_something(claim, candidate):
            readings.append(state)
        for reading in readings:
            given = normal_form(reading)
            if given.parts and agree(wanted, given):
                kind = "same words" if wanted.kind == given.kind == "words" else wanted.kind
                return same("the same claim", method=f"claim: {kind}")
            if exchanged(wanted, given):
                turned = turned or different(
                    GradingDiagnosis.SWAPPED,
                    f"the roles in '{claim}' are exchanged",
                    method=f"claim: {wanted.kind}",
                )
            elif number := other_number(wanted, given):
                turned = turned or different(
                    GradingDiagnosis.CONTRADICTION,
                    f"{number[1]} where the gold says {number[0]}",
                    method=f"claim: {wanted.kind}",
                    gold=number[0],
                    answer=number[1],
                )
    return turned


def _only_denied(claim: str, sentence: str) -> Comparison | None:
    """A name that stands in what a sentence denies: ``Y, not X`` for ``X``."""
    match = _CONTRAST.search(sentence)
    if match is None or clause_words(sentence[match.end() :]) != clause_words(claim):
        return None
    message = f"the answer says another thing and denies '{claim}'"
    return different(GradingDiagnosis.CONTRADICTION, message, method="claim: contrast")


def _candidates(claim: str, sentence: str) -> list[str]:
    """The sentence, and what is left of it without a reason, a contrast or a heading."""
    found = [sentence]
    plain = _GLOSS.sub("", without_contrast(sentence))
    if plain != sentence:
        found.append(plain)
    if not _PRONOUN.match(claim) and _PRONOUN.match(plain):
        found.append(_PRONOUN.sub("", plain))
    if reason := _REASON.search(plain):
        found.append(plain[: reason.start()])
    head, colon, rest = plain.partition(":")
    known = {*clause_words(claim), "it", "be", "so", "thus", "this", "that", "with", "answer"}
    if colon and set(clause_words(head)) <= known:
        found.append(rest)
    return found


def doubt_about(
    claims: Sequence[str],
    answer: str,
    parts: Sequence[str] | None = None,
    settled: Collection[str] = (),
    changes: Collection[str] = (),
) -> str | None:
    """What in an answer that makes the claims may take one away again, or ``None``.

    ``parts`` are its clauses, if they are cut out already; those ``settled`` make a claim.
    ``changes`` are claims for which other clauses with their subject are looked at elsewhere.
    """
    words = plain_words(answer)
    needed = {word for claim in claims for word in plain_words(claim)}
    doubtful = sorted(DOUBT.intersection(words) - needed)
    if doubtful:
        return f"the answer makes the claim and says '{doubtful[0]}': it may deny it"
    for index, part in enumerate(sentences(answer)):
        cue = taken_back(part, first=index == 0)
        if cue is not None:
            return f"'{cue.words[:60]}' may take the claim back"
    content = {word for claim in claims for word in read_claim(claim).content}
    for sentence in sentences_of(answer) if parts is None else parts:
        spend(PAIR * len(claims))
        if sentence in settled or any(says(claim, sentence) is not None for claim in claims):
            continue
        about = plain_words(sentence)
        shown = sentence[:60]
        if sentence.endswith("?"):
            return f"the question '{shown}' stands beside the claim"
        if len(about) <= 3 or (len(about) == 4 and not content.intersection(about)):
            return f"'{shown}' stands beside the claim and may take it away"
        if _ANOTHER.search(sentence):
            return f"'{shown}' may name another thing beside the claim"
        if any(_is_parallel(claim, sentence) for claim in claims if claim not in changes):
            return f"'{shown}' says much of the claim of another thing"
        if settled and _CHANGES_AGAIN.search(sentence):
            return f"'{shown}' may say how it goes on"
        if NEGATIONS.intersection(about) and (len(about) <= 6 or content.intersection(about)):
            return f"'{shown}' may deny the claim"
    return None


def _is_parallel(claim: str, sentence: str) -> bool:
    """Whether most words of the claim come again in a sentence that is not the claim."""
    wanted = set(clause_words(claim))
    return 2 * len(wanted & set(clause_words(sentence))) > len(wanted)
