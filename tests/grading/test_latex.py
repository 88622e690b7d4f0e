"""Formulas to trees: cases, invariance under spelling, failures, bombs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecliptic.grading.expression import Constant, Symbol, walk
from ecliptic.grading.latex import parse
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.s_expression import s_expression

CASES = json.loads(Path(__file__).with_name("latex_cases.json").read_text(encoding="utf-8"))
READ = {case["text"]: case["tree"] for case in CASES if "tree" in case}
REFUSED = {case["text"]: case["failure"] for case in CASES if "failure" in case}


@pytest.mark.parametrize("text", READ)
def test_tree(text):
    assert s_expression(parse(text).expression) == READ[text]


@pytest.mark.parametrize("text", REFUSED)
def test_refusal(text):
    with pytest.raises(ParseFailure) as caught:
        parse(text)
    assert REFUSED[text] in caught.value.message
    assert 0 <= caught.value.position <= len(text)


def test_slash_rule():
    strict = parse("GM/2c_s^2").expression
    grouped = parse("GM/2c_s^2", slash_groups_product=True).expression
    assert s_expression(strict) == "(* G M 1/2 (^ c_s 2))"
    assert grouped == parse("GM/(2c_s^2)").expression
    half = parse("1/2 m v^2", slash_groups_product=True).expression
    assert half == parse(r"\frac12 m v^2").expression


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (r"e^{i(kx-\omega t)}", Constant),
        (r"\omega_r + i\gamma", Constant),
        (r"\sum_{i=1}^N i x", Symbol),
        (r"\cos i", Symbol),
    ],
)
def test_imaginary_unit(text, kind):
    named = {node for node in walk(parse(text).expression) if getattr(node, "name", "")[:1] == "i"}
    assert {type(node) for node in named} == {kind}


# One structure, two spellings.

LEAVES = st.sampled_from(
    ["x", "rho", "V|w", "kappa|0", "B|parallel", "2", "0.5", "pi", "v|A", "M|odot", "T|eff"]
)
STRUCTURES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.just("sum"), inner, inner),
        st.tuples(st.just("difference"), inner, inner),
        st.tuples(st.just("product"), inner, inner),
        st.tuples(st.just("fraction"), inner, inner),
        st.tuples(st.just("power"), LEAVES, inner),
        st.tuples(st.just("root"), inner),
        st.tuples(st.just("function"), st.sampled_from(["sin", "ln", "tanh", "exp"]), inner),
    ),
    max_leaves=8,
)


def leaf(name, draw):
    letter, _, subscript = name.partition("|")
    if letter[0].isdigit():
        return letter
    spelled = {"rho": ["\\rho", "\\varrho", "ρ"], "kappa": ["\\kappa", "κ", "{\\kappa}"]}.get(
        letter, [letter, "{" + letter + "}", f"\\mathrm{{{letter}}}", f"\\mathit {letter}"]
    )
    if letter == "pi":
        return draw.choice(["\\pi ", "π", "{\\pi}"])
    text = draw.choice(spelled)
    if subscript:
        if subscript in ("parallel", "odot"):
            marks = [f"\\{subscript} ", f"{{\\{subscript}}}", "_"]
            text += "_" + draw.choice(marks[:2])
        else:
            fonts = ["{%s}", "{\\mathrm{%s}}", "{\\rm %s}", "{\\text{%s}}", "\\mathrm{%s}"]
            text += "_" + draw.choice(fonts) % subscript
    elif text.startswith("\\") and text[-1].isalpha():
        text += " "
    return text


def render(node, draw):
    gap = draw.choice(["", " ", "  ", "{}" * 0])
    if isinstance(node, str):
        return leaf(node, draw)
    kind, *parts = node
    if kind == "function":
        bracket = draw.choice(["({})", "\\left({}\\right)", "\\bigl({}\\bigr)", "\\Big( {} \\Big)"])
        return f"\\{parts[0]}{gap}" + bracket.format(render(parts[1], draw))
    inner = [render(part, draw) for part in parts]
    match kind:
        case "sum" | "difference":
            sign = "+" if kind == "sum" else draw.choice(["-", "−"])
            return f"({inner[0]}{gap}{sign}{gap}{inner[1]})"
        case "product":
            return f"({inner[0]}){draw.choice(['', ' ', chr(92) + ',', chr(92) + ';'])}({inner[1]})"
        case "fraction":
            return (
                draw.choice(["\\frac", "\\dfrac", "\\tfrac"]) + f"{gap}{{{inner[0]}}}{{{inner[1]}}}"
            )
        case "power":
            return f"({inner[0]})^{gap}{{{inner[1]}}}"
        case _:
            return f"\\sqrt{gap}{{{inner[0]}}}"


WRAPPERS = [
    "{}", "${}$", "$${}$$", "\\({}\\)", "\\[ {} \\]", "\\boxed{{{}}}", "$\\displaystyle {}$", "{}.",
    "\\begin{{equation}}{}\\end{{equation}}", "$ {}, $", "\\left[{}\\right]", "{} \\tag{{3}}",
]  # fmt: skip


@given(STRUCTURES, st.integers(0, 2**32), st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_fonts_spaces_and_brackets_change_nothing(structure, first, second):
    texts = []
    for seed in (first, second):
        draw = random.Random(seed)
        texts.append(draw.choice(WRAPPERS).format(render(structure, draw)))
    one, two = (parse(text).expression for text in texts)
    assert one == two, texts


PIECES = [
    "x", "f", "d", "e", "i", "2", "10", "1.5", "+", "-", "*", "/", "^", "_", "(", ")", "[", "]",
    "{", "}", "|", "=", "<", ",", ";", "'", "!", "&", "$", " ", "\\\\", "\\frac", "\\sqrt",
    "\\sin", "\\ln", "\\int", "\\sum", "\\partial", "\\nabla", "\\cdot", "\\times", "\\mathbf",
    "\\hat", "\\dot", "\\mathrm{", "\\text{", "\\left", "\\right", "\\quad", "\\lim", "\\to",
    "\\begin{cases}", "\\end{cases}", "\\infty", "\\rho", "\\Delta", "where", "for", "and", "²",
    "κ", "√", "\\pm", "\\langle", "\\rangle", "%", "~", ".", "dx", "\\over", "\\left.", "\\right|",
]  # fmt: skip


def assert_read_or_refused(text):
    refusal = None
    try:
        tree = parse(text).expression
    except ParseFailure as failure:
        refusal = failure
    if refusal is None:
        assert s_expression(tree)
    else:
        assert refusal.message
        assert 0 <= refusal.position <= len(text)


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(["", " "]))
@settings(max_examples=1500, deadline=None)
def test_any_text_is_read_or_refused(pieces, gap):
    text = gap.join(pieces)
    assert_read_or_refused(text)


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_characters_are_read_or_refused(text):
    assert_read_or_refused(text)


BOMBS = {
    "brackets": "(" * 2800 + "[" * 100 + "x" + "]" * 100 + ")" * 2800,
    "mixed brackets": "([" * 1400 + "x" + "])" * 1400,
    "ten thousand brackets": "(" * 10_000 + "x" + ")" * 10_000,
    "roots": r"\sqrt{" * 150 + "x" + "}" * 150,
    "fractions": r"\frac{1}{1+" * 100 + "x" + "}" * 100,
    "tower": "9**" * 900 + "9",
    "powers": "x" + "^2" * 2000,
    "factorials": "x" + "!" * 3000,
    "integrals": r"\int " * 2000 + "dx",
    "functions": r"\sin " * 3000 + "x",
    "nablas": r"\nabla\cdot " * 900 + "a",
    "gradients": r"\nabla " * 2000 + "f",
    "deltas": r"\Delta\mathbf{(" * 100 + "x" + ")}" * 100,
    "applications": "f(" * 500 + "x" + ")" * 500,
    "cases": r"\begin{cases}" * 1000,
    "lefts": r"\left(" * 2000,
    "hats": r"\hat" * 2000 + "x",
    "bars": "|" * 3000,
    "slashes with d": "d x/" * 1000,
    "megabytes": "x+" * 5_000_000,
    "digits": "1" * 100_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused(name):
    with pytest.raises(ParseFailure):
        parse(BOMBS[name])


@pytest.mark.parametrize("name", ["ten thousand brackets", "mixed brackets", "roots", "megabytes"])
def test_bombs_name_the_budget(name):
    with pytest.raises(ParseFailure) as caught:
        parse(BOMBS[name])
    assert caught.value.limit in ("characters", "depth")


def test_redundant_brackets_cost_nothing():
    assert parse("(" * 400 + "x^2" + ")" * 400).expression == parse("x^2").expression


def test_large_powers_are_not_worked_out():
    assert s_expression(parse("10^{10^{10}}").expression) == "(^ 10 10000000000)"
    assert s_expression(parse("9**9**9").expression) == "(^ 9 (^ 9 9))"
