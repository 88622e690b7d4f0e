"""The closed vocabulary of textual claims: opposites, directions, negations and filler words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

AXES: dict[str, tuple[str, str]] = {
    # name of an axis: words of its positive side, words of its negative side
    "amount": (
        "increase rise grow climb higher larger greater bigger more stronger strengthen enhance "
        "enhanced amplify raise up gain boost elevated increased upward",
        "decrease fall drop decline lower smaller less fewer weaker weaken reduce diminish shrink "
        "down lose decay reduced decreased suppress suppressed attenuate downward deplete depleted",
    ),
    "hardness": ("harden harder flatten flatter hard", "soften softer steepen steeper soft"),
    "speed": ("accelerate faster fast quick quicker", "decelerate slower slow brake"),
    "thickness": ("thicken thicker thick", "thin thinner thinning"),
    "width": ("widen wider broaden broader expand wide broad", "narrow narrower contract"),
    "heat": ("heat hotter warmer hot heated warm", "cool cooler colder cold cooled"),
    "density": ("denser compress compressed dense", "rarefied rarefy tenuous"),
    "stability": ("stable stabilise stabilize stabilised", "unstable destabilise destabilize"),
    "radial": ("outward outwards away antisunward", "inward inwards toward towards sunward"),
    "extremum": ("maximum maximal max peak", "minimum minimal min trough"),
    "orientation": ("parallel aligned", "perpendicular orthogonal transverse antiparallel"),
    "quasi": ("quasiparallel", "quasiperpendicular"),
    "sense": ("prograde", "retrograde"),
    "rotation": ("clockwise", "counterclockwise anticlockwise"),
    "sign": ("positive positively", "negative negatively"),
    "openness": ("open", "closed"),
    "north": ("north northern northward", "south southern southward"),
    "east": ("east eastern eastward", "west western westward"),
    "order": ("before earlier precede", "after later follow"),
    "stream": ("upstream", "downstream"),
    "sonic": ("supersonic superalfvenic supercritical", "subsonic subalfvenic subcritical"),
    "polarity": (
        "yes true right valid possible allowed",
        "no false wrong invalid impossible forbidden",
    ),
    "linear": ("linear", "nonlinear"),
    "elastic": ("compressible", "incompressible"),
    "charge": ("ion proton ions", "electron electrons"),
    "laminar": ("laminar", "turbulent"),
    "handed": ("righthanded righthand", "lefthanded lefthand"),
    "rarity": ("collisional", "collisionless"),
    "opacity": ("thick opaque", "transparent"),
    "lead": ("lead ahead", "lag behind trail"),
    "nearness": ("closer nearer", "farther further"),
    "length": ("longer", "shorter"),
    "tail": ("earthward earthwards", "tailward tailwards"),
    "pole": ("poleward polewards", "equatorward equatorwards"),
    "day": ("dayside", "nightside"),
    "symmetry": ("symmetric symmetrical", "antisymmetric asymmetric antisymmetrical"),
    "correlation": ("correlated correlation", "anticorrelated anticorrelation"),
    "lines": ("emission", "absorption"),
    "size": ("large big", "small tiny"),
    "level": ("high", "low"),
    "power": ("strong strongly", "weak weakly"),
    "mass": ("heavier", "lighter"),
    "propagation": ("propagating propagate", "evanescent"),
    "force": ("attract attractive", "repel repulsive"),
    "binding": ("bound", "unbound"),
    "ionisation": ("ionised", "neutral"),
    "uniformity": ("homogeneous uniform", "inhomogeneous nonuniform"),
    "isotropy": ("isotropic", "anisotropic"),
    "reversal": ("reversible", "irreversible"),
    "plenty": ("overdense", "underdense"),
    "divergence": ("converge convergent converging", "diverge divergent diverging"),
    "extent": ("finite", "infinite"),
    "parity": ("even", "odd"),
    "way": ("forward", "backward"),
    "implosion": ("blueshift blueshifted", "redshift redshifted"),
}  # fmt: skip
"""Words on the two sides of an axis contradict each other."""

QUALIFIERS = {
    *("size", "level", "power", "mass", "length", "nearness", "uniformity", "extent", "parity"),
    *("way", "lines", "plenty", "isotropy", "ionisation", "binding"),
}
"""Axes of words that say how a thing is: two contradict where they stand at the same thing."""

MOVING = {"amount", "hardness", "speed", "thickness", "width", "heat", "density", "stability"}
"""Axes along which something changes; the others only place it."""

UNCHANGED = frozenset(
    [
        "constant", "unchanged", "independent", "independently", "unaffected", "same", "conserved",
        "invariant", "steady", "uncorrelated", "flat",
    ]
)  # fmt: skip
DEPENDENCE = frozenset({"depend", "affect", "influence", "change", "vary", "matter", "effect"})
NEGATIONS = frozenset(
    ["not", "no", "never", "neither", "nor", "without", "cannot", "isnt", "doesnt", "dont",
     "arent", "wont", "none", "nothing", "unlike", "except", "fail", "hardly", "barely"]
)  # fmt: skip
CONTRASTS = ("rather than", "instead of", "as opposed to", "but not", "opposite of", "other than")
DOMINATION = (
    (r"\b(?:is|are|was|were|being)\s+(?:dominated|exceeded|outweighed|overcome)\s+by\b", -1),
    (
        r"\b(?:dominat\w+(?:\s+over)?|exceed\w*|outweigh\w*|overcome\w*|overwhelm\w*|surpass\w*)\b",
        1,
    ),
    (
        r"\b(?:is|are|was|were)\s+(?:much\s+|far\s+)?"
        r"(?:greater|larger|stronger|higher|bigger|faster|more\s+important)\s+than\b",
        1,
    ),
    (
        r"\b(?:is|are|was|were)\s+(?:much\s+|far\s+)?"
        r"(?:less|smaller|weaker|lower|slower|less\s+important)\s+than\b",
        -1,
    ),
    (r"\b(?:is|are)\s+negligible\s+(?:compared\s+)?(?:to|with)\b", -1),
)
FILLER = frozenset(
    [
        "a", "an", "the", "this", "that", "these", "those", "it", "its", "is", "are", "was", "were",
        "be", "been", "being", "become", "becomes", "of", "in", "at", "on", "to", "for", "by",
        "from", "as", "and", "with", "into", "which", "there", "their", "then", "so", "thus",
        "hence", "therefore", "also", "very", "much", "do", "does", "did", "will", "would", "can",
        "could", "may", "might", "must", "should", "has", "have", "had", "get", "gets", "we", "i",
        "answer", "final", "correct", "process", "mechanism", "call", "called", "known", "type",
        "kind", "one", "over", "than", "when", "while", "if", "under", "due", "because", "about",
        "generally", "typically", "strongly", "function", "value", "overall", "result", "case",
    ]
)  # fmt: skip
SYNONYMS = {
    "cme": "coronal mass ejection", "sep": "solar energetic particle",
    "mhd": "", "magnetohydrodynamic": "", "mode": "", "type": "", "rises": "rise",
}  # fmt: skip

_SIDES = {
    word: (axis, side)
    for axis, (positive, negative) in AXES.items()
    for side, words in ((1, positive), (-1, negative))
    for word in words.split()
}


def plain_words(text: str) -> list[str]:
    """Lower-case words without accents, LaTeX, hyphens and endings of inflection."""
    return list(_plain_words(text))


@lru_cache(maxsize=512)
def _plain_words(text: str) -> tuple[str, ...]:
    text = unicodedata.normalize("NFKD", text)
    text = "".join(character for character in text if not unicodedata.combining(character))
    text = re.sub(r"\\[A-Za-z]+|[${}_^]", " ", text.casefold())
    text = re.sub(r"\b(quasi|super|sub|anti|non|counter|left|right)[-\s](?=[a-z]{4})", r"\1", text)
    text = re.sub(r"(?<=[a-z]{3})iz(?=e[ds]?\b|ing\b|ations?\b)", "is", text)
    text = text.replace("n't", " not").replace("’t", " not").replace("'s", "")
    words = re.findall(r"[a-z0-9]+", text)
    plain: list[str] = []
    for word in words:
        word = SYNONYMS.get(word, word)
        plain += [stem(part) for part in word.split()]
    return tuple(plain)


def stem(word: str) -> str:
    """A word without plural or verb ending, unless the vocabulary knows it as it is."""
    if word in _SIDES or word in NEGATIONS or word in UNCHANGED or word in FILLER:
        return word
    for ending, least in (("ing", 4), ("ed", 4), ("es", 4), ("s", 3), ("ly", 4)):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            base = word[: -len(ending)]
            for form in (base, base + "e", base[:-1] if base[-1:] == base[-2:-1] else base):
                if form in _SIDES or form in DEPENDENCE:
                    return form
            if ending in {"es", "s"}:
                return word[:-1] if ending == "s" or word[-3] not in "sxh" else base
            if ending == "ing":
                return base
    return word


def side(word: str) -> tuple[str, int] | None:
    """Axis and side of a word, if it has one."""
    return _SIDES.get(word)


def opposites(gold: Sequence[str], answer: Sequence[str]) -> tuple[str, str, str] | None:
    """An axis on which the two stand on different sides, with the words."""
    left = {found[0]: (found[1], word) for word in gold if (found := side(word)) is not None}
    right: dict[str, set[int]] = {}
    shown: dict[str, str] = {}
    for word in answer:
        if (found := side(word)) is not None:
            right.setdefault(found[0], set()).add(found[1])
            shown[found[0]] = word
    for axis, (value, word) in left.items():
        if right.get(axis) == {-value}:
            return axis, word, shown[axis]
    return _by_prefix(gold, set(answer))


_PREFIXES = (
    *(("up", "down"), ("over", "under"), ("super", "sub"), ("in", "out"), ("pre", "post")),
    *(("hyper", "hypo"), ("un", ""), ("non", ""), ("anti", ""), ("in", ""), ("ir", ""), ("a", "")),
)
_NO_OPPOSITES = frozenset({"increase", "inform", "include", "indeed", "inside", "along", "about"})


def _by_prefix(gold: Sequence[str], answer: set[str]) -> tuple[str, str, str] | None:
    """A word of which the answer has the opposite by its prefix: ``upwind`` and ``downwind``."""
    for word in gold:
        if word in answer or word in _NO_OPPOSITES:
            continue
        for pair in _PREFIXES:
            for one, other in (pair, pair[::-1]):
                rest = word.removeprefix(one)
                turned = other + rest
                if word.startswith(one) and len(rest) >= 4 and turned != word and turned in answer:
                    return "prefix", word, turned
    return None


DOUBT = frozenset(
    stem(word)
    for word in (
        *("claim", "misconception", "myth", "false", "incorrect", "wrong", "untrue", "mistaken"),
        *("doubt", "doubtful", "nobody", "none", "whether", "unknown", "unclear", "uncertain"),
        *("perhaps", "maybe", "possibly", "might", "may", "could", "cannot", "unless", "if"),
        *("either", "contrary", "deny", "denied", "supposedly", "allegedly", "debated", "disputed"),
        *("hypothetical", "know", "student", "opposite", "converse", "reverse", "vice", "textbook"),
        *("say", "said", "people", "think", "thought", "believe", "believed", "suppose", "assume"),
        *("assumed", "wait", "actually", "oops", "correction", "mistake", "scratch", "retract"),
        *("argue", "argued", "alleged", "pretend", "imagine", "question", "sorry", "guess"),
        *("naive", "naively", "nonsense", "refuted", "disproved", "erroneous", "fallacy", "joke"),
        *("kidding", "joking", "lie", "nope", "disagree", "reject", "rejected", "untenable"),
    )
)
"""Words that can turn a claim around, or leave it open, from outside the claim."""
