"""Bodies of requests and responses, as the OpenAPI description shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Label = Annotated[str, Field(max_length=200, pattern=r"^[ -~]*$")]
"""Printable ASCII."""
TASK = "t-3f0a1b2c4d5e6f708192a3b4"
ATTEMPT = "0f1e2d3c4b5a69788796a5b4"
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class Message(BaseModel):
    """Base: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Health(Message):
    """The server is up."""

    status: Literal["ok"] = "ok"


class SuiteInfo(Message):
    """What is served."""

    name: str = Field(examples=["quick"])
    kind: Literal["stars", "questions"]
    checksum: str = Field(description="SHA-256 over the tasks' ids", examples=[DIGEST])
    commitment: str | None = Field(None, description="of a sealed suite: to its truth")
    tasks: int = Field(examples=[12])
    protocol: str = Field(examples=["strict"])
    feedback: str = Field(examples=["criteria"])
    tools: list[str] = Field(examples=[["observe", "submit", "python", "periodogram", "plot"]])
    version: str = Field(description="of ecliptic", examples=["0.1.0"])


class TaskList(Message):
    """A page of the tasks; their order tells nothing."""

    tasks: list[str] = Field(examples=[[TASK]])
    total: int = Field(examples=[12])


class NewAttempt(Message):
    """What an attempt is created with."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"task": TASK, "agent": "mine"}]})

    task: str = Field(description="an id from `GET /v1/tasks`", max_length=100, pattern=r"^[ -~]*$")
    agent: Label = ""
    model: Label = ""
    run: Label = Field(
        "",
        max_length=100,
        description="a name that attempts of one run on the suite share, for the leaderboard; "
        "takes the operator's key",
    )


class CreatedAttempt(Message):
    """The attempt, and its token, which is told this once."""

    attempt: str = Field(examples=[ATTEMPT])
    task: str = Field(examples=[TASK])
    token: str = Field(examples=[f"ea_{ATTEMPT}_" + "A" * 43])
    submissions: int = Field(examples=[5])
    seconds: float = Field(examples=[900.0])


class State(Message):
    """What is left of an attempt."""

    attempt: str = Field(examples=[ATTEMPT])
    protocol: str = Field(examples=["strict"])
    feedback: str = Field(examples=["criteria"])
    submissions: int = Field(description="how many the budget holds", examples=[5])
    submissions_left: int = Field(examples=[4])
    seconds: float = Field(examples=[900.0])
    seconds_left: float = Field(examples=[812.5])
    over: bool
    ending: str = Field(description="why it is over; empty while it goes on", examples=[""])


class Answer(Message):
    """What is told of a graded submission."""

    status: Literal["graded"]
    text: str = Field(
        description="for a language model", examples=["Submission 1 was graded.\n..."]
    )
    number: int = Field(description="of this submission, from 1", examples=[1])
    submissions_left: int = Field(examples=[4])
    seconds_left: float = Field(examples=[812.5])
    over: bool = Field(description="whether the attempt has ended with it")
    criteria: dict[str, bool] = Field(examples=[{"detection": True, "count": False}])
    figures: dict[str, Any] = Field(
        description="of your own residuals", examples=[{"rms_ms": 3.2, "chi_square": 91.0}]
    )


class History(State):
    """State, and what was told of each graded submission, in order."""

    answers: list[Answer]


class Indicator(BaseModel):
    """A measure of the star's activity."""

    name: str
    values_ms: list[float]
    sigmas_ms: list[float]


class StarData(BaseModel):
    """The public part of a star; all lists are of one length."""

    times_days: list[float]
    rvs_ms: list[float]
    sigmas_ms: list[float]
    instruments: list[str]
    star_mass_sun: float
    t_ref_days: float = Field(description="the epoch that l_rad refers to")
    indicators: list[Indicator] | None = None
    family: dict[str, Any] | None = Field(
        None, description="the models that it is graded with, and the range of periods"
    )


class Question(BaseModel):
    """A question."""

    preamble: list[str] = Field(description="earlier parts with their answers")
    question: str
    hint: str = Field(description="the form that the answer should have")
    type: str


class StarSeen(State):
    """A star, and what is left of the attempt."""

    observation: StarData


class QuestionSeen(State):
    """A question, and what is left of the attempt."""

    question: Question


class CellOutcome(Message):
    """What a cell came to; the code's own errors are in it."""

    text: str = Field(examples=["42\n"])
    images: list[str] = Field(description="PNG, base64")
    error: str | None = Field(None, examples=["ZeroDivisionError: division by zero"])
    seconds: float = Field(examples=[0.01])
    truncated: bool
    timed_out: bool
    session_lost: bool


class Peak(Message):
    """A peak of a periodogram."""

    period_days: float
    power: float = Field(ge=0, le=1)


class Power(Message):
    """A periodogram (Zechmeister & Kürster 2009): the share of chi-square that a sinusoid takes."""

    peaks: list[Peak] = Field(description="the highest first")
    false_alarm_power: float | None = Field(description="exceeded by white noise in 1 % of cases")
    period_days: list[float]
    power: list[float]


class Results(Message):
    """Signed results, the newest first."""

    results: list[dict[str, Any]]
    total: int


class PublicKey(Message):
    """What results are verified with."""

    algorithm: Literal["Ed25519"] = "Ed25519"
    public_key: str = Field(description="32 bytes, base64", examples=["A" * 43 + "="])


class LiveRun(Message):
    """Which live run is to be closed and signed."""

    run: str = Field(min_length=1, max_length=100, pattern=r"^[ -~]*$", examples=["spring"])
