"""The bodies of requests and answers, told in words in ``docs/server.md``; the OpenAPI description is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

from starccg.server.describe import DECODERS, writable

# ---- requests ----


class Request(BaseModel):
    """Strict: a number in quotes or a misspelt field is a mistake that the client should hear of."""

    model_config = ConfigDict(strict=True, extra="forbid")


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "a string"


TextOrWords = Annotated[
    Annotated[str, Tag("a string")] | Annotated[list[str], Tag("a list")],
    Discriminator(_kind),
]
"""A sentence as written, or its words."""
DecoderName = Annotated[
    str | None,
    Field(
        description="A decoder of /api/models; null: the one the model is made for.",
        json_schema_extra={"enum": [*DECODERS, None]},
    ),
]


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number, which JSON may write as 1 or as 1.0."""


def described(example: dict[str, Any], either: str, other: str) -> ConfigDict:
    """What the description says beyond the fields: that one of two is needed, and not both; an example."""
    alternatives = [
        {"required": [one], "properties": {one: {"not": {"type": "null"}}, another: {"type": "null"}}}
        for one, another in ((either, other), (other, either))
    ]
    return ConfigDict(
        strict=True,
        extra="forbid",
        json_schema_extra={"examples": [example], "oneOf": alternatives},  # type: ignore[dict-item]
    )


class ParseRequest(Request):
    """Text, or sentences, and how to parse them."""

    text: str | None = Field(None, description="Split into sentences; an empty line always ends one.")
    sentences: list[TextOrWords] | None = Field(None, description="Instead of text: strings, or lists of words.")
    tokenized: bool = Field(False, description="Split strings at blanks alone; a line of text is then a sentence.")
    decoder: DecoderName = None
    nbest: Whole = Field(1, ge=1, description="Parses of each sentence.")
    svg: bool = Field(True, description="Drawings too.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.sentences is None):
            raise ValueError("give either text or sentences")
        return self

    model_config = described({"text": "Fruit flies like bananas.", "nbest": 2}, "text", "sentences")


class SentenceRequest(Request):
    """One sentence: a text taken whole, or its words."""

    text: str | None = Field(None, description="One sentence, taken whole.")
    words: list[str] | None = Field(None, description="Instead of text: its words.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.words is None):
            raise ValueError("give either text or words")
        return self


class ExportRequest(SentenceRequest):
    """Which parse to write, and how."""

    decoder: DecoderName = None
    rank: Whole = Field(1, ge=1, description="1: the best parse, 2: the next.")
    format: str = Field(
        description="A format of /api/models.", json_schema_extra={"enum": [form.name for form in writable()]}
    )

    model_config = described({"text": "It works.", "format": "auto"}, "text", "words")


class SearchRequest(SentenceRequest):
    """The search to record."""

    decoder: DecoderName = None
    max_steps: Whole | None = Field(None, ge=1, description="How many steps to send; null: 2000, or the limit if less.")

    model_config = described({"text": "It works."}, "text", "words")


class CompareRequest(SentenceRequest):
    """The decoders to compare."""

    decoders: list[Annotated[str, Field(json_schema_extra={"enum": [*DECODERS]})]] | None = Field(
        None, description="Decoders of /api/models; null: all that are available."
    )
    svg: bool = Field(True, description="Drawings too.")

    model_config = described({"text": "It works.", "decoders": ["global", "supertag"]}, "text", "words")


# ---- answers ----

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
