"""The bodies of answers, told in words in ``docs/server.md``; the OpenAPI description is made of these."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

OutcomeName = Literal["Parsed", "BackedOff", "Failed"]


class CertificateAnswer(BaseModel):
    """What is proved about an answer, and what it cost; numbers that are not finite are null."""

    optimal: bool
    score: float | None
    upper_bound: float | None
    gap: float | None
    explored: int
    agenda: int
    recursive_units: int
    decoder: str
    seconds: float
    stopped: str


class DependencyAnswer(BaseModel):
    """Word ``argument`` fills slot ``slot`` of word ``head``."""

    head: int
    category: str
    slot: int
    argument: int
    reach: str


class ParseAnswer(BaseModel):
    """One parse of a sentence."""

    derivation: dict[str, Any] = Field(description="As the format json writes it.")
    category: str
    score: float | None
    dependencies: list[DependencyAnswer]
    certificate: CertificateAnswer
    svg: str | None = Field(description="The derivation, drawn.")
    arcs: str | None = Field(description="The dependencies as arcs.")


class SentenceAnswer(BaseModel):
    """What there is to say of a sentence."""

    outcome: OutcomeName
    words: list[str]
    reason: str | None
    certificate: CertificateAnswer | None
    parses: list[ParseAnswer]


class ParseResults(BaseModel):
    """A result for each sentence, in order."""

    results: list[SentenceAnswer]


class ItemAnswer(BaseModel):
    """An item of a recorded search: a node over a span."""

    id: int
    category: int
    start: int
    end: int
    rule: str
    rule_name: str
    children: list[int]
    word: int | None
    inside: float
    outside: float
    local: float
    global_: float | None = Field(serialization_alias="global")
    priority: float
    pushed_at: int
    scored_at: int | None
    popped_at: int | None
    dropped_at: int | None
    in_parse: bool


class PushedAnswer(BaseModel):
    """An item that a step pushed, with its priority then."""

    item: int
    priority: float


class StepAnswer(BaseModel):
    """One step of a recorded search."""

    kind: Literal["start", "rescore", "pop", "drop", "goal"]
    item: int | None = None
    inside: float | None = None
    outside: float | None = None
    local: float | None = None
    global_: float | None = Field(None, serialization_alias="global")
    priority: float | None = None
    bound: float | None = None
    returned: float | None = None
    agenda_size: int
    explored: int
    recursive_units: int
    pushed: list[PushedAnswer]
    top: list[int]


class SearchAnswer(BaseModel):
    """A recorded search."""

    words: list[str]
    decoder: str
    recorded: bool
    note: str | None
    categories: list[str]
    items: list[ItemAnswer]
    steps: list[StepAnswer]
    total_steps: int
    truncated: bool
    parse: list[int]
    outcome: OutcomeName
    reason: str | None
    category: str | None
    score: float | None
    certificate: CertificateAnswer | None
    svg: str | None


class ComparedAnswer(BaseModel):
    """What one decoder says of the sentence."""

    decoder: str
    outcome: OutcomeName
    reason: str | None
    category: str | None
    score: float | None
    certificate: CertificateAnswer | None
    svg: str | None
    same_as_first: bool | None


class CompareResults(BaseModel):
    """A result for each decoder, in the order asked."""

    words: list[str]
    results: list[ComparedAnswer]


class Health(BaseModel):
    """That the server is up, and what it runs."""

    status: Literal["ok"]
    version: str
    model: str


class DecoderAnswer(BaseModel):
    """A decoder, and what it can do here."""

    name: str
    description: str
    exact: bool
    recorded: bool
    available: bool
    fits_model: bool


class FormatAnswer(BaseModel):
    """A format that /api/export writes."""

    name: str
    description: str
    extension: str
    media_type: str


class LimitsAnswer(BaseModel):
    """The limits of this server."""

    body_bytes: int
    characters: int
    words: int
    sentences: int
    nbest: int
    decoders: int
    steps: int
    seconds: float
    request_seconds: float
    concurrent: int
    waiting: int


class Models(BaseModel):
    """What this server can do."""

    model: str
    models: list[str]
    default_decoder: str
    decoders: list[DecoderAnswer]
    formats: list[FormatAnswer]
    limits: LimitsAnswer


class ErrorDetail(BaseModel):
    """A code for programs, a line for people, and the place in the body."""

    code: str
    message: str
    where: str | None


class ErrorAnswer(BaseModel):
    """The shape of every error."""

    error: ErrorDetail
