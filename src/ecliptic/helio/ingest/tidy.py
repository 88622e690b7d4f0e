r"""LaTeX of a region as a record states it: prose without layout, formulas in dollar signs.

Every display becomes ``$$ ... $$`` (several rows: ``aligned``), every formula of a line ``$...$``.
Spellings that only OCR tools use are made common ones. Nothing is reworded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from ecliptic.helio.ingest.formulas import Span, find_formulas, split_rows
from ecliptic.helio.ingest.references import LABEL, REFERENCE
from ecliptic.helio.ingest.source import count_breaks, substitute, with_breaks

Note = Callable[[int, str, str], None]
"""Takes the offset in the region, the kind and the message of a to-do item."""

_FUNCTIONS = (
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan exp ln log max min det lim"
)
_OPERATOR = re.compile(rf"\\operatorname\*?\s*\{{\s*({'|'.join(_FUNCTIONS.split())})\s*\}}(\s?)")
_MATH = tuple(
    (re.compile(old), new)
    for old, new in (
        (r"\\(?:nonumber|notag|displaystyle|allowbreak|nolimits)(?![A-Za-z])\s?", ""),
        (r"\\(?:v|h)space\*?\s*\{[^{}]{0,20}\}", " "),
        (r"\\(mathrm|text|mathbf|mathit|mathcal|operatorname)\s+\{", r"\\\1{"),
        (r"\s*\\mathrm\{\s*~\s*", r"\\ \\mathrm{"),
        (r"\\text\{\s+([^{}]*?)\s*\}", r"\\ \\text{\1}"),
        (r"\^\s*\{\s*(-?\s*\d+)\s*\}", lambda m: "^{" + m[1].replace(" ", "") + "}"),
        (r"(?<=\d)\s+(?=\d{3}(?!\d))", r"\\,"),
    )
)
_SPACED_LETTERS = re.compile(r"\\mathrm\{([A-Za-z]{1,3}(?: [A-Za-z]{1,3}){1,8})\}")
_DELIMITERS = re.compile(r"\\(left|right)(?![A-Za-z])\s*(\.|\\[A-Za-z]+|\\.|.)", re.DOTALL)

_ARGUMENT = r"\s*\{((?:[^{}]|\{[^{}]*\}){0,4000})\}"
_FONTS = re.compile(
    r"\\(?:textbf|textit|emph|underline|uline|textsc|textrm|textsf|textsl|texttt|mbox|hbox|textup|"
    r"textmd|textnormal|textcolor\s*\{[^{}]*\}|parbox\s*\{[^{}]*\})" + _ARGUMENT
)
_OLD_FONTS = re.compile(
    r"\{\s*\\(?:bf|it|rm|sc|sl|sf|tt|em|bfseries|itshape|scshape|small|large|Large|footnotesize)"
    r"(?![A-Za-z])\s*((?:[^{}]|\{[^{}]*\}){0,4000})\}"
)
_LAYOUT = re.compile(
    r"\\(?:noindent|medskip|bigskip|smallskip|newpage|clearpage|pagebreak|indent|centering|hfill|"
    r"vfill|newline|linebreak|raggedright|par|hrule|maketitle|tableofcontents|bf|it|rm|sc|large|"
    r"Large|small|normalsize|footnotesize|printanswers|noprintanswers|protect|null|"
    r"qed|qedhere|bfseries|itshape|normalfont|appendix|quad|qquad|sloppy|dotfill|hline|relax)"
    r"(?![A-Za-z])\s?|\\(?:vspace|hspace|vskip|hskip|pagestyle|thispagestyle|index|title|author|"
    r"date|color|addpoints|points|pts|marks|fillwithlines|droptotalpoints|setcounter\{\w*\}|"
    r"setlength\{\\\w*\}|bibliographystyle|bibliography|usepackage|"
    r"documentclass)\*?(?:\[[^\]\n]*\])?"
    r"\{[^{}\n]{0,200}\}|\\(?:rule|makebox|framebox)(?:\[[^\]\n]*\])?\{[^{}\n]*\}\{[^{}\n]*\}|"
    r"\\(?:vskip|hskip)\s*-?[\d.]+\s*(?:cm|mm|pt|em|ex|in)|\\\\(?:\[[^\]\n]{0,20}\])?|\\[/@!]"
)
_POINTS = re.compile(
    r"(?:\\hfill\s*)?[\[(]\s*\d+(?:\.\d+)?\s*(?:points?|pts?|marks?|P)\.?\s*[\])]", re.I
)
_LISTS = re.compile(
    r"\\(?:begin|end)\s*\{(?:itemize|enumerate|description|center|flushleft|flushright|quote|"
    r"quotation|minipage|document|parts|questions|subparts|multicols|samepage|framed|proof|hint|"
    r"problem|exercise|abstract|figure|table)\*?\}(?:\[[^\]\n]*\])?(?:\{[^{}\n]{0,40}\})?"
)
_ITEM = re.compile(r"\\item(?![A-Za-z])\s*(?:\[([^\]\n]{0,60})\])?")
_FIGURE = re.compile(r"\\begin\{(figure\*?|wrapfigure|SCfigure|tikzpicture)\}")
_GRAPHIC = re.compile(
    r"\\includegraphics\s*(?:\[[^\]\n]*\])?\s*\{[^{}\n]{0,300}\}|"
    r"!\[[^\]\n]{0,300}\]\([^()\n]{0,500}\)"
)
MAX_FIGURE = 20_000
_FIGURE_WORD = re.compile(
    r"\b(?:Figure|Fig\.|Figs?\.|figure|sketch|diagram|plot)\s*~?\s*(?:\d+|\\ref\{[^{}\n]*\})|"
    r"\b(?:the|this)\s+(?:figure|sketch|diagram|plot|graph)\b",
)
_SIUNITX = re.compile(
    r"\\(?:SI|qty|si|unit|num|ang|SIrange)(?:\[[^\]\n]*\])?(?:\{[^{}\n]{0,120}\}){1,3}"
)
_CHARACTERS = tuple(
    (re.compile(old), new)
    for old, new in (
        (r"\\([%&#_])", r"\1"),
        (r"\\(?:ldots|dots|textellipsis)(?![A-Za-z])(?:\{\})?", "..."),
        (r"\\(?:textdegree|degree)(?![A-Za-z])(?:\{\})?", "°"),
        (r"\\(?:S|P)(?![A-Za-z])", "§"),
        (r"(?<!\\)~|\\[ ,;:](?!\S*\})|\\space(?![A-Za-z])", " "),
        (r"``|''", '"'),
        (r"\\-", ""),
        (r"\{\}", ""),
    )
)
_ACCENT = re.compile(
    r"\\(?:(['`^\"~=.])\s*\{?\s*(\\i(?![A-Za-z])|[A-Za-z])\s*\}?|([cvHuk])\s*\{([A-Za-z])\})"
)
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "H": "\u030b", "u": "\u0306", "k": "\u0328",
}  # fmt: skip
_LETTERS = {"o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "ss": "ß", "aa": "å", "AA": "Å", "l": "ł"}
_LETTER = re.compile(r"\\(AE|AA|ae|ss|aa|o|O|l)(?![A-Za-z])(?:\{\}|\s)?")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|\*|__)(?=\S)([^*\n]{1,2000}?)(?<=\S)\1")
_COMMAND_LEFT = re.compile(r"\\([A-Za-z]+)")
_KNOWN_IN_PROSE = frozenset({"boxed", "fbox", "begin", "end"})


def tidy(
    raw: str, note: Note, resolve: Callable[[str, str, int], str], tag: Callable[[str], str],
    *, markdown: bool,
) -> str:  # fmt: skip
    r"""A region made plain; line breaks are kept in number (see :func:`finished`).

    ``resolve(command, label, offset)`` gives the text for a reference, ``tag(label)`` the number
    that a display with that label must show (empty: none).
    """

    def figure(match: re.Match[str]) -> str:
        note(match.start(), "figure", "a figure belongs to this text and is not in the record")
        return " "

    text = substitute(_GRAPHIC, figure, _without_figures(raw, note))
    spans = find_formulas(text)
    out: list[str] = []
    at = 0
    shift = len(raw) - len(text)
    for span in [*spans, None]:
        end = len(text) if span is None else span.start
        prose = text[at:end]
        out.append(_prose(prose, at + shift, note, resolve, markdown=markdown))
        if span is None:
            break
        source = text[span.start : span.end]
        formula = _resolved(source, span.start + shift, resolve)
        out.append(with_breaks(_formula(formula, span, tag), count_breaks(source)))
        at = span.end
    return "".join(out)


def _resolved(text: str, offset: int, resolve: Callable[[str, str, int], str]) -> str:
    return substitute(REFERENCE, lambda m: resolve(m[1], m[2], offset + m.start()), text)


def _without_figures(text: str, note: Note) -> str:
    out: list[str] = []
    at = 0
    for match in _FIGURE.finditer(text):
        closing = rf"\end{{{match[1]}}}"
        end = text.find(closing, match.end(), match.end() + MAX_FIGURE)
        if match.start() < at or end < 0:
            continue
        note(match.start(), "figure", "a figure belongs to this text and is not in the record")
        end += len(closing)
        out += [text[at : match.start()], with_breaks(" ", count_breaks(text[match.start() : end]))]
        at = end
    return "".join([*out, text[at:]])


def finished(text: str) -> str:
    """A tidied text on one line."""
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"(?<![\\ .]) +([,.;:?!])(?=\s|$)", r"\1", text)


def tidy_formula(body: str) -> str:
    """Body of a formula without numbers and layout, in common spellings."""
    body = LABEL.sub("", body)
    body = _OPERATOR.sub(lambda m: "\\" + m[1] + (" " if m[2] else ""), body)
    body = re.sub(r"(\\(?:sin|cos|tan|exp|ln|log|sinh|cosh|tanh))(?=[A-Za-z])(?!h)", r"\1", body)
    for pattern, replacement in _MATH:
        body = pattern.sub(replacement, body)
    body = _SPACED_LETTERS.sub(_joined_unit, body)
    body = _without_empty_delimiters(body)
    body = re.sub(r"^(?:\\ )+", "", body.strip())
    return re.sub(r"\s+", " ", body).strip()


def _joined_unit(match: re.Match[str]) -> str:
    r"""``\mathrm{ke V}`` as one unit where its pieces are none: ``\mathrm{m s}`` stays."""
    joined = match[1].replace(" ", "")
    if all(map(_is_unit, match[1].split())) or not _is_unit(joined):
        return match[0]
    return rf"\mathrm{{{joined}}}"


def _is_unit(text: str) -> bool:
    from ecliptic.grading.parse_failure import ParseFailure
    from ecliptic.grading.units import parse_unit

    try:
        parse_unit(text)
    except ParseFailure:
        return False
    return True


def _without_empty_delimiters(body: str) -> str:
    r"""Without pairs ``\left. ... \right.`` that show nothing."""
    open_at: list[re.Match[str]] = []
    drop: list[tuple[int, int]] = []
    for match in _DELIMITERS.finditer(body):
        if match[1] == "left":
            open_at.append(match)
        elif open_at:
            partner = open_at.pop()
            if partner[2] == "." and match[2] == ".":
                drop += [partner.span(), match.span()]
    for start, end in sorted(drop, reverse=True):
        body = body[:start] + body[end:]
    return body


def _formula(body: str, span: Span, tag: Callable[[str], str]) -> str:
    before = span.inner_start - span.start
    body = body[before : len(body) - (span.end - span.inner_end)]
    numbers = [tag(match[1]) for match in LABEL.finditer(body)]
    number = next((number for number in numbers if number), "")
    name = span.environment.rstrip("*")
    if name in ("alignat",):
        body = re.sub(r"^\s*\{\d+\}", "", body)
    if not span.display:
        return f"${tidy_formula(body)}$"
    rows = [tidy_formula(row) for row in split_rows(body)]
    if name == "eqnarray":
        rows = [re.sub(r"&\s*(.*?)\s*&", r"&\1 ", row) for row in rows]
    if name == "multline":
        rows = [" ".join(rows)]
    if len(rows) == 1:
        inner = re.sub(r"(?<!\\)&\s?", "", rows[0]) if name else rows[0]
    elif name:
        inner_name = "gathered" if name == "gather" else "aligned"
        inner = rf"\begin{{{inner_name}}} " + r" \\ ".join(rows) + rf" \end{{{inner_name}}}"
    else:
        inner = r" \\ ".join(rows)
    if number and r"\tag" not in inner:
        inner = re.sub(r"([.,;]?)\s*$", rf"\1 \\tag{{{number}}}", inner, count=1)
    return f"$${inner}$$"


def _prose(
    text: str, offset: int, note: Note, resolve: Callable[[str, str, int], str], *, markdown: bool
) -> str:
    for match in _FIGURE_WORD.finditer(text):
        note(offset + match.start(), "figure", "the text refers to a figure")
    if "\\begin{tab" in text:
        note(offset + text.index("\\begin{tab"), "table", "the text holds a table: check it")
    text = LABEL.sub("", text)
    text = _resolved(text, offset, resolve)
    text = substitute(re.compile(r"\\footnote" + _ARGUMENT), r" (\1)", text)
    text = substitute(_SIUNITX, r"$\g<0>$", text)
    text = substitute(re.compile(r"\\ensuremath" + _ARGUMENT), r"$\1$", text)
    text = substitute(_POINTS, " ", text)
    if "\\" in text:
        text = _latex_prose(text, offset, note)
    if markdown:
        text = substitute(_EMPHASIS, r"\2", text)
        text = re.sub(r"^#{1,6} +", "", text, flags=re.MULTILINE)
    for pattern, replacement in _CHARACTERS:
        text = substitute(pattern, replacement, text)
    return text


def _latex_prose(text: str, offset: int, note: Note) -> str:
    for _ in range(4):
        before = text
        text = substitute(_FONTS, r"\1", text)
        text = substitute(_OLD_FONTS, r"\1", text)
        if text == before:
            break
    for match in re.finditer(r"\\cite[a-z]*\*?(?:\[[^\]\n]*\])*\{[^{}\n]*\}", text):
        note(offset + match.start(), "reference", f"the text cites {match[0]}")
    text = substitute(_ACCENT, _accented, text)
    text = substitute(_LETTER, lambda m: _LETTERS[m[1]], text)
    text = substitute(_LISTS, " ", text)
    text = substitute(_ITEM, lambda m: f"{m[1]} " if m[1] else "- ", text)
    text = substitute(_LAYOUT, " ", text)
    for match in re.finditer(r"\\begin\s*\{([A-Za-z*]+)\}", text):
        if not match[1].startswith(("tab", "array")):
            note(offset + match.start(), "latex", f"the environment {match[1]} is left in the text")
    for match in _COMMAND_LEFT.finditer(text):
        known = match[1] in _KNOWN_IN_PROSE or match[1].startswith(
            ("cite", "ldots", "dots", "text")
        )
        if not known and match[1] not in (
            "S",
            "P",
            "degree",
            "space",
            "SI",
            "qty",
            "si",
            "unit",
            "num",
        ):
            note(offset, "latex", f"the command \\{match[1]} is left in the text")
            break
    return text


def _accented(match: re.Match[str]) -> str:
    accent, base = match[1] or match[3], match[2] or match[4]
    return unicodedata.normalize("NFC", base.replace("\\i", "i") + _ACCENTS[accent])
