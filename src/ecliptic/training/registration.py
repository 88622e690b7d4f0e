"""Which environments there are, and how Gymnasium comes to know them.

Gymnasium 1.x looks for no entry points of installed packages. An id is known after
``import ecliptic.training``, or names the module itself::

    gymnasium.make("ecliptic.training:ecliptic/RadialVelocity-Hard-v1")
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

STAR: Final = "ecliptic.training.star_environment:RadialVelocityEnv"
QUESTION: Final = "ecliptic.training.question_environment:HeliophysicsEnv"
_EVERY_TIER: Final = {"tiers": ["easy", "medium", "hard", "frontier"]}

ENVIRONMENTS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    **{
        f"ecliptic/RadialVelocity-{tier.capitalize()}-v1": (STAR, {"tier": tier})
        for tier in ("easy", "medium", "hard", "frontier", "faint")
    },
    "ecliptic/RadialVelocity-Curriculum-v1": (STAR, {"curriculum": _EVERY_TIER}),
    "ecliptic/Heliophysics-v1": (QUESTION, {}),
}
"""Of each id the class, and the arguments that are set; ``make`` may give others."""

IDS: Final[tuple[str, ...]] = tuple(ENVIRONMENTS)


def register_environments() -> None:
    """Make the ids known to Gymnasium; again is harmless, and so it is without Gymnasium."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    for name, (entry_point, arguments) in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point=entry_point, kwargs=arguments)
