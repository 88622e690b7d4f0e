r"""What a formula concludes: the last side of a chain, the last of several rows."""

from __future__ import annotations

import re
from decimal import Decimal

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.helio.ingest.asked import Asked
from ecliptic.helio.ingest.formulas import find_formulas, split_rows
from ecliptic.helio.ingest.groups import read_group

BOX = re.compile(r"\\(?:boxed|fbox|framebox|ovalbox)(?![A-Za-z])\s*")
RELATION = re.compile(
    r"\\(?:approx|simeq|sim|cong|equiv|doteq|propto|leq?|geq?|lesssim|gtrsim|ll|gg|"
    r"to)(?![A-Za-z])|(?<![\\!<>])[=<>≈≃∼≤≥∝]"
)
_ARROW = re.compile(
    r"\\(?:Rightarrow|Longrightarrow|implies|therefore|Leftrightarrow|iff|longrightarrow|"
    r"rightarrow)(?![A-Za-z])|[⇒∴]"
)
_DEFINITION = re.compile(r",\s*(?:\\q?quad|\\ |\\text\{)")


def conclusion(text: str, asked: Asked) -> str:
    r"""What a formula concludes, in dollar signs.

    ``E = a = b`` gives ``E = b``, or ``b`` alone if that is a quantity. Of several rows the last
    counts, of a chain of arrows what stands behind the last one; a definition behind ``, \quad``
    stays with its equation.
    """
    spans = find_formulas(text)
    if not spans and "$" not in text:
        body = text if "\\" in text or re.search(r"[=^_]", text) else ""
        if not body:
            return text.strip().rstrip(".")
    elif (
        spans and len(spans) == 1 and spans[0].start == 0 and not text[spans[0].end :].strip(" .,;")
    ):
        body = text[spans[0].inner_start : spans[0].inner_end]
    elif spans:
        return text.strip().rstrip(".,;")
    else:
        body = text.strip("$")
    body = re.sub(r"\\tag\*?\{[^{}]*\}", "", body)
    if (box := BOX.search(body)) and (group := read_group(body, box.end())):
        body = body[: box.start()] + group[0] + body[group[1] :]
    left = ""
    wrapped = re.fullmatch(
        r"\s*\\begin\{(aligned|gathered|split)\}(.*)\\end\{\1\}\s*([.,;]?)\s*", body, re.DOTALL
    )
    if wrapped:
        rows = [re.sub(r"(?<!\\)&", "", row).strip() for row in split_rows(wrapped[2])]
        if wrapped[1] != "gathered":
            left = next((sides_of(row)[0] for row in rows if sides_of(row)[0]), "")
        body = rows[-1] if rows else ""
    body = trimmed(body)
    arrows = list(_ARROW.finditer(body))
    if arrows and body[arrows[-1].end() :].strip():
        body = trimmed(body[arrows[-1].end() :])
    if _DEFINITION.search(body):
        return f"${body}$"
    sides = sides_of(body)
    if len(sides) == 1:
        return f"${body}$"
    left = sides[0] or left
    right = trimmed(sides[-1])
    if one_quantity(f"${right}$") is not None and asked.types[:1] != ("symbolic",):
        return f"${right}$"
    relation = _last_relation(body)
    return f"${left} {relation} {right}$" if left else f"${body}$"


def trimmed(body: str) -> str:
    """A formula without space and punctuation around it."""
    body = re.sub(r"^(?:\s|\\[ ,;:!]|\\q?quad)+|(?:\s|\\[ ,;:!]|\\q?quad)+$", "", body)
    return re.sub(r"(?:\s|\\[ ,;])*(?<!\\)[.,;]$", "", body)


def sides_of(body: str) -> list[str]:
    """Sides of the relations outside braces and brackets."""
    sides: list[str] = []
    at = 0
    for match in _outer_relations(body):
        sides.append(body[at : match[0]].strip())
        at = match[1]
    sides.append(body[at:].strip())
    return sides


def _last_relation(body: str) -> str:
    relations = [body[start:end] for start, end in _outer_relations(body)]
    if all(relation in ("=", r"\equiv") for relation in relations):
        return "="
    other = [r for r in relations if r not in ("=", r"\equiv")]
    return other[-1]


def _outer_relations(body: str) -> list[tuple[int, int]]:
    depth = 0
    found = []
    for match in re.finditer(
        rf"(?P<relation>{RELATION.pattern})|\\[A-Za-z]+|\\.|[{{}}()\[\]]", body
    ):
        token = match[0]
        if token in "{([":
            depth += 1
        elif token in "})]":
            depth = max(depth - 1, 0)
        elif match["relation"] and depth == 0 and token != r"\to":
            found.append(match.span())
    return found


def one_quantity(text: str) -> tuple[Decimal, tuple[float, object] | None] | None:
    """Value and unit (factor and dimension) of a text that states one quantity."""
    from ecliptic.grading.quantities import read_quantities

    try:
        read = read_quantities(text).quantities
    except ParseFailure:
        return None
    if len(read) != 1:
        return None
    unit = read[0].unit
    return read[0].value, None if unit is None else (float(unit.factor), unit.exponents)
