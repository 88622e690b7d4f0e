r"""The author's own macros, written out: ``\newcommand``, ``\def``, ``\let`` and counters.

One pass from left to right, so that a definition holds from where it stands. A macro inside its
own expansion is left alone, and the whole may not grow beyond a bound: both are noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ecliptic.helio.ingest.groups import read_group, skip_space
from ecliptic.helio.ingest.source import BREAK, SOFT, Source, count_breaks, with_breaks
from ecliptic.helio.ingest.todo import TodoList

MAX_GROWTH = 2_000_000
"""Characters that all expansions together may produce."""
MAX_NESTING = 30
MAX_FAILURES = 50

_COMMAND = re.compile(r"\\([A-Za-z@]+)|\\.", re.DOTALL)
_NAME = re.compile(r"\s*(?:\{\s*\\([A-Za-z@]+)\s*\}|\\([A-Za-z@]+))")
_OPTION = re.compile(r"\s*\[([^\[\]\n]{0,200})\]")
_PARAMETERS = re.compile(r"((?:#[1-9])*)\s*(?=\{)")
_LET = re.compile(r"\s*\\([A-Za-z@]+)\s*=?\s*(\\[A-Za-z@]+)")
_ARGUMENT = re.compile(r"##|#([1-9])")
_STRUCTURE_LIST = (
    "item question titledquestion part subpart begin end label ref eqref tag section subsection "
    "subsubsection paragraph input include left right frac sqrt text mathrm textbf boxed "
    "cite"
)
_STRUCTURE = frozenset(_STRUCTURE_LIST.split())
"""Read by what follows: a cosmetic redefinition must not hide them."""
_ENVIRONMENTS = re.compile(r"(?i)problem|exercise|question|sol|answer|prob$|proof")
_COUNTING = {"stepcounter": 1, "refstepcounter": 1}


@dataclass(frozen=True, slots=True)
class Macro:
    """Body, number of arguments, and the first one's default if it is optional."""

    body: str
    arguments: int = 0
    default: str | None = None


@dataclass(slots=True)
class Expanded:
    """The source with macros written out, and the titles of theorem-like environments."""

    source: Source
    theorem_titles: dict[str, str] = field(default_factory=dict)


def expand(source: Source, todo: TodoList) -> Expanded:
    """Write out the macros that the source defines; standard LaTeX stays."""
    expander = _Expander(source, todo)
    text = expander.run(source.text)
    return Expanded(replace(source, text=text), expander.titles)


class _Expander:
    def __init__(self, source: Source, todo: TodoList) -> None:
        self._source, self._todo = source, todo
        self._macros: dict[str, Macro] = {}
        self._environments: dict[str, tuple[Macro, str]] = {}
        self._counters: dict[str, int] = {}
        self._room = MAX_GROWTH
        self._failures = 0
        self._noted: set[str] = set()
        self._at = 0
        self.titles: dict[str, str] = {}

    def run(self, text: str, active: tuple[str, ...] = ()) -> str:
        out: list[str] = []
        at = 0
        position = 0
        while match := _COMMAND.search(text, position):
            position = match.end()
            name = match[1]
            if name is None:
                continue
            if not active:
                self._at = match.start()
            result = self._command(name, text, match.end(), active)
            if result is None:
                continue
            new, end = result
            out.append(text[at : match.start()])
            out.append(with_breaks(new, count_breaks(text[match.start() : end])))
            at = position = end
        out.append(text[at:])
        return "".join(out)

    def _command(
        self, name: str, text: str, at: int, active: tuple[str, ...]
    ) -> tuple[str, int] | None:
        if name in {"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"}:
            return self._define(text, at)
        if name in {"def", "gdef", "edef"}:
            return self._define_plain(text, at)
        if name == "let":
            return self._let(text, at)
        if name == "DeclareMathOperator":
            return self._operator(text, at)
        if name == "newtheorem":
            return self._theorem(text, at)
        if name in {"newenvironment", "renewenvironment"}:
            return self._define_environment(text, at)
        if name in {"begin", "end"}:
            return self._environment(name, text, at, active)
        if (counted := self._counter(name, text, at)) is not None:
            return counted
        if name in self._macros and name not in _STRUCTURE:
            return self._call(name, text, at, active)
        return None

    def _define(self, text: str, at: int) -> tuple[str, int] | None:
        at += text[at : at + 1] == "*"
        named = _NAME.match(text, at)
        if not named:
            return None
        name, at = named[1] or named[2], named.end()
        count, default = 0, None
        if (option := _OPTION.match(text, at)) is not None:
            count = int(option[1]) if option[1].strip().isdecimal() else 0
            at = option.end()
            if (option := _OPTION.match(text, at)) is not None:
                default, at = option[1], option.end()
        return self._store(name, text, at, min(count, 9), default)

    def _define_plain(self, text: str, at: int) -> tuple[str, int] | None:
        named = _NAME.match(text, at)
        if not named:
            return None
        name = named[1] or named[2]
        parameters = _PARAMETERS.match(text, named.end())
        if not parameters:
            self._say(name, "takes delimited arguments and is not expanded")
            return None
        return self._store(name, text, parameters.end(), len(parameters[1]) // 2, None)

    def _store(
        self, name: str, text: str, at: int, count: int, default: str | None
    ) -> tuple[str, int] | None:
        group = read_group(text, at)
        if group is None:
            self._say(name, "has a definition without end and is not expanded")
            return None
        body = BREAK.sub(" ", re.sub(r"\n\s*\n", r"\\par ", group[0]))
        if "@" in name or re.search(r"@|\\csname|\\if|\\futurelet", body):
            self._macros.pop(name, None)
        else:
            self._macros[name] = Macro(body, count, default)
        return "", group[1]

    def _let(self, text: str, at: int) -> tuple[str, int] | None:
        match = _LET.match(text, at)
        if not match:
            return None
        self._macros[match[1]] = self._macros.get(match[2][1:], Macro(match[2]))
        return "", match.end()

    def _operator(self, text: str, at: int) -> tuple[str, int] | None:
        at += text[at : at + 1] == "*"
        named = _NAME.match(text, at)
        group = read_group(text, named.end()) if named else None
        if not named or group is None:
            return None
        self._macros[named[1] or named[2]] = Macro(rf"\operatorname{{{group[0]}}}")
        return "", group[1]

    def _theorem(self, text: str, at: int) -> tuple[str, int] | None:
        at += text[at : at + 1] == "*"
        name = read_group(text, at)
        if name is None:
            return None
        option = _OPTION.match(text, name[1])
        title = read_group(text, option.end() if option else name[1])
        if title is None:
            return None
        self.titles[name[0].strip()] = title[0].strip()
        option = _OPTION.match(text, title[1])
        return "", option.end() if option else title[1]

    def _define_environment(self, text: str, at: int) -> tuple[str, int] | None:
        at += text[at : at + 1] == "*"
        name = read_group(text, at)
        if name is None:
            return None
        at, count, default = name[1], 0, None
        if (option := _OPTION.match(text, at)) is not None:
            count, at = int(option[1]) if option[1].isdecimal() else 0, option.end()
            if (option := _OPTION.match(text, at)) is not None:
                default, at = option[1], option.end()
        begin = read_group(text, at)
        end = read_group(text, begin[1]) if begin else None
        if begin is None or end is None:
            return None
        if not _ENVIRONMENTS.search(name[0]):
            opening = Macro(BREAK.sub(" ", begin[0]), min(count, 9), default)
            self._environments[name[0].strip()] = (opening, BREAK.sub(" ", end[0]))
        return "", end[1]

    def _environment(
        self, which: str, text: str, at: int, active: tuple[str, ...]
    ) -> tuple[str, int] | None:
        if not self._environments:
            return None
        match = re.compile(r"\{([A-Za-z*]+)\}").match(text, at)
        if not match or match[1] not in self._environments:
            return None
        key = f"{which} {match[1]}"
        opening, closing = self._environments[match[1]]
        return self._write_out(
            key, opening if which == "begin" else Macro(closing), text, match.end(), active
        )

    def _call(
        self, name: str, text: str, at: int, active: tuple[str, ...]
    ) -> tuple[str, int] | None:
        return self._write_out(name, self._macros[name], text, at, active)

    def _write_out(
        self, name: str, macro: Macro, text: str, at: int, active: tuple[str, ...]
    ) -> tuple[str, int] | None:
        if name in active:
            self._say(name, "calls itself and is not expanded")
            return None
        if len(active) >= MAX_NESTING or self._room < 0 or self._failures > MAX_FAILURES:
            self._say(name, "is nested too deeply or grows too large and is not expanded")
            return None
        arguments: list[str] = []
        end = at
        for index in range(macro.arguments):
            if index == 0 and macro.default is not None:
                option = _OPTION.match(text, end)
                arguments.append(option[1] if option else macro.default)
                end = option.end() if option else end
                continue
            group = read_group(text, end) or _single(text, end)
            if group is None:
                self._failures += 1
                self._say(name, "lacks an argument and is not expanded")
                return None
            arguments.append(self.run(group[0], (*active, "")) if group[0] else "")
            end = group[1]
        body = _filled(macro.body, arguments)
        self._room -= len(body)
        if self._room < 0:
            self._say(name, "grows too large and is not expanded")
            return None
        new = self.run(body, (*active, name))
        if not macro.arguments and text[at : at + 1].isalpha():
            return new, at
        if not macro.arguments:
            # A space behind a bare command is no part of the text.
            end = at + 1 if text[at : at + 1] == " " else at
        glued = re.search(r"\\[A-Za-z]+$", new) and text[end : end + 1].isalpha()
        return (new + " " if glued else new), end

    def _counter(self, name: str, text: str, at: int) -> tuple[str, int] | None:
        if name == "newcounter" and (group := read_group(text, at)):
            self._counters[group[0].strip()] = 0
            option = _OPTION.match(text, group[1])
            return "", option.end() if option else group[1]
        if not self._counters:
            return None
        if name.startswith("the") and name[3:] in self._counters and name not in self._macros:
            return str(self._counters[name[3:]]), at
        if name in {"arabic", "alph", "Alph", "value", *_COUNTING, "setcounter", "addtocounter"}:
            group = read_group(text, at)
            if group is None or group[0].strip() not in self._counters:
                return None
            counter, end = group[0].strip(), group[1]
            if name in _COUNTING:
                self._counters[counter] += 1
                return "", end
            if name in {"setcounter", "addtocounter"}:
                value = read_group(text, end)
                if value is None or not re.fullmatch(r"\s*-?\d{1,6}\s*", value[0]):
                    return None
                base = self._counters[counter] if name == "addtocounter" else 0
                self._counters[counter] = base + int(value[0])
                return "", value[1]
            count = self._counters[counter]
            if name in {"alph", "Alph"} and 1 <= count <= 26:
                return chr((96 if name == "alph" else 64) + count), end
            return str(count), end
        return None

    def _say(self, name: str, what: str) -> None:
        if name not in self._noted and len(self._noted) < 100:
            self._noted.add(name)
            shown = f"the environment {name.split()[1]}" if " " in name else f"\\{name}"
            self._todo.note(self._source.place(self._at), "macro", f"{shown} {what}")


def _single(text: str, start: int) -> tuple[str, int] | None:
    """One character or command as an argument without braces."""
    begin = skip_space(text, start)
    match = re.compile(r"\\[A-Za-z]+|\\.|[^{}\\]").match(text, begin)
    return (match[0], match.end()) if match else None


def _filled(body: str, arguments: list[str]) -> str:
    used: set[int] = set()

    def replacement(match: re.Match[str]) -> str:
        if match[1] is None:
            return "#"
        index = int(match[1]) - 1
        if index >= len(arguments):
            return ""
        argument = arguments[index]
        if index in used:  # its line breaks count once
            return BREAK.sub(" ", argument)
        used.add(index)
        return argument.replace("\n", SOFT) if argument.count("\n") < 2 else argument

    return _ARGUMENT.sub(replacement, body)
