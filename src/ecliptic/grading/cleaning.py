"""An answer as handed in, made safe to look at: characters, size, thoughts, fences and echoes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.grading.block_quotes import with_quoted_answer
from ecliptic.grading.html_markup import without_html
from ecliptic.grading.marks import closing_brace

HEAD_CHARACTERS = 20_000
TAIL_CHARACTERS = 80_000
ECHO_CHARACTERS = 30
"""A shorter answer may be a word of the question by right."""

_INVISIBLE = dict.fromkeys(
    [
        *range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xAD, 0x34F, 0x61C,
        0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F),
        *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0,
        *range(0xD800, 0xE000), *range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0),
    ]
)  # fmt: skip
_LINE_ENDS = re.compile(r"\r\n?|\u2028|\u2029|\x85")
_BLANKS = re.compile(r"[^\S\n]{8,}")
_EMPTY_LINES = re.compile(r"\n(?:[^\S\n]*\n){3,}")
_THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning|scratchpad)>", re.I)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[\w+-]*[ \t]*$", re.MULTILINE)
_STRUCK = re.compile(
    r"(?<![\w~$\\}])~~(?=\S)[^~\n]{1,400}(?<=\S)~~(?![\w~])|<(del|s|strike)>.{0,400}?</\1>",
    re.I | re.S,
)
"""Struck out in Markdown or HTML."""
_HIDDEN = re.compile(
    r"\\(?:([bx]?cancel|sout|st|xout)|[vh]?phantom|textcolor\{white\})(?![A-Za-z])\s*"
    r"(?:(?=\{)|\\[A-Za-z]+|[^\s{}$\\])"
)
"""Struck out in LaTeX (``\\cancel{x}``), or set without being seen (``\\phantom{x}``)."""
_EMPTY_FORMULA = re.compile(r"\$\$(?:\s*\0)+\s*\$\$|\$(?:\s*\0)+\s*\$|(\$\$[^$]*\$\$|\$[^$]*\$)")
"""A formula of which nothing is left, or one that stays."""
_COMMENT = re.compile(r"<!--.{0,2000}?-->", re.S)
_DAMAGED = re.compile(
    r"\t(?=(?:heta|au|imes|ext|extrm|an|anh|frac|ilde|o)(?![a-z]))|\x0c(?=rac|orall)"
    r"|\x08(?=eta|ar|f\{|oxed|egin|inom)|\r(?=ho(?![a-z])|ight(?![a-z]))|\n(?=abla(?![a-z]))"
)
"""Escapes of JSON in the place of a LaTeX command: a tab and ``heta`` for ``\\theta``."""
_ESCAPES = {"\t": "\\t", "\x0c": "\\f", "\x08": "\\b", "\r": "\\r", "\n": "\\n"}
_MARKS_OF_DAMAGE = ("\t", "\x0c", "\x08", "\r", "\nabla")
_QUOTED = re.compile(
    r"^[ \t]*(?:>.*|[*_# \t]{0,9}(?:hint|question|problem|task)\b[*_ ]{0,4}:.*)$", re.I | re.M
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The text to look for an answer in.

    ``notes`` name what was removed; ``cut`` is the number of characters in the middle that were
    not looked at.
    """

    text: str
    notes: tuple[str, ...] = ()
    cut: int = 0


def clean(answer: str, *, known: tuple[str, ...] = ()) -> Cleaned:
    """Strip what carries no answer; ``known`` are question, hint and other text that was given."""
    notes: list[str] = []
    cut = len(answer) - HEAD_CHARACTERS - TAIL_CHARACTERS
    if cut > 0:
        answer = answer[:HEAD_CHARACTERS] + "\n\n" + answer[-TAIL_CHARACTERS:]
        notes.append(f"{cut} characters in the middle were not looked at")
    if any(mark in answer for mark in _MARKS_OF_DAMAGE):
        answer = _DAMAGED.sub(lambda match: _ESCAPES[match[0]], answer)
    text = with_short_gaps(_LINE_ENDS.sub("\n", answer))
    visible = text if text.isprintable() and text.isascii() else text.translate(_INVISIBLE)
    if visible != text:
        notes.append(f"{len(text) - len(visible)} invisible characters removed")
    ends = list(_THOUGHT_END.finditer(visible)) if "</" in visible else []
    if ends:
        notes.append("thoughts removed")
    text = visible[ends[-1].end() :] if ends else visible
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("", text)
    if "~~" in text or "</" in text:
        text = _without(_STRUCK, text, notes, "struck-out text removed")
    if "\\" in text and _HIDDEN.search(text):
        text = _without_hidden(text)
        notes.append("struck-out text removed")
    if "<!--" in text:
        text = _without(_COMMENT, text, notes, "comments removed")
    if "<" in text or "&" in text:
        text = without_html(text)
    for passage in known:
        text = _without_echo(text, passage, notes)
    if ">" in text:
        text = with_quoted_answer(text)
    if ">" in text or ":" in text:
        text = _without(_QUOTED, text, notes, "quoted lines removed")
    text = with_short_gaps(text).strip()  # what was taken out has left lines empty
    return Cleaned(text, tuple(notes), max(cut, 0))


def with_short_gaps(text: str) -> str:
    """``text`` without long runs of blanks or empty lines.

    They mean nothing, and the time of a pattern with several optional gaps is a power of their
    length.
    """
    if text.count("\n") > 3 or "    " in text or "\t" in text or not text.isascii():
        return _EMPTY_LINES.sub("\n\n\n", _BLANKS.sub(" ", text))
    return text


def _without(pattern: re.Pattern[str], text: str, notes: list[str], note: str) -> str:
    remaining = pattern.sub("", text)
    if remaining != text:
        notes.append(note)
    return remaining


def _without_hidden(text: str) -> str:
    """``text`` without arguments of commands that strike out or hide, and the dollars around."""
    out: list[str] = []
    position = 0
    for match in _HIDDEN.finditer(text):
        if match.start() < position:
            continue
        end = match.end()
        if text.startswith("{", end):
            end = closing_brace(text, end) + 1
            if end == 0:
                break
        out.append(text[position : match.start()])
        position = end
    out.append(text[position:])
    return _EMPTY_FORMULA.sub(r"\1", "\0".join(out)).replace("\0", "")


def _without_echo(text: str, passage: str, notes: list[str]) -> str:
    """``text`` without ``passage`` word for word, and empty when it is a part of ``passage``."""
    words = passage.split()
    if len(passage) < ECHO_CHARACTERS or len(words) < 4 or len(words) > 3000:
        return text
    pattern = r"\s+".join(re.escape(word) for word in words)
    remaining = re.sub(pattern, "", text)
    if remaining != text:
        notes.append("echo of the question or hint removed")
        return remaining
    if len(text) >= ECHO_CHARACTERS and letters(text) in letters(passage):
        notes.append("echo of the question or hint removed")
        return ""
    return text


def letters(text: str) -> str:
    """Letters, digits and signs alone, for comparing passages."""
    return re.sub(r"[\s$*_`]+", "", text).casefold()
