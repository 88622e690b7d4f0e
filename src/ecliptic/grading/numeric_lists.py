"""Several quantities against several: who is whose partner, and what is left over."""

from __future__ import annotations

import re
from dataclasses import replace

from ecliptic.grading.comparison import Comparison, different, same
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.numeric_quantity import compare_quantities
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.rules import Rules
from ecliptic.grading.shown_quantities import METHOD, shown
from ecliptic.grading.unit_alignment import align


def compare_alternatives(
    wanted: tuple[Quantity, ...], given: tuple[Quantity, ...], rules: Rules
) -> Comparison:
    """Alternatives are one answer only if all of them agree, or are all the gold's values."""
    if len(wanted) > 1:
        return compare_all(wanted, given, rules)
    results = [compare_quantities(wanted[0], quantity, rules) for quantity in given]
    if all(result.outcome == "same" for result in results) and _agree(given):
        return results[0]
    return different(
        Code.SEVERAL_ANSWERS,
        "the answer offers different values as alternatives",
        method=METHOD,
        values=[shown(quantity) for quantity in given],
    )


_ONE_VALUE = Rules(relative_tolerance=0.01)


def _agree(given: tuple[Quantity, ...]) -> bool:
    """Whether all are one value to 1 per cent, in whatever unit: stated again, not hedged."""
    first = given[0]
    return all(
        compare_quantities(first, again, _ONE_VALUE).outcome == "same" for again in given[1:]
    )


def compare_one_of_many(gold: Quantity, given: tuple[Quantity, ...], rules: Rules) -> Comparison:
    """The one value with the gold's name among others with names; else all must agree."""
    results = [compare_quantities(gold, quantity, rules) for quantity in given]
    right = [index for index, result in enumerate(results) if result.outcome == "same"]
    if len(right) == len(given) and _agree(given):
        return results[0]
    named = [index for index, quantity in enumerate(given) if quantity.label == gold.label]
    labels = {quantity.label for quantity in given}
    if gold.label and len(named) == 1 and len(labels) == len(given) and "" not in labels:
        return results[named[0]]  # the other values bear other names
    if not right:
        return results[0] if len(named) != 1 else results[named[0]]
    others = [index for index in range(len(given)) if index not in right]
    if _agree(tuple(given[index] for index in right)) and all(
        _is_another_kind(gold, given[index]) for index in others
    ):
        return results[right[0]]
    return different(
        Code.EXTRA_SOLUTION,
        "one value is right and others are stated beside it",
        method=METHOD,
        values=[shown(quantity) for quantity in given],
    )


def _is_another_kind(gold: Quantity, other: Quantity) -> bool:
    """Whether a value with a unit is of another dimension, hence a step and no further answer."""
    return (
        gold.unit is not None
        and other.unit is not None
        and any(gold.unit.exponents)
        and any(other.unit.exponents)
        and align(gold.unit, other.unit, _LENIENT).fault is Code.UNIT_INCOMPATIBLE
    )


_LENIENT = Rules(temperature_is_energy=True, mass_is_energy=True, hertz_is_radian_per_second=True)


def compare_in_order(
    wanted: tuple[Quantity, ...], given: tuple[Quantity, ...], rules: Rules
) -> Comparison:
    """Components of two tuples, each against the one in its place."""
    results = [compare_quantities(*pair, rules) for pair in zip(wanted, given, strict=True)]
    wrong = [result for result in results if result.outcome != "same"]
    if not wrong:
        used = dict.fromkeys(name for result in results for name in result.rules)
        return same(method=METHOD, rules=tuple(used))
    if _fits_in_any_order(wanted, given, rules):
        return different(Code.SWAPPED, "the components are exchanged", method=METHOD)
    return wrong[0]


def compare_all(
    wanted: tuple[Quantity, ...], given: tuple[Quantity, ...], rules: Rules
) -> Comparison:
    """Every gold value needs a partner: by label, else by order among values that fit."""
    partners = _partners(wanted, given, rules)
    results = [
        None if index is None else compare_quantities(wanted[place], given[index], rules)
        for place, index in enumerate(partners)
    ]
    wrong = [result for result in results if result is not None and result.outcome != "same"]
    missing = [shown(wanted[place]) for place, result in enumerate(results) if result is None]
    if wrong:
        labels = {quantity.label for quantity in wanted}
        if len(labels) == len(wanted) and not missing and _fits_in_any_order(wanted, given, rules):
            return different(
                Code.SWAPPED, "the values are exchanged between their names", method=METHOD
            )
        return wrong[0]
    if missing:
        if rules.one_root_is_enough and len({quantity.label for quantity in wanted}) == 1:
            return same(method=METHOD, rules=("one_root_is_enough",))
        return different(
            Code.INCOMPLETE,
            f"{len(missing)} of {len(wanted)} values missing",
            method=METHOD,
            missing=missing,
        )
    extra = [shown(q) for index, q in enumerate(given) if index not in set(partners)]
    if extra:
        return different(
            Code.EXTRA_SOLUTION,
            "all values are right and more are stated",
            method=METHOD,
            extra=extra,
        )
    return same(
        method=METHOD,
        rules=tuple(dict.fromkeys(name for result in results if result for name in result.rules)),
    )


def _partners(
    wanted: tuple[Quantity, ...], given: tuple[Quantity, ...], rules: Rules
) -> list[int | None]:
    partners: list[int | None] = [None] * len(wanted)
    free = list(range(len(given)))
    names = [quantity.label for quantity in given]
    titles = [quantity.label for quantity in wanted]
    for place, gold in enumerate(wanted):
        if gold.label and names.count(gold.label) == titles.count(gold.label) == 1:
            index = names.index(gold.label)
            if index in free:
                partners[place] = index
                free.remove(index)
    for place, index in _by_words(wanted, given).items():
        if partners[place] is None and index in free:
            partners[place] = index
            free.remove(index)
    ordered = len({quantity.label for quantity in wanted}) > 1
    for place, gold in enumerate(wanted):
        if partners[place] is None and free:
            fits = [i for i in free if align(gold.unit, given[i].unit, rules).fault is None]
            right = [i for i in fits if compare_quantities(gold, given[i], rules).outcome == "same"]
            if not ordered and right:
                chosen = right[0]
            elif len(free) < sum(partner is None for partner in partners) and not right:
                continue
            else:
                chosen = (fits or free)[0]
            partners[place] = chosen
            free.remove(chosen)
    return partners


def _by_words(wanted: tuple[Quantity, ...], given: tuple[Quantity, ...]) -> dict[int, int]:
    """Partners by words that no other bears: ``slow wind 300 km/s``, ``Slow: 300 km/s``."""
    titles, names = _telling(wanted), _telling(given)
    shared = {
        place: [index for index, name in enumerate(names) if title & name]
        for place, title in enumerate(titles)
    }
    found = {place: indices[0] for place, indices in shared.items() if len(indices) == 1}
    taken = list(found.values())
    return {place: index for place, index in found.items() if taken.count(index) == 1}


def _telling(quantities: tuple[Quantity, ...]) -> list[set[str]]:
    """The words that only one of several quantities bears."""
    words = [set(_WORD.findall(f"{q.words} {q.label}".lower())) for q in quantities]
    return [
        own - set().union(*(words[:place] + words[place + 1 :])) for place, own in enumerate(words)
    ]


_WORD = re.compile(r"[^\W\d_]{3,}")


def _fits_in_any_order(
    wanted: tuple[Quantity, ...], given: tuple[Quantity, ...], rules: Rules
) -> bool:
    free = [replace(quantity, label="") for quantity in given]
    for gold in wanted:
        match = next(
            (q for q in free if compare_quantities(gold, q, rules).outcome == "same"), None
        )
        if match is None:
            return False
        free.remove(match)
    return True
