"""Right and wrong variants of gold answers: what a grader must accept and must refuse.

A right variant says the same in another way (other unit, other order of terms, other wording); a
wrong one carries a slip whose effect is larger than the tolerance. Both are made from the record
alone, so that every set of questions can be tested against the grader that will judge it.
"""

from __future__ import annotations

from ecliptic.helio.variants.making import right_variants, wrong_variants
from ecliptic.helio.variants.variant import Variant

__all__ = ["Variant", "right_variants", "wrong_variants"]
