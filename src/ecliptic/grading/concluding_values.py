"""The value that running text concludes with, told by the grammar of its sentences.

"Using n = 5 cm^-3 and B = 67 nT one finds 0.031, well below 1" states one value, 0.031. The sought
dimension plays no part: it would find a value in any sentence. Where two numbers stay, none is
chosen.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from ecliptic.grading.measures import Options, number_and_unit
from ecliptic.grading.notation import plain
from ecliptic.grading.number_chains import FACTOR, Chain, number_chains
from ecliptic.grading.outcomes import dimension, settle_outcomes, settle_supposed
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantity_names import name_in
from ecliptic.grading.remarks import TURNED_ROUND
from ecliptic.grading.sentence_roles import (
    Role,
    announced,
    first_cue,
    is_denied,
    is_joiner,
    opens_with_inputs,
    role,
)
from ecliptic.grading.sentences import sentences, without_bold

MOST_SENTENCES = 8
"""Sentences of mere comparison behind the conclusion that are passed over."""

_COMPARED = re.compile(
    r"\s*,\s*(?:(?:much|far|well|slightly|somewhat|clearly|a little|about) )?(?:more|less|larger"
    r"|smaller|faster|slower|higher|lower|greater|shorter|longer|stronger|weaker|hotter|colder"
    r"|above|below|compared|half (?:of )?(?:the|that)"
    r"(?! (?:\w+ )?(?:value|answer|result)\b))\b(?! (?:or|than) (?:less|more|that)\b)"
)
_REMARK = re.compile(
    r"\W*(?:note\b|remark\b|incidentally|by the way|observations? (?:show|give|find)|in reality)",
    re.I,
)

_OR = re.compile(r"\bor\b")
_DIFFERENCE = re.compile(
    r"\s*-?\s*(?:too|off|less|more|smaller|larger|lower|higher|greater|slower|faster|shorter|longer"
    r"|below|above|apart|multiplied|divided|squared|cubed|per|short|ahead|earlier|later|before"
    r"|after|wide of|away|minus|plus|or (?:so|more|less)|/)\b",
    re.I,
)
_CONCLUDES = re.compile(
    r"\b(?:this|so|thus|hence|therefore|then|altogether|in total|final(?:ly)?|in the end"
    r"|overall)\b",
    re.I,
)
_ASKED = re.compile(
    r"\b(?<!not )(?<!n't )(?<!n′t )(?:asked(?: for)?|requested|sought(?: after)?"
    r"|(?:we|you|was|is) (?:want(?:ed)?|looking for)|in question|to be (?:found|determined))\b"
    r"[^,;\d]*$",
    re.I,
)
"""Words that say which of several values is the answer."""
_COVERS = re.compile(
    r"\b(?:covers?|crosse?s?|travels?|traverses?|passes|moves)\s+(?:about\s+)?$", re.I
)
_IN = re.compile(r"\s+in\s+(?:about\s+|roughly\s+|some\s+)?", re.I)
_OTHER_ROOT = re.compile(r"\(\s*(?:the |an? )?(?:other|second) (?:root|solution)\b[^()]*$", re.I)
_LIST = re.compile(r"\s*,\s*")
_AND = re.compile(r"[;]|\band\b|\bwhile\b", re.I)
_WHILE = re.compile(r"\s*,?\s*(?:while|whereas)\b(?![^=≈]*\b(?:if|when|for)\b)", re.I)
"""``v_1 = 300 km/s while v_2 = 700 km/s``: values side by side."""
_PROSE = re.compile(r"(?<![\w\\/^])[A-Za-z]{3,}(?![\w/^])")
_WORDS = re.compile(r"[^\W\d_]{2,}")


def _is_sentence(line: str) -> bool:
    return len(_PROSE.findall(line)) > 1


@lru_cache(maxsize=512)
def concluding_value(text: str, *, decimal_comma: bool = False) -> str:
    """The concluding value of a text with several numbers, as a short answer; else nothing."""
    if len(_PROSE.findall(text)) < 2:
        return ""
    try:
        return _concluded(text, Options(decimal_comma, True))
    except ParseFailure:
        return ""


def _concluded(text: str, options: Options) -> str:
    parts = sentences(text)
    for turn, part in enumerate(reversed(parts[-MOST_SENTENCES:])):
        line = plain(without_bold(text[part.start : part.end])).rstrip(" .,;")
        if not _is_sentence(line):
            return ""
        chains = number_chains(line, options)
        if not chains:
            if turn == 0 and re.search(r"\d|[=<>≈]", line) and len(parts) == 1:
                return ""
            continue
        _tell_roles(line, chains)
        if all(one.role is Role.ASIDE for one in chains):
            continue
        if _REMARK.match(line) and any(re.search(r"\d", text[p.start : p.end]) for p in parts[:-1]):
            continue
        if len(chains) == 1 and turn == 0 and len(re.findall(r"\d[\d.]*", line)) == 1:
            apart = _is_second_half(text, part.start) and chains[0].role is Role.RESULT
            if not apart and not _COMPARED.match(line, chains[0].end):
                return ""
        if _is_second_half(text, part.start) and not _CONCLUDES.search(line):
            first = parts[max(len(parts) - turn - 2, 0)]
            if _states_a_value(plain(without_bold(text[first.start : first.end]))):
                return ""
        return _chosen(line, chains)
    return ""


def _is_second_half(text: str, start: int) -> bool:
    return text[:start].rstrip().endswith(";")


def _states_a_value(line: str) -> bool:
    """Whether the half of a sentence in front of a semicolon states a value of its own."""
    line = line.rstrip(" .,;")
    chains = number_chains(line, Options(False, True))
    _tell_roles(line, chains)
    return any(chain.role is not Role.ASIDE for chain in chains)


def _tell_roles(line: str, chains: list[Chain]) -> None:
    shown, kept = "", 0
    previous: Chain | None = None
    for chain in chains:
        gap = line[kept : chain.start]
        shown += gap
        chain.denied = is_denied(shown)
        inside = chain.depth > 0
        if inside and not (previous and re.fullmatch(r"\s*\(\s*[=≈]?\s*", gap)):
            chain.role = Role.PLAIN if _OTHER_ROOT.search(gap) else Role.ASIDE
        elif inside:
            chain.role = Role.AGAIN
        else:
            chain.role = role(
                shown,
                gap,
                previous.role if previous else None,
                denied=previous.denied if previous else False,
            )
            previous = chain
        if chain.denied:
            chain.role = Role.ASIDE
        chain.choice = _OR.search(gap) is not None
        shown += "0"
        kept = chain.end
    _end_of_inputs(line, chains)
    settle_supposed(line, chains)
    settle_outcomes(chains)
    for first, second in pairwise(chains):
        if (
            second.role is Role.ASIDE
            and first.role in (Role.RESULT, Role.PLAIN)
            and first.label
            and second.label
            and first.label != second.label
            and first.units[-1] is not None
            and first.units[-1:] == second.units[-1:]
            and _WHILE.match(line, first.end)
        ):
            second.role = first.role
    for way, time, again in zip(chains, chains[1:], chains[2:], strict=False):
        # "covers 1 AU in 499 s, which is 8.3 min": what is said once more is the result
        if (
            again is chains[-1]
            and (way.role, time.role, again.role) == (Role.PLAIN, Role.ASIDE, Role.AGAIN)
            and _COVERS.search(_in_front(line, chains, way))
            and _IN.fullmatch(_in_front(line, chains, time))
            and not (way.denied or time.denied)
        ):
            way.role, time.role = Role.ASIDE, Role.RESULT


def _end_of_inputs(line: str, chains: list[Chain]) -> None:
    """``With a = 1 and b = 2, c = 3``: a labelled value behind the inputs is none of them."""
    if (
        not chains
        or any(chain.role is not Role.ASIDE for chain in chains)
        or not opens_with_inputs(line)
    ):
        return
    run = [chains[0]]
    for chain in chains[1:]:
        if not is_joiner(line[run[-1].end : chain.start]):
            break
        run.append(chain)
    if len(run) < 2 or not run[-1].label or run[-1].denied:
        return
    if _LIST.fullmatch(line[run[-2].end : run[-1].start]):
        run[-1].role = Role.RESULT


def _chosen(line: str, chains: list[Chain]) -> str:
    """The reading of the one value that is left, or of several with a label each."""
    if any(chain.role is Role.BOUND for chain in chains):
        return ""
    groups: list[list[Chain]] = []
    aside = False
    for chain in chains:
        if chain.role is Role.AGAIN and groups and not aside:
            groups[-1].append(chain)
        elif chain.role in (Role.RESULT, Role.PLAIN):
            groups.append([chain])
        aside = chain.role is Role.ASIDE or (aside and chain.role is Role.AGAIN)
    asked = [group for group in groups if _ASKED.search(_in_front(line, chains, group[0]))]
    if len(asked) == 1:
        groups = asked
    results = [group for group in groups if group[0].role is Role.RESULT]
    if not results:
        results = groups
    elif len(results) == 1:
        others = [group[0] for group in groups if group is not results[0]]
        for other in others:
            if other.start > results[0][0].start:
                return ""
            if _another_clause(line, chains, other, results[0][0]):
                return ""
    labels = {group[0].label for group in results}
    kinds = {dimension(group[0]) for group in results}
    apart = any(group[0].outcome for group in results) and len(kinds) == len(results)
    if any(_is_of(chain, group[0]) for chain in chains if chain.denied for group in results):
        return ""
    named = len(labels) == len(results) and "" not in labels
    if not results or (len(results) > 1 and not named and not apart):
        return ""
    readings = [_reading(line, chains, group) for group in results]
    return ", ".join(readings) if all(readings) else ""


def _is_of(first: Chain, second: Chain) -> bool:
    """Whether two chains end in one value: what is denied is not stated."""
    values = [
        number_and_unit(chain.values[-1], 0, Options(False, True))[0] for chain in (first, second)
    ]
    return values[0].value == values[1].value and values[0].unit == values[1].unit


def _in_front(line: str, chains: list[Chain], chain: Chain) -> str:
    place = chains.index(chain)
    return line[chains[place - 1].end if place else 0 : chain.start]


def _another_clause(line: str, chains: list[Chain], first: Chain, last: Chain) -> bool:
    """Whether "and" or the like between two numbers begins a clause, not a list."""
    between = chains[chains.index(first) : chains.index(last) + 1]
    gaps = [line[a.end : b.start] for a, b in pairwise(between)]
    return any(_AND.search(gap) and not is_joiner(gap) for gap in gaps)


def _reading(line: str, chains: list[Chain], group: list[Chain]) -> str:
    first, last = group[0], group[-1]
    before = _in_front(line, chains, first)
    if TURNED_ROUND.search(re.sub(r"\b\w+-\w+", "", announced(before))):
        return ""
    following = [chain.start for chain in chains if chain.start >= last.end]
    rest = line[last.end : min(following, default=len(line))]
    if last.depth:
        rest = rest.lstrip(" )")
    if _DIFFERENCE.match(rest) or FACTOR.match(rest):
        return ""
    cut = re.split(r"[,;()]|\b(?:and|or|but)\b", rest, maxsplit=1)[0]
    cut = cut[: first_cue(cut)].strip()
    label = first.label.split("=")[0].split("≈")[0].strip()
    name = "" if label else name_in(re.split(r"[,;:.]\s", before)[-1])
    text = f"{label} = " if label else f"{name} " if name else ""
    for chain in group:
        if chain is not first:
            other = chain.units[-1:] != first.units[-1:]  # 0.07, or 7 %
            text += " or " if chain.choice and not other else " = "
        text += " = ".join(chain.values)
    return f"{text} {cut}".strip() if last.bare and _WORDS.search(cut) else text
