from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.errors import TaskError, UsageError
from ecliptic.grading import grade
from ecliptic.helio import generate_many, load
from ecliptic.helio.ingest import Drafts, draft_records
from ecliptic.helio.ingest.source import MAX_BYTES
from ecliptic.helio.records import Record

SETS = Path(__file__).parent / "problem_sets"
STYLES = sorted(path.name.partition(".")[0] for path in SETS.glob("*.expected.jsonl"))
COMPARED = ("type", "preamble", "question", "final", "hint", "step")


def ingest(folder: Path, text: str | bytes, **options: Any) -> Drafts:
    path = folder / "set.tex"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return draft_records(path, author="Lee", year=2010, **options)


def kinds(drafts: Drafts) -> list[str]:
    return [item.kind for item in drafts.todo]


# Problem sets in several styles


def read_set(style: str) -> tuple[Drafts, Path]:
    path = next(path for path in SETS.glob(f"{style}.*") if path.suffix in (".tex", ".mmd"))
    solutions = SETS / f"{style}_solutions.tex"
    options = {"solutions": solutions} if solutions.exists() else {}
    return draft_records(path, author="Lee", year=2010, **options), path


def expected_of(style: str) -> dict[str, dict[str, Any]]:
    lines = (SETS / f"{style}.expected.jsonl").read_text().splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


@pytest.mark.parametrize("style", STYLES)
def test_a_problem_set_becomes_the_records_written_by_hand(style: str) -> None:
    drafts, _ = read_set(style)
    expected = expected_of(style)
    assert [record.id for record in drafts.records] == [name for name in expected if name]
    for record in drafts.records:
        wanted, got = expected[record.id], record.to_dict()
        for field in (field for field in COMPARED if field in wanted):
            assert got[field] == wanted[field], (record.id, field)
        if "title" in wanted:
            assert got["meta"]["title"] == wanted["title"]
        assert record.id == "_".join(filter(None, ("2010", "Lee", str(record.q_id), record.sub_id)))


@pytest.mark.parametrize("style", STYLES)
def test_the_list_names_what_a_human_must_look_at_and_nothing_else(style: str) -> None:
    drafts, path = read_set(style)
    wanted = {
        (name, entry if ":" in entry else f"{path.name}:{entry}")
        for name, line in expected_of(style).items()
        for entry in line["todo"]
    }
    assert {(item.record_id, f"{item.place} {item.kind}") for item in drafts.todo} == wanted
    for record in drafts.records:
        own = [str(item) for item in drafts.todo if item.record_id == record.id]
        assert record.meta["todo"] == own
        assert record.meta["draft"] is bool(own)
        assert 0 <= record.meta["confidence"] <= 1


# Shapes


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("1. Find $x$.\nSolution: $x = y$.\n\n2. Find $z$.\nSolution: $z = w$.", ["1", "2"]),
        ("3) Find $x$.\n\nSol. $x = y$.\n\n4) Find $z$.\n\nAnswer: $z = w$", ["3", "4"]),
        ("Problem 3. Find $x$.\nSolution. $x = y$.", ["3"]),
        (r"\section*{Exercise 2}Find $x$.\paragraph{Solution}$x = y$.", ["2"]),
        (r"\section{4. Waves}Find $x$.\subsection*{Solution}$x = y$.", ["4"]),
        ("\\begin{exercise}[7]Find $x$.\\end{exercise}\\begin{answer}$x=y$\\end{answer}", ["7"]),
        (
            "Problem 1\n\na) Find $x$.\n\nSolution: $x=y$\n\nb) Find $z$.\n\nSolution: $z=w$",
            ["1_a", "1_b"],
        ),
        (
            "**Problem 1** All.\n\n(a) Find $x$.\n(i) Find $u$.\n\n(ii) Find $v$.\n\n(b) Get $w$.",
            ["1_a_i", "1_a_ii", "1_b"],
        ),
        (
            r"\begin{enumerate}\item Find $x$. \textbf{Solution:} $x=y$ \begin{enumerate}\item one "
            r"\item two \end{enumerate}\item[5.] Find $z$.\end{enumerate}",
            ["1", "5"],
        ),
        (
            r"\newcounter{pb}\newcommand{\pb}{\stepcounter{pb}\section*{Problem \thepb}}"
            "\n\\pb Find $x$.\n\\pb Find $y$.",
            ["1", "2"],
        ),
        ("## Problem 2\n\nFind $x$.\n\n### Solution\n\n$x = y$", ["2"]),
        ("\\section*{Problem 2.4}Find $x$.", ["2-4"]),
    ],
)
def test_problems_and_parts_are_found_in_many_shapes(
    text: str, ids: list[str], tmp_path: Path
) -> None:
    drafts = ingest(tmp_path, text)
    assert [record.id for record in drafts.records] == [f"2010_Lee_{name}" for name in ids]


@pytest.mark.parametrize(
    ("solution", "final"),
    [
        (r"First $a = b$. Then \[ x = 3y \] holds, and \boxed{$x = 4y$}.", "$x = 4y$"),
        (r"We have \[ x = 3y. \]", "$x = 3y$"),
        (r"\begin{align} x &= a \\ &= b, \end{align}", "$x = b$"),
        (r"\begin{gather} u = a \\ x = b \end{gather}", "$x = b$"),
        (r"\begin{eqnarray} x &=& a \\ &=& c \end{eqnarray}", "$x = c$"),
        (r"$$x - 1 = 0 \quad\Rightarrow\quad x = 1 + \epsilon$$", r"$x = 1 + \epsilon$"),
        (r"\[ f = r^{-\alpha},\quad \alpha = V \]", r"$f = r^{-\alpha},\quad \alpha = V$"),
        ("The Lorentz force gives it.\n\nAnswer: $x = qB/m$", "$x = qB/m$"),
        ("Therefore $x = y^2$.", "$x = y^2$"),
        (r"The speed is $v = 4.0\times10^5$ m/s.", r"$4.0\times10^5$ m/s"),
        ("After some algebra one obtains 431 km/s.", "431 km/s"),
    ],
)  # fmt: skip
def test_the_final_is_found(solution: str, final: str, tmp_path: Path) -> None:
    drafts = ingest(tmp_path, f"\\section*{{Problem 1}}\nFind $x$.\n\nSolution: {solution}\n")
    assert drafts.records[0].final == final


def test_several_candidates_lower_the_confidence_and_are_named(tmp_path: Path) -> None:
    text = "Problem 1. Find $x$.\n\nSolution: {} $\\boxed{{x = b}}$."
    one = ingest(tmp_path, text.format("So")).records[0]
    two = ingest(tmp_path, text.format(r"Either $\boxed{x = a}$ or"))
    assert two.records[0].meta["confidence"] < one.meta["confidence"]
    assert "also possible: $x = a$" in two.todo[0].message


def test_a_missing_unit_a_doubtful_type_and_a_missing_solution_are_noted(tmp_path: Path) -> None:
    text = r"""
1. Calculate the speed in km/s.

Solution: It is $v = 400$.

2. Derive an expression for the speed $v$ in terms of $B$ and $\rho$.

Solution: It is $v = 431\ \mathrm{km/s}$.

3. Find the pressure $p$.
"""
    drafts = ingest(tmp_path, text)
    noted = {(item.record_id[-1], item.kind, item.place.line) for item in drafts.todo}
    assert ("1", "unit", 4) in noted
    assert ("2", "type", 8) in noted
    assert ("3", "solution", 10) in noted
    assert drafts.records[2].final == ""


def test_parts_that_question_and_solution_divide_differently_are_noted(tmp_path: Path) -> None:
    text = r"""
\textbf{Problem 1.} (a) Which sign has it? (b) How large is it in km/s? Compare (a).

\textbf{Solution.} (a) It is positive.
(b) $v = 10$ km/s.
(c) Nothing.

\textbf{Problem 2.} Consider a loop.

(a) Find $x$.

(b) Find $y$.

\textit{Solution.} Both follow from $x = y = z$.
"""
    drafts = ingest(tmp_path, text)
    assert [record.id[9:] for record in drafts.records] == ["1_a", "1_b", "2_a", "2_b"]
    assert drafts.records[1].question == "How large is it in km/s? Compare (a)."
    noted = {(item.record_id[9:], item.kind, item.place.line) for item in drafts.todo}
    assert {("1_b", "question", 6), ("2_a", "solution", 10), ("2_b", "solution", 14)} <= noted
    assert all(record.meta["draft"] for record in drafts.records[1:])


def test_references_become_numbers_or_items(tmp_path: Path) -> None:
    text = r"""\section*{Problem 1}
\begin{equation} a = b \label{one} \end{equation}
Use \eqref{one} and \ref{two} and \ref{nowhere}.
\section*{Problem 2}
\begin{equation} c = d \label{two} \end{equation}
Find $c$.
"""
    first, second = ingest(tmp_path, text).records
    assert "Use (1) and 2 and ??." in first.question
    assert r"a = b \tag{1}" in first.question
    assert sum("reference" in item for item in first.meta["todo"]) == 2
    assert r"c = d \tag{2}" in second.question


def test_macros_comments_and_verbatim(tmp_path: Path) -> None:
    text = r"""\newcommand{\vb}[2][B]{\mathbf{#1}_{#2}} \def\half{\tfrac12}
\let\eps\varepsilon
1. Find $\vb{0} + \half\vb[E]{1}\eps_0$ in \verb|50%_x|. % Solution: a secret
\begin{comment}
2. Not a problem.
\end{comment}
\begin{verbatim}
Solution: $not one
\end{verbatim}

Solution: $x = y$
"""
    (record,) = ingest(tmp_path, text).records
    assert r"$\mathbf{B}_{0} + \tfrac12\mathbf{E}_{1}\varepsilon_0$" in record.question
    assert r"\verb|50%_x|" in record.question
    assert "$not one" in record.question
    assert "secret" not in record.question
    assert record.final == "$x = y$"


def test_includes_stay_inside_the_folder_and_keep_their_lines(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("2. Secret?")
    folder = tmp_path / "set"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "one.tex").write_text("%\n1. Find the figure 3 of $x$.\n\n\\input{set}")
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    text = (
        "\\input{parts/one}\n\\input{../secret}\\input{/etc/passwd}\n\\include{link}\n\\input{gone}"
    )
    drafts = ingest(folder, text)
    assert [record.id for record in drafts.records] == ["2010_Lee_1"]
    assert drafts.records[0].meta["source_file"] == "parts/one.tex"
    assert drafts.records[0].meta["source_line"] == 2
    places = [str(item.place) for item in drafts.todo if item.kind == "include"]
    assert places == ["parts/one.tex:4", "set.tex:2", "set.tex:2", "set.tex:3", "set.tex:4"]


def test_a_text_in_latin_1_is_read_and_noted_unless_it_says_so(tmp_path: Path) -> None:
    body = "1. Find the speed $v$ of Alfv\xe9n.\n\nSolution: $v = w$"
    drafts = ingest(tmp_path, body.encode("latin-1"))
    assert "Alfvén" in drafts.records[0].question
    assert kinds(drafts) == ["encoding"]
    declared = "\\usepackage[latin1]{inputenc}\n" + body
    assert kinds(ingest(tmp_path, declared.encode("latin-1"))) == []


# Hostile input

EXPLOSION = "".join(
    rf"\newcommand{{\{chr(97 + n)}x}}{{\{chr(98 + n)}x\{chr(98 + n)}x}}" for n in range(25)
)
HOSTILE = {
    "unbalanced braces": "1. Find $x_{$ {{{ }\n\nSolution: \\textbf{ $y = \\frac{1}{2$",
    "deep braces": "1. Find " + "{" * 100_000 + "$x$" + "\n\nSolution: $x = y$",
    "deep formulas": "1. Find $x$.\n\nSolution: $x = " + "\\frac{" * 20_000 + "}" * 20_000 + "$",
    "endless macro": "\\def\\a{\\b}\\def\\b{\\a\\a} 1. Find \\a.\n\nSolution: $x = y$",
    "exploding macros": EXPLOSION + "\\newcommand{\\zx}{aaaa} Problem 1. Find \\ax.",
    "open arguments": "\\newcommand{\\q}[1]{#1}\n1. " + "\\q{" * 100_000,
    "no end": "\\begin{problem}Find $x$.\\begin{solution}$x = y$ \\begin{align} a",
    "many displays without end": "1. Find \n" + "\\[ a \\begin{align} \n" * 20_000,
    "many dollar signs": "1. Find \n" + "$ a $$ \n\n" * 30_000,
    "many lists": "1. Find " + "\\begin{enumerate}\\item a" * 10_000,
    "many figures": "1. Find " + "\\begin{figure}" * 30_000,
    "many headings": "1. Find " + "\\section{{" * 100_000,
    "many fonts": "1. Find " + "\\textbf{a " * 100_000,
    "one long line": "1. Find " + "word " * 200_000,
    "many blank lines": "1. Find " + "\n \t" * 200_000,
    "many labels": "1. Find \n" + "(a) \n\n" * 30_000,
    "control signs": "1. Find \x02" + "7\x03 \x1f $x$.\n\nSolution: $x=y$ \x020\x03",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_ends_in_time_with_records_or_one_line(name: str, tmp_path: Path) -> None:
    begin = time.process_time()
    line = ""
    try:
        records = ingest(tmp_path, HOSTILE[name]).records
    except TaskError as error:
        records, line = (), str(error)
    assert "\n" not in line
    assert all(record.meta["draft"] for record in records) or name == "control signs"
    assert time.process_time() - begin < 30


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no problem was found"),
        (b"\\documentclass{article}\\begin{document}Only words.\\end{document}", "no problem"),
        (b"1. Find $x$. " + b"a" * MAX_BYTES, "may hold 4 MB"),
        (b"%PDF-1.5\0\1\2", "not a text file"),
        (b"\\begin{questions}" + b"\\question a" * 2100 + b"\\end{questions}", "more than 2,000"),
        (b"\\question a\\begin{parts}" + b"\\part b " * 70, "more than 60 parts"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_become_records_is_one_line(
    data: bytes, words: str, tmp_path: Path
) -> None:
    with pytest.raises(TaskError, match=words) as caught:
        ingest(tmp_path, data)
    assert "\n" not in str(caught.value)


def test_mistakes_in_what_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="no such file"):
        draft_records(tmp_path / "gone.tex", author="Lee", year=2010)
    with pytest.raises(UsageError, match="family name"):
        draft_records(tmp_path / "gone.tex", author="../x", year=2010)
    (tmp_path / "s.tex").write_text("1. $x = y$")
    with pytest.raises(UsageError, match="has a solution in this file already"):
        ingest(tmp_path, "1. Find $x$.\n\nSolution: $x=y$", solutions=tmp_path / "s.tex")


# Command line


def test_the_command_writes_drafts_that_load_and_a_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, todo = tmp_path / "drafts.jsonl", tmp_path / "todo.md"
    command = ["ingest", str(SETS / "nougat.mmd"), "--author", "Lee", "--year", "2010"]
    command += ["--out", str(out), "--todo", str(todo)]
    assert run_cli(command) == 0
    shown = capsys.readouterr().out
    records = load(out)
    assert len(records) == 4
    assert not records.problems
    assert re.search(r"3 +4 +2 +1 +1 +3 ", shown)
    assert str(todo) in shown
    text = todo.read_text()
    assert "`nougat.mmd:34` **question**" in text
    assert text.count("- [ ]") == len(read_set("nougat")[0].todo)
    assert run_cli(command) == 2
    assert "--overwrite" in capsys.readouterr().err


# Records written as LaTeX and read again


def as_exam(records: list[Record]) -> str:
    body = "".join(
        f"\\question {record.question}\n\\begin{{solution}}\n{' '.join(record.step)}\n\n"
        + (
            f"Answer: {record.final}\n"
            if record.type == "textual"
            else f"\\boxed{{{record.final}}}\n"
        )
        + "\\end{solution}\n"
        for record in records
    )
    inside = f"\\begin{{questions}}\n{body}\\end{{questions}}"
    return f"\\documentclass{{exam}}\\begin{{document}}{inside}\\end{{document}}"


def as_headings(records: list[Record]) -> str:
    return "".join(
        f"\\section*{{Problem {number}}}\n{record.question}\n\n\\textbf{{Solution.}} "
        f"{' '.join(record.step[:-1])}\n\nAnswer: {record.final}\n\n"
        for number, record in enumerate(records, 1)
    )


def as_ocr_with_solutions_at_the_end(records: list[Record]) -> str:
    def written(text: str) -> str:
        return re.sub(r"\$([^$]*)\$", r"\\( \1 \\)", text)

    questions = "".join(
        f"## Problem {n}\n\n{written(record.question)}\n\n" for n, record in enumerate(records, 1)
    )
    solutions = "".join(
        f"**Problem {n}.** "
        + (
            written(record.final)
            if record.type == "textual"
            else f"{written(' '.join(record.step[:-1]))}\n\\[\n{record.final.strip('$')}\n\\]"
        )
        + "\n\n"
        for n, record in enumerate(records, 1)
    )
    return f"{questions}## Solutions\n\n{solutions}"


@pytest.fixture(scope="module")
def generated() -> list[Record]:
    return list(generate_many(11, 60))


def pairs(records: list[Record], drafts: Drafts) -> Iterator[tuple[Record, Record]]:
    by_number = {record.q_id: record for record in drafts.records}
    for number, record in enumerate(records, 1):
        yield record, by_number[number]


@pytest.mark.parametrize("write", [as_exam, as_headings, as_ocr_with_solutions_at_the_end])
def test_generated_records_survive_latex(
    write: Any, generated: list[Record], tmp_path: Path, record_property: Any
) -> None:
    drafts = ingest(tmp_path, write(generated))
    assert len(drafts.records) == len(generated)
    finals = questions = types = unnoted = 0
    for record, draft in pairs(generated, drafts):
        same = grade(record=record, answer=draft.final).outcome == "correct"
        finals += same
        types += record.type == draft.type
        questions += record.question.split() == draft.question.split()
        unnoted += not same and not draft.meta["draft"]
    shares = finals / 60, types / 60, questions / 60
    record_property("finals, types, questions", shares)
    assert min(shares) >= 0.95
    assert unnoted == 0
