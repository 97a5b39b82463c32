"""The bodies of requests; ``docs/server.md`` explains them, and the OpenAPI description is made of these."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

from starccg.server.describe import DECODERS, writable


class Request(BaseModel):
    """Strict: a number in quotes or a misspelt field is an error, so that the client notices it."""

    model_config = ConfigDict(strict=True, extra="forbid")
    either: ClassVar[tuple[str, str]]
    """Two fields, of which exactly one is needed."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        one, other = self.either
        if (getattr(self, one) is None) == (getattr(self, other) is None):
            raise ValueError(f"give either {one} or {other}")
        return self


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "a string"


Words = Annotated[list[str], Field(fail_fast=True)]
"""The first mistake ends the check: hundreds of thousands would take seconds to describe."""
TextOrWords = Annotated[
    Annotated[str, Tag("a string")] | Annotated[Words, Tag("a list")],
    Discriminator(_kind),
]
"""A sentence as written, or its words."""
DecoderName = Annotated[
    str | None,
    Field(
        description="A decoder of /api/models; null: the one the model was trained for.",
        json_schema_extra={"enum": [*DECODERS, None]},
    ),
]

Annotate = Annotated[bool, Field(description="Whether to add the part of speech and the lemma of each word.")]


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Count = Annotated[int, Field(ge=1), BeforeValidator(_whole)]
"""A whole number from 1, which JSON may write as 1 or as 1.0."""


def described(example: dict[str, Any], either: tuple[str, str]) -> ConfigDict:
    """The description beyond the fields: exactly one of two fields is needed; an example."""
    alternatives = [
        {"required": [one], "properties": {one: {"not": {"type": "null"}}, another: {"type": "null"}}}
        for one, another in (either, either[::-1])
    ]
    return ConfigDict(json_schema_extra={"examples": [example], "oneOf": alternatives})  # type: ignore[dict-item]


class ParseRequest(Request):
    """Text, or sentences, and how to parse them."""

    text: str | None = Field(None, description="Split into sentences; an empty line always ends one.")
    sentences: Annotated[list[TextOrWords], Field(fail_fast=True)] | None = Field(
        None, description="Instead of text: strings, or lists of words."
    )
    tokenized: bool = Field(False, description="Split strings only at spaces; each line of text is then a sentence.")
    decoder: DecoderName = None
    nbest: Count = Field(1, description="Parses of each sentence.")
    svg: bool = Field(True, description="Whether to add drawings.")
    annotate: Annotate = False
    confidence: bool = Field(False, description="Whether to compute how sure the parser is of the best parse.")

    either = ("text", "sentences")
    model_config = described({"text": "Fruit flies like bananas.", "nbest": 2}, either)


class SentenceRequest(Request):
    """One sentence: a text that is not split further, or its words."""

    text: str | None = Field(None, description="One sentence; it is not split further.")
    words: Words | None = Field(None, description="Instead of text: its words.")

    either = ("text", "words")


class ExportRequest(SentenceRequest):
    """Which parse to write, and in which format."""

    decoder: DecoderName = None
    rank: Count = Field(1, description="1: the best parse, 2: the next.")
    annotate: Annotate = False
    format: str = Field(
        description="A format of /api/models.", json_schema_extra={"enum": [form.name for form in writable()]}
    )

    model_config = described({"text": "It works.", "format": "auto"}, SentenceRequest.either)


class SearchRequest(SentenceRequest):
    """The search to record."""

    decoder: DecoderName = None
    max_steps: Count | None = Field(None, description="Steps to send; null: 2000, or the server's limit if less.")

    model_config = described({"text": "It works."}, SentenceRequest.either)


class CompareRequest(SentenceRequest):
    """The decoders to compare."""

    decoders: (
        Annotated[
            list[Annotated[str, Field(json_schema_extra={"enum": [*DECODERS]})]],
            Field(fail_fast=True, json_schema_extra={"minItems": 1}),
        ]
        | None
    ) = Field(None, description="Decoders of /api/models; null: all that are available.")
    svg: bool = Field(True, description="Whether to add drawings.")

    model_config = described({"text": "It works.", "decoders": ["global", "supertag"]}, SentenceRequest.either)
