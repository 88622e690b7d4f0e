"""Several equations as one answer: definitions put in, order free, every part accounted for."""

from __future__ import annotations

from dataclasses import dataclass

from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.equations import compare_equations
from ecliptic.grading.expression import Expression, Relation
from ecliptic.grading.spelling import spell
from ecliptic.grading.statements import Statements, isolated
from ecliptic.grading.tree_walk import walk
from ecliptic.grading.value_equivalence import joined
from ecliptic.grading.value_matcher import Context
from ecliptic.grading.work_budget import spend

_ROUNDS = 6


@dataclass(slots=True)
class _Part:
    """One equation: as written, with its definitions put in, and what it defines."""

    written: Relation
    resolved: Relation
    subject: Expression | None
    helper: bool = False
    """Defines a symbol for use in an equation before it, and is no result of its own."""


def compare_systems(gold: Statements, answer: Statements, context: Context) -> Comparison:
    """Whether two sets of equations state the same results."""
    golden, given = _parts(gold), _parts(answer)
    foreign = _foreign_definitions(given, golden)
    left = list(given)
    results: list[Comparison] = []
    missing: list[_Part] = []
    for part in golden:
        result, partner = _best_match(part, left, foreign, context)
        if partner is not None:
            left.remove(partner)
        if result is not None:
            results.append(result)
        elif not part.helper or _is_undefined(part, given):
            missing.append(part)
    wrong = [result for result in results if result.outcome != "same"]
    if wrong:
        return joined(results)
    if missing:
        names = ", ".join(spell(part.written, 80) for part in missing)
        message = f"{names} is missing"
        return different(Code.INCOMPLETE, message, method="matching of equations")
    surplus = [part for part in left if part.subject is None and not _says_nothing(part)]
    if surplus and results:
        text = ", ".join(spell(part.written, 80) for part in surplus)
        message = f"the further equation {text} is not part of the right answer"
        return different(Code.EXTRA_SOLUTION, message, method="matching of equations")
    for part in left:
        contradiction = _contradicts(part, golden, context)
        if contradiction is not None:
            return contradiction
    return joined(results)


def _parts(statements: Statements) -> list[_Part]:
    """All equations of an answer with each other's definitions put in."""
    equations = [*statements.equations, *statements.definitions]
    definitions: dict[Expression, tuple[int, Expression]] = {}
    subjects: list[Expression | None] = []
    for position, equation in enumerate(equations):
        pairs = isolated(equation)
        subjects.append(pairs[0][0] if pairs else None)
        if pairs:
            definitions[pairs[0][0]] = (position, pairs[0][1])
    for name in [name for name in definitions if subjects.count(name) > 1]:
        del definitions[name]  # several values: none of them can be put in
    parts = []
    for position, equation in enumerate(equations):
        subject = subjects[position]
        spend(50 + 30 * position)  # all equations before it are looked through
        helper = position >= len(statements.equations) or (
            subject is not None
            and any(subject in set(walk(earlier)) for earlier in equations[:position])
        )
        changes = {s: value for s, (p, value) in definitions.items() if p != position}
        parts.append(_Part(equation, _resolve(equation, changes, subject), subject, helper))
    return parts


def _resolve(
    equation: Relation, changes: dict[Expression, Expression], subject: Expression | None
) -> Relation:
    """The equation after definitions are put in, a bounded number of times."""
    current: Expression = equation
    for _ in range(_ROUNDS):
        if isinstance(current, Relation) and subject is not None:
            side = current.right if current.left == subject else current.left
            assert side is not None
            new: Expression = Relation("=", subject, substitute_all(side, changes))
        else:
            new = substitute_all(current, changes)
        if new == current or sum(1 for _ in walk(new)) > 4000:
            break
        current = new
    assert isinstance(current, Relation)
    return current


def _foreign_definitions(given: list[_Part], golden: list[_Part]) -> dict[Expression, Expression]:
    """Definitions of the answer for symbols that the gold uses without defining them."""
    defined = {part.subject for part in golden}
    return {
        part.subject: part.resolved.right
        for part in given
        if part.subject is not None
        and part.subject not in defined
        and part.resolved.left == part.subject
    }


def _best_match(
    part: _Part, candidates: list[_Part], foreign: dict[Expression, Expression], context: Context
) -> tuple[Comparison | None, _Part | None]:
    """The result for one gold equation, and the equation of the answer that was used for it."""
    named = [c for c in candidates if c.subject is not None and c.subject == part.subject]
    for candidate in named or candidates:
        for gold, answer in _variants(part, candidate, foreign):
            result = compare_equations(gold, answer, context, explain=False)
            if result.outcome == "same":
                return result, candidate
    chosen = named[:1]
    if not chosen and not part.helper:
        unnamed = [c for c in candidates if c.subject is None or part.subject is None]
        chosen = candidates if len(candidates) == 1 else unnamed[:1]
    if not chosen:
        return None, None
    gold, answer = _variants(part, chosen[0], foreign)[0]
    return compare_equations(gold, answer, context), chosen[0]


def _variants(
    part: _Part, candidate: _Part, foreign: dict[Expression, Expression]
) -> list[tuple[Relation, Relation]]:
    pairs = [(part.resolved, candidate.resolved)]
    usable = {s: v for s, v in foreign.items() if s != part.subject}
    if usable:
        extended = _resolve(part.resolved, usable, part.subject)
        if extended != part.resolved:
            pairs.append((extended, candidate.resolved))
    if (part.written, candidate.written) != pairs[0]:
        pairs.append((part.written, candidate.written))
    return pairs


def _is_undefined(helper: _Part, given: list[_Part]) -> bool:
    """Whether the answer uses the symbol of a definition of the gold that it does not give."""
    return helper.subject is not None and any(
        helper.subject in set(walk(part.resolved)) for part in given
    )


def _says_nothing(part: _Part) -> bool:
    assert part.written.left is not None
    return canonical(part.written.left) == canonical(part.written.right)


def _contradicts(part: _Part, golden: list[_Part], context: Context) -> Comparison | None:
    """A second, different equation of the answer for a quantity of the gold."""
    for wanted in golden:
        if part.subject is not None and part.subject == wanted.subject:
            result = compare_equations(wanted.resolved, part.resolved, context)
            if result.outcome == "different":
                message = f"two different equations for {spell(part.subject)}"
                return different(Code.SEVERAL_ANSWERS, message, method="matching of equations")
    return None
