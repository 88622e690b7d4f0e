"""What a study file may say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from ecliptic.model import Model, Text, field_error

SkillMode = Literal["none", "injected", "on_demand"]
RetrievalMode = Literal["none", "formulary", "examples"]
MAX_SEED = 2**31 - 1
"""The largest sampling seed that all providers take."""


def _listed(value: object) -> object:
    """A single value stands for a list of one."""
    return (value,) if isinstance(value, str | int | float | dict) or value is None else value


def _named(value: object) -> object:
    """YAML reads the word ``null`` as nothing; here it is the name of a solver."""
    return "null" if value is None else value


Name = Annotated[Text, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=60)]
Names = Annotated[tuple[Text, ...], BeforeValidator(_listed)]
Count = Annotated[int, Field(ge=1, strict=True)]
Epochs = Annotated[int, Field(ge=1, le=10_000, strict=True)]
Seed = Annotated[int, Field(ge=0, lt=2**128, strict=True)]
SamplingSeed = Annotated[int, Field(ge=0, le=MAX_SEED, strict=True)]


class Baseline(Model):
    """A solver without a language model, with options of its own."""

    solver: Annotated[Text, BeforeValidator(_named)]
    options: Mapping[str, Any] = Field(default_factory=dict)


def _baseline(value: object) -> object:
    return value if isinstance(value, dict) else {"solver": _named(value)}


Baselines = Annotated[
    tuple[Annotated[Baseline, BeforeValidator(_baseline)], ...], BeforeValidator(_listed)
]
SkillModes = Annotated[tuple[SkillMode, ...], BeforeValidator(_listed)]
RetrievalModes = Annotated[tuple[RetrievalMode, ...], BeforeValidator(_listed)]


class Entry(Model):
    """What all entries of ``suites`` share; the four axes are the study's unless given here.

    Attributes
    ----------
    label
        Shown in tables and used for folders; by default made from the source's name.
    limit
        Only so many tasks, the first ones.
    """

    label: Name | None = None
    limit: Count | None = None
    agents: Names | None = None
    baselines: Baselines | None = None
    skills: SkillModes | None = None
    retrieval: RetrievalModes | None = None

    @model_validator(mode="after")
    def _once(self) -> Self:
        _refuse_twice(self, "agents", "baselines", "skills", "retrieval")
        return self


class StarOptions(Entry):
    """How stars are put before an agent; see :func:`ecliptic.evals.stargazer`.

    ``hand_in: auto`` is by tool, for ``local`` by text.
    """

    tiers: Names | None = None
    per_tier: Count | None = None
    protocol: Text | None = None
    feedback: Literal["none", "statistical", "criteria", "paper"] = "criteria"
    hand_in: Literal["auto", "tool", "text"] = "auto"
    isolation: Literal["auto", "bubblewrap", "unconfined"] = "auto"
    images: bool = True


class Stars(StarOptions):
    """A suite of stars: a shipped name, a folder, or a Parquet file."""

    stars: Text


class GeneratedStars(StarOptions):
    """Suites of stars made from seeds, one a seed (:func:`ecliptic.rv.generate_many`)."""

    generate: Literal["stars"]
    seeds: Annotated[tuple[Seed, ...], BeforeValidator(_listed), Field(min_length=1)]
    count: Count
    recipe: Text = "ecliptic"
    tier: Text | None = None


class QuestionOptions(Entry):
    """How questions are put before an agent; see :func:`ecliptic.evals.helio`."""

    types: Names | None = None
    per_type: Count | None = None
    hints: bool = True
    passages: Annotated[int, Field(ge=1, le=20, strict=True)] = 3
    """How many passages or examples are retrieved for a question."""


class Questions(QuestionOptions):
    """Question records: a shipped set, ``rws``, or a file of JSON lines."""

    questions: Text


class GeneratedQuestions(QuestionOptions):
    """Question records made from seeds, one set a seed (:func:`ecliptic.helio.generate_many`)."""

    generate: Literal["questions"]
    seeds: Annotated[tuple[Seed, ...], BeforeValidator(_listed), Field(min_length=1)]
    count: Count
    families: Names | None = None
    forms: Names | None = None


class ForeignBenchmark(Entry):
    """Somebody else's benchmark, each pattern around its own solver.

    Attributes
    ----------
    arguments
        Of its task.
    data
        A folder that holds its data set in the layout that ``datasets`` accepts; without it the
        data set is taken from the cache or the network.
    """

    benchmark: Text
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    data: Text | None = None


AnyEntry = Stars | GeneratedStars | Questions | GeneratedQuestions | ForeignBenchmark
ENTRIES: Mapping[str, type[AnyEntry]] = {
    "stars": Stars,
    "questions": Questions,
    "benchmark": ForeignBenchmark,
    "generate stars": GeneratedStars,
    "generate questions": GeneratedQuestions,
}
"""By the key that tells them apart."""
GENERATED: tuple[str, ...] = ("stars", "questions")


class Price(Model):
    """Of a million tokens, in any currency."""

    read: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    written: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Study(Model):
    """A grid of cells: each suite with each agent, model, mode and sampling seed.

    Attributes
    ----------
    agents
        Patterns; ``all`` for all of them.
    baselines
        Solvers, on stars only, once a suite: no model, no sampling seed, one attempt a task.
    models
        ``PROVIDER/MODEL``, or ``local``.
    skills
        On stars and questions.
    retrieval
        What stands before a question: nothing, passages of the formulary, or worked examples.
    epochs
        Attempts of a cell on each task.
    seeds
        Sampling seeds: each is a cell of its own, and goes with every call to the provider as
        ``seed``. Without any, none is sent.
    roles
        Models for roles, such as ``verifier``.
    routing
        Whether fixed patterns, the rule router and the oracle router are compared at the end.
    """

    name: Name
    title: Text = ""
    suites: Annotated[tuple[AnyEntry, ...], Field(min_length=1)]
    agents: Names = ()
    baselines: Baselines = ()
    models: Names = ()
    skills: SkillModes = ("none",)
    retrieval: RetrievalModes = ("none",)
    epochs: Epochs = 1
    seeds: Annotated[tuple[SamplingSeed, ...], BeforeValidator(_listed)] = ()
    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    roles: Mapping[Text, Text] = Field(default_factory=dict)
    allow_self_judge: bool = False
    prices: Mapping[Text, Price] = Field(default_factory=dict)
    routing: bool = False

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for name in ("skills", "retrieval"):
            if not getattr(self, name):
                raise field_error(name, "must not be empty; leave it out, or write 'none'")
        _refuse_twice(self, "agents", "baselines", "models", "skills", "retrieval", "seeds")
        judge = self.roles.get("verifier")
        if judge in self.models and not self.allow_self_judge:
            raise field_error(
                "roles.verifier",
                f"is the model under test ({judge}); bind another one, or set "
                "'allow_self_judge: true'",
            )
        return self


def _refuse_twice(model: Model, *names: str) -> None:
    for name in names:
        values = getattr(model, name) or ()
        for value in values:
            if values.count(value) > 1:
                shown = value.solver if isinstance(value, Baseline) else value
                raise field_error(name, f"names {shown} twice; remove one")


SKILL_MODES: tuple[str, ...] = get_args(SkillMode)
