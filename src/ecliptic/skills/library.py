"""Finding skills: the shipped ones, or those of a folder; by name and by world."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from ecliptic.errors import UsageError
from ecliptic.skills.skill import FILE_NAME, Skill, read_skill_folder


def load_skills(
    names: Sequence[str] | None = None,
    *,
    world: str | None = None,
    folder: str | Path | None = None,
) -> list[Skill]:
    """Skills, each checked, those that others build on before them.

    Parameters
    ----------
    names
        Only these, and what they need.
    world
        Only those for this world (``rv``, ``helio``) or for any.
    folder
        A folder of skills, or of one skill, instead of the shipped ones. Such skills may need
        shipped ones.

    Raises
    ------
    UsageError
        A skill breaks the format (file and field are named), a name is not known, a need cannot
        be met, or nothing is left.
    """
    known = dict(_shipped()) if folder is None else _of_folder(Path(folder))
    chosen = list(known) if names is None else [_known(name, known) for name in names]
    if world is not None:
        chosen = [name for name in chosen if world in (known[name].worlds or (world,))]
        if not chosen:
            worlds = sorted({each for skill in known.values() for each in skill.worlds})
            raise UsageError(
                f"no skill is for the world '{world}'; there are some for: {', '.join(worlds)}"
            )
    return _in_order(chosen, {**_shipped(), **known})


@cache
def _shipped() -> Mapping[str, Skill]:
    return _of_folder(Path(str(files("ecliptic.skills") / "shipped")))


def _of_folder(folder: Path) -> dict[str, Skill]:
    if not folder.is_dir():
        raise UsageError(f"{folder}: is not a folder; name one that holds skills")
    if (folder / FILE_NAME).is_file():
        inner = [folder]
    else:
        inner = sorted(path.parent for path in folder.glob(f"*/{FILE_NAME}"))
    if not inner:
        raise UsageError(f"{folder}: holds no skill (a folder with a {FILE_NAME})")
    return {skill.name: skill for skill in map(read_skill_folder, inner)}


def _known(name: str, known: Iterable[str]) -> str:
    if name in known:
        return name
    close = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}"
    raise UsageError(f"no skill '{name}'; {hint}")


def _in_order(names: Iterable[str], known: Mapping[str, Skill]) -> list[Skill]:
    ordered: dict[str, Skill] = {}
    under_way: list[str] = []

    def add(name: str) -> None:
        if name in ordered:
            return
        if name in under_way:
            raise UsageError(f"skills need each other in a circle: {' -> '.join(under_way)}")
        under_way.append(name)
        for need in known[name].needs:
            if need not in known:
                raise UsageError(f"skill {name}: field 'metadata.needs': no skill '{need}'")
            add(need)
        under_way.pop()
        ordered[name] = known[name]

    for name in names:
        add(name)
    return list(ordered.values())
