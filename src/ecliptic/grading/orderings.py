"""Order of two things in doing one: ``A crosses it before B`` is ``B crosses it after A``."""

from __future__ import annotations

import re

_PAIRS = {
    "time": ("before|earlier than|sooner than|prior to", "after|later than"),
    "speed": ("faster than|more quickly than|more rapidly than", "slower than|more slowly than"),
    "height": ("higher than", "lower than"),
    "distance": ("farther than|further than", "closer than|nearer than"),
    "depth": ("deeper than", "shallower than"),
    "length": ("longer than", "shorter than"),
    "strength": ("more strongly than", "less strongly than|more weakly than"),
    "often": ("more often than|more frequently than", "less often than|less frequently than"),
    "amount": ("more than", "less than"),
}
_SIDES = {
    words: (axis, sign)
    for axis, sides in _PAIRS.items()
    for sign, alternatives in zip(("1", "-1"), sides, strict=True)
    for words in alternatives.split("|")
}
_ORDER = re.compile(
    rf"^(?P<doing>\S+ .+?) (?P<order>{'|'.join(_SIDES)}) (?P<other>\S+(?: \S+){{0,5}})$"
)
_TURNS = re.compile(
    r"\b(?:not|no|never|only|all|some|most|few|each|every|any|can|may|might|must|could|should|would"
    r"|or|and|but|if|unless|while|when|before|after|than|be|occur|come|place)\b"
)

Parts = tuple[str, ...]


def ordering(line: str) -> Parts | None:
    """Who does what, the other one, the axis and the side, for a clause in plain words."""
    match = _ORDER.match(line)
    if match is None or _TURNS.search(match["doing"]) or _TURNS.search(match["other"]):
        return None
    return (match["doing"], match["other"], *_SIDES[match["order"]])


def same_order(left: Parts, right: Parts) -> bool:
    """Whether two orderings say the same, straight or the other way round."""
    if left[2] != right[2]:
        return False
    if left[3] == right[3]:
        return left[:2] == right[:2]
    return _converse(left, right)


def turned_order(left: Parts, right: Parts) -> bool:
    """Whether two orderings contradict each other."""
    if left[2] != right[2]:
        return False
    if left[3] != right[3]:
        return left[:2] == right[:2]
    return _converse(left, right)


def _converse(left: Parts, right: Parts) -> bool:
    """``A does it`` beside ``B`` against ``B does it`` beside ``A``."""
    first, second = left[1], right[1]
    if first == second or not left[0].startswith(f"{second} "):
        return False
    return right[0] == first + left[0][len(second) :]
