"""The bodies of answers, for the OpenAPI description; ``docs/server.md`` explains them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from starccg.server.limits import ServerLimits

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
    beam: float | None = Field(description="The tagger's beam: the proof is over the tags that it kept.")
    widened: bool
    over_all_tags: bool = Field(description="Whether the proof holds over all tags of the tagger.")


class ConfidenceAnswer(BaseModel):
    """How sure the parser is of the best parse."""

    posterior: float | None
    margin: float | None
    score: float | None
    probability: float | None = Field(description="That all dependencies are right, calibrated on other data.")


class DependencyAnswer(BaseModel):
    """Word ``argument`` fills slot ``slot`` of word ``head``."""

    head: int
    category: str
    slot: int
    argument: int
    reach: str
    relation: str | None = Field(description="A name such as subject or object.")


class ParseAnswer(BaseModel):
    """One parse of a sentence."""

    id: str
    category: str
    score: float | None
    fields: dict[str, str] | None = None
    conj_suffix: bool | None = None
    tokens: list[dict[str, Any]] = Field(description="As the format json writes them.")
    nodes: list[dict[str, Any]] = Field(description="As the format json writes them.")
    dependencies: list[DependencyAnswer]
    certificate: CertificateAnswer
    svg: str | None = Field(description="A drawing of the derivation.")
    arcs: str | None = Field(description="A drawing of the dependencies.")


class OutcomeAnswer(BaseModel):
    """The outcome of a sentence, as the format jsonl writes it, with drawings."""

    id: str
    outcome: OutcomeName
    words: list[str]
    offsets: list[list[int]] | None
    nbest: int
    reason: str | None
    certificate: CertificateAnswer | None
    confidence: ConfidenceAnswer | None
    parses: list[ParseAnswer]


class ParseResults(BaseModel):
    """A result for each sentence, in order."""

    results: list[OutcomeAnswer]


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


class SummaryAnswer(BaseModel):
    """An outcome without its trees."""

    outcome: OutcomeName
    reason: str | None
    category: str | None
    score: float | None
    certificate: CertificateAnswer | None = Field(description="Of the search that answered.")
    svg: str | None = Field(description="A drawing of the best parse.")


class SearchAnswer(SummaryAnswer):
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
    record: CertificateAnswer | None = Field(description="Of the recorded search.")
    difference: str | None = Field(description="How the recorded search differs from the one that answered.")


class ComparedAnswer(SummaryAnswer):
    """The result of one decoder."""

    decoder: str
    seconds: float | None = Field(description="The median time of the searches.")
    runs: int = Field(description="How many searches were timed; short ones are repeated.")
    same_as_first: bool | None


class CompareResults(BaseModel):
    """A result for each decoder, in the order asked."""

    words: list[str]
    results: list[ComparedAnswer]


class Health(BaseModel):
    """The version and the model of the server."""

    status: Literal["ok"]
    version: str
    model: str


class DecoderAnswer(BaseModel):
    """A decoder, and whether it can be used here."""

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


class Models(BaseModel):
    """What this server can do."""

    model: str
    models: list[str]
    default_decoder: str
    decoders: list[DecoderAnswer]
    formats: list[FormatAnswer]
    rules: dict[str, str] = Field(description="The names of rules, by the symbols that drawings have.")
    limits: ServerLimits


class ErrorDetail(BaseModel):
    """A code for programs, a message for people, and the place in the body."""

    code: str
    message: str
    where: str | None


class ErrorAnswer(BaseModel):
    """The shape of every error."""

    error: ErrorDetail
