"""Damage to the text itself: what is empty, cut short, or was eaten by an escape sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.helio.gold_audit.findings import Check, Finding, Severity
from ecliptic.helio.gold_audit.mathematics import (
    formulas_in,
)
from ecliptic.helio.records import Record

_EATEN = {
    "\t": ("t", "heta|au|imes|ext|extrm|an|anh|ilde|o|op|riangle|frac|hinspace"),
    "\f": ("f", "rac|orall|lat"),
    "\b": ("b", "eta|ar|egin|oldsymbol|ig|igl|igr|f|oxed|inom|ot|ullet"),
    "\r": ("r", "ho|ight|m|angle|ightarrow|vert"),
    "\a": ("a", "lpha|pprox|rctan|st|rcsin|rccos"),
    "\v": ("v", "ec|arepsilon|arphi|artheta|ert|arpropto"),
    "\n": ("n", "abla|u|eq|otag|onumber|ot"),
}
"""Control character -> the letter it came from, and what is left of commands behind it."""
_EATEN_COMMAND = re.compile(
    "|".join(rf"{re.escape(mark)}(?:{rest})(?![a-z])" for mark, (_, rest) in _EATEN.items())
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffd]")
_COMMANDS = (
    "frac|tfrac|dfrac|sqrt|mathrm|mathbf|mathcal|boldsymbol|textrm|times|cdot|left|right|quad|"
    "qquad|partial|nabla|infty|approx|odot|oplus|circ|ldots|dots|propto|parallel|perp|langle|"
    "rangle|ell|hbar|alpha|beta|gamma|delta|epsilon|varepsilon|zeta|theta|vartheta|iota|kappa|"
    "lambda|sigma|upsilon|omega|varphi|Gamma|Delta|Theta|Lambda|Sigma|Upsilon|Omega"
)
_SHORT_COMMANDS = (
    "mu|nu|xi|pi|eta|rho|tau|phi|chi|psi|Xi|Pi|Phi|Psi|ln|sin|cos|tan|cosh|sinh|tanh|sech|exp|int|"
    "sum|hat|bar|dot|vec|sim|text|over|rm|leq|geq|neq|ll|gg"
)
_BARE_COMMAND = re.compile(rf"(?<![\\A-Za-z])({_COMMANDS})(?![A-Za-z])")
_BARE_SHORT = re.compile(rf"(?<![\\A-Za-z_^])({_SHORT_COMMANDS})(?![A-Za-z])")
"""They may also be products of letters, so the record itself must use the command elsewhere."""
_UPRIGHT = re.compile(
    r"\\(?:text|textrm|textbf|textit|mathrm|mathbf|mathsf|mathit|operatorname|mbox|label|tag|ref|"
    r"begin|end|rm|it|bf|si|SI|unit|qty)\*?\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|(?=\b))|"
    r"\{\\(?:rm|it|bf)\b[^{}]*\}|_\{?\\(?:rm|mathrm)[^{}]*\}?"
)
_SHOWN = 60


def check_text(record: Record) -> Iterator[Finding]:
    """Faults that can be seen without understanding the record."""
    if not record.question.strip():
        yield _finding(record, "error", "The question is empty.", "Write the question.", {})
    if not any(step.strip() for step in record.step):
        yield _finding(
            record,
            "warning",
            "There are no steps, so nothing shows where the final comes from.",
            "Add the worked solution.",
            {},
        )
    if not record.final.strip():
        yield _finding(record, "error", "The final is empty.", "Write the final answer.", {})
    for place, text in texts_of(record):
        yield from _faults(record, place, text)


def texts_of(record: Record) -> Iterator[tuple[str, str]]:
    """(place, text) of all that a record tells."""
    for number, text in enumerate(record.preamble, 1):
        yield f"preamble {number}", text
    yield "question", record.question
    yield "hint", record.hint
    for number, text in enumerate(record.step, 1):
        yield f"step {number}", text
    yield "final", record.final


def _faults(record: Record, place: str, text: str) -> Iterator[Finding]:
    eaten = _EATEN_COMMAND.search(text)
    if eaten is not None:
        command = "\\" + _EATEN[eaten[0][0]][0] + eaten[0][1:]
        yield _finding(
            record,
            "error",
            f"In the {place} the backslash of {command} was read as an escape sequence.",
            f"Write {command} with a doubled backslash in the JSON.",
            {"place": place, "text": _around(text, eaten.start())},
        )
    elif control := _CONTROL.search(text):
        yield _finding(
            record,
            "error" if place in ("final", "question") else "warning",
            f"The {place} holds the control character {control[0]!r}.",
            "Remove it, or write the LaTeX command that it came from.",
            {"place": place, "text": _around(text, control.start())},
        )
    if len(re.findall(r"(?<!\\)(?:\\\\)*\$", text)) % 2:
        yield _finding(
            record,
            "error",
            f"In the {place} a dollar sign has no partner.",
            "Close the formula, or write \\$ for a sign of its own.",
            {"place": place},
        )
        return
    whole = "\n".join(told for _, told in texts_of(record))
    for stated in formulas_in(text):
        yield from _formula_faults(record, place, stated.text, whole)


def _formula_faults(record: Record, place: str, formula: str, whole: str) -> Iterator[Finding]:
    bare = re.sub(r"\\\\|\\[{}]", "", formula)
    shown = formula[:_SHOWN]
    if bare.count("{") != bare.count("}"):
        yield _finding(
            record,
            "error",
            f"In the {place} the braces of {shown} are not balanced.",
            "Close or remove the odd brace.",
            {"place": place, "formula": formula},
        )
    if len(re.findall(r"\\left(?![a-z])", formula)) != len(
        re.findall(r"\\right(?![a-z])", formula)
    ):
        yield _finding(
            record,
            "warning",
            f"In the {place} \\left and \\right of {shown} do not pair.",
            "Give each \\left its \\right.",
            {"place": place, "formula": formula},
        )
    words = _UPRIGHT.sub(" ", formula)
    lost = [match[1] for match in _BARE_COMMAND.finditer(words)]
    lost += [
        match[1]
        for match in _BARE_SHORT.finditer(words)
        if re.search(rf"\\{match[1]}(?![A-Za-z])", whole)
    ]
    if lost:
        yield _finding(
            record,
            "error",
            f"In the {place} {lost[0]} has lost its backslash.",
            f"Write \\{lost[0]}.",
            {"place": place, "formula": formula},
        )


def _around(text: str, position: int) -> str:
    return repr(text[max(position - 20, 0) : position + 20])[1:-1]


def _finding(
    record: Record, severity: Severity, message: str, fix: str, evidence: dict[str, object]
) -> Finding:
    return Finding(record.id, Check.TEXT, severity, message, fix, evidence)
