"""Text to sentences: a full stop ends a sentence if the text after it looks like the beginning of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from starccg.text.blocks import BREAK, mark_blocks, mask_markdown
from starccg.text.lexicon import ABBREVIATIONS, STARTERS, TITLES
from starccg.text.tokeniser import Token, tokenise, words

_ENDS = frozenset(".!?…。！？")
_CLOSERS = frozenset({'"', "'", "''", "”", "’", ")", "]", "}", "»", "’’", ">", ">>"})
_OPENERS = frozenset({'"', "'", "``", "“", "‘", "(", "[", "{", "«", "-", "*", "•", "·", "<", "<<"})
NEAR = 8
"""How many brackets and quotation marks around the end of a sentence are skipped, at most."""


@dataclass(frozen=True, slots=True)
class TextSentence:
    """The tokens of one sentence, with their offsets in the whole text."""

    tokens: tuple[Token, ...]

    @property
    def words(self) -> list[str]:
        """The words, the tagger's input."""
        return [token.text for token in self.tokens]

    def moved(self, by: int) -> TextSentence:
        """The same sentence in a text that has ``by`` more characters before it."""
        if not by:
            return self
        return TextSentence(tuple(Token(token.text, token.start + by, token.end + by) for token in self.tokens))

    @property
    def start(self) -> int:
        """Where it starts in the text."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.tokens[-1].end


def sentences(
    text: str, tokenised: bool = False, split_hyphens: bool = False, *, markdown: bool = False
) -> list[TextSentence]:
    """The sentences of a text with their tokens; none is empty, and every token is in exactly one.

    An empty line always ends a sentence, and so do headings, list items and rows of tables (:mod:`starccg.text.blocks`
    says how they are found); other line ends are spaces. With ``markdown``, markup and code blocks are left out. With
    ``tokenised``, each line is a sentence whose words are separated by spaces.
    """
    if tokenised:
        return list(_lines(text))
    text = mask_markdown(text) if markdown else mark_blocks(text)
    found: list[TextSentence] = []
    current: list[Token] = []
    tokens = tokenise(text, split_hyphens)
    for position, token in enumerate(tokens):
        current.append(token)
        numbered = len(current) == 2 and current[0].text.isdigit() and token.text == "."  # the number of a list item
        if position + 1 == len(tokens) or (_ends(text, tokens, position) and not numbered):
            found.append(TextSentence(tuple(current)))
            current = []
    return found


def _lines(text: str) -> Iterator[TextSentence]:
    start = 0
    for line in text.split("\n"):
        if found := words(line):
            yield TextSentence(tuple(found)).moved(start)
        start += len(line) + 1


def _ends(text: str, tokens: list[Token], position: int) -> bool:
    """Whether a sentence ends after this token; another follows it."""
    token, following = tokens[position], tokens[position + 1]
    gap = text[token.end : following.start]
    if gap.count("\n") > 1 or "\u2029" in gap or BREAK in gap:
        return True
    last = position
    if last and _is_emoticon(token):
        last -= 1
    for _ in range(min(last, NEAR)):
        if tokens[last].text not in _CLOSERS or tokens[last - 1].end != tokens[last].start:
            break
        last -= 1
    mark = tokens[last].text
    if mark[-1] not in _ENDS:
        return False
    if not gap:
        return False
    if following.text in _CLOSERS and following.text not in _OPENERS:
        return False
    if following.text[0] in ".?!" or _is_emoticon(following):
        return False  # more of the same mark, or an emoticon that belongs to the sentence
    start = position + 1
    while start + 1 < min(len(tokens), position + NEAR) and tokens[start].text in _OPENERS:
        start += 1
    beginning = tokens[start].text
    if len(mark) > 1 and mark[0].isalnum():
        return _abbreviation_ends(mark, beginning)
    if mark in ("...", "..", "…") or last != position:
        return not beginning[0].islower()
    return mark in (".", "?", "!") or mark[-1] in "。！？" or not beginning[0].islower()


def _abbreviation_ends(mark: str, beginning: str) -> bool:
    stem = mark[:-1].lower()
    if stem in TITLES or (len(stem) == 1 and stem not in ABBREVIATIONS):
        return False
    return beginning[:1].isupper() and beginning.lower() in STARTERS


def _is_emoticon(token: Token) -> bool:
    return token.text[0] in ":;=" and len(token.text) > 1
