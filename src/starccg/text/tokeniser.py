"""Text to words as in the Penn Treebank and treebanks of web text: clitics and punctuation are separate tokens.

Every token has its offsets in the text: ``text[token.start:token.end] == token.text``. Only white space and
characters that are not visible (control characters, marks of byte order and writing direction) are left out. The rules
are regular expressions without nested repetition, so time is linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from starccg.text.lexicon import ABBREVIATIONS, AMBIGUOUS, JOINED, PREFIXES, STARTERS, TITLES
from starccg.text.remembered import Remembered


class Token(NamedTuple):
    """A word and its offsets in the text."""

    text: str
    start: int
    end: int


_MARKS = "".join(sign for sign in map(chr, range(0x300, 0x1B00)) if unicodedata.category(sign)[0] == "M")
"""Accents, and the vowel signs of Hebrew, Arabic, Devanagari, Thai and their like: parts of a word."""
_APOSTROPHE = "['’`´]"
_TOP_LEVEL = "com|org|net|edu|gov|mil|int|info|biz|co|io|uk|us|ca|de|fr|eu|au|in|ru|tv|me|ly"
_FILE = "doc|docx|xls|xlsx|pdf|txt|ppt|zip|jpg|jpeg|png|gif|html?|exe|csv|py"

_PATTERNS = {
    "plain": r"(?<!\S)[a-z]+(?!\S)",  # most words; the other patterns would find the same, only later
    "url": r"(?:(?:https?|ftp|file|mailto|ymsgr):(?://)?|www\.)[^\s<>\"“”]*[^\s<>\"“”.,;:!?)\]}'’…]",
    "email": r"[\w.+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,99}[A-Za-z0-9])?(?![A-Za-z0-9])",
    "domain": (
        rf"(?:[A-Za-z0-9][A-Za-z0-9-]{{0,62}}\.){{1,8}}(?:{_TOP_LEVEL}|{_FILE})(?!\w)"
        rf"(?:/[^\s<>\"“”]*[^\s<>\"“”.,;:!?)\]}}'’…])?"
    ),
    "emoticon": (
        r"(?:[:;=]['’]?[-^o~]?[)(\]\[}{|*]+|(?<![\w:;=])[:;=][-^]?[DPpOoSs3/\\](?![\w/\\])|<3+|\^[_.]{0,3}\^"
        r"|\([:;=](?![\w(])"
        r"|(?<!\w)[xX]D+(?!\w)|[-–][_.][-–]|¯\\_\(ツ\)_/¯)"
    ),
    "emoji": (
        "(?:[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3|[\u2600-\u27bf\U0001f000-\U0001faff][\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]*"
        "(?:\u200d[\u2600-\u27bf\U0001f000-\U0001faff][\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]*)*)"
    ),
    "tag": r"(?<![\w#@])[#@][A-Za-z_]\w*",
    "run": r"\.[!?]+|\.{2,}|-{2,}|[–—―‒−]+|[!?]+(?:[!?.]*[!?])?|\*+|={2,}|_{2,}|#{2,}|~+|\+{2,}|<+|>+|''|``|’’|‘’|,,",
    "phone": r"(?<![\w-])(?:\+?\d{1,2}[-.])?(?:\(?\d{3}\)?[-.])?\d{3}[-.]\d{4}(?![\w-])",
    "number": r"(?<![\w])(?:\d+(?:[.,:/]\d+)*|\.\d+)(?:(?:st|nd|rd|th|s)\b|['’]s\b)?",
    "dotted": r"(?<![\w.])(?:[^\W\d_]\.){2,}(?![^\W\d_])|(?<![\w.])(?:Ph|M|B|D)\.(?:D|A|S|Sc|Phil)\.",
    "currency": r"(?:US|AU|CA|HK|NZ|[ACR])?[$£€¥₹₽]",
    "elided": rf"(?<!\w){_APOSTROPHE}(?:em|tis|twas|cause|til|till|n|bout|round|\d\ds?)(?!\w)",
    "clitic": rf"(?<=[\w.]){_APOSTROPHE}(?:s|m|d|ll|ve|re)(?!\w)",
    "word": (
        rf"[^\W_](?:[\w{_MARKS}\u00ad\u200c\u200d]*[^\W_])?[{_MARKS}]*"
        rf"(?:['’&·][^\W_][\w{_MARKS}]*)*_*"
    ),
}  # fmt: skip
_INVISIBLE = "\0-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_SCANNER = re.compile(
    "|".join(f"(?P<{name}>{rule})" for name, rule in _PATTERNS.items()) + rf"|(?P<mark>[^\s{_INVISIBLE}])", re.I
)

_CLITIC = re.compile(rf"(?<=\w)(n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|m|d|ll|ve|re))$", re.IGNORECASE)
_ATTACHED_UNIT = re.compile(r"(\d+)(pm|am|k|km|kg|mg|mm|cm|lbs?|oz|ft|mph|gb|mb|ghz|mhz|hrs?|mins?|yrs?|x|m|bn)", re.I)
_HYPHENS = ("-", "‐", "‑")
_INITIAL = re.compile(r"[^\W\d_]")


def tokenise(text: str, split_hyphens: bool = False) -> list[Token]:
    """The tokens of a text, which may have many sentences.

    ``split_hyphens`` splits ``well-known`` as treebanks of web text do; by default they stay whole, as in CCGbank.
    """
    tokens: list[Token] = []
    for match in _SCANNER.finditer(text):
        start, end = match.span()
        cut = _CLITICS[match.group()] if match.lastgroup in ("plain", "word") else 0
        if cut:
            tokens += _word(text, start, end)
        else:
            tokens.append(Token(match.group(), start, end))
    return _join_hyphens(text, _join_stops(text, tokens), split_hyphens)


def words(line: str) -> list[Token]:
    """The tokens of a text that is already tokenised: they are separated by white space."""
    return [Token(match.group(), match.start(), match.end()) for match in re.finditer(r"\S+", line)]


def _word(text: str, start: int, end: int) -> list[Token]:
    """A word without its clitics, then the clitics, at most three; ``shouldn't've`` has two."""
    tokens: list[Token] = []
    for _ in range(3):
        cut = start + _CLITICS[text[start:end]]
        if cut == start:
            break
        tokens.append(Token(text[cut:end], cut, end))
        end = cut
    return [Token(text[start:end], start, end), *reversed(tokens)]


def _clitic_of(word: str) -> int:
    """Where the clitic at the end of the word starts; 0 if there is none."""
    if word.lower() in JOINED:
        return JOINED[word.lower()]
    clitic = _CLITIC.search(word)
    if clitic is not None:
        return clitic.start()
    unit = _ATTACHED_UNIT.fullmatch(word)
    return unit.start(2) if unit is not None else 0


_CLITICS = Remembered(_clitic_of)


def _join_stops(text: str, tokens: list[Token]) -> list[Token]:
    """Join abbreviations and initials with their full stop."""
    joined: list[Token] = []
    for position, token in enumerate(tokens):
        touches = token.text == "." and joined and joined[-1].end == token.start
        if touches and _is_abbreviated(text, joined, tokens, position):
            start = joined.pop().start
            joined.append(Token(text[start : token.end], start, token.end))
        else:
            joined.append(token)
    return joined


def _is_abbreviated(text: str, before: list[Token], tokens: list[Token], stop: int) -> bool:
    word = before[-1].text
    following = tokens[stop + 1] if stop + 1 < len(tokens) else None
    near = following is not None and not {"\n", "\f"} & set(text[tokens[stop].end : following.start])
    if _INITIAL.fullmatch(word) and word.isupper() and word != "I":
        named = len(before) < 2 or before[-2].text[:1].isupper() or before[-2].text in ("(", '"', ",", "and", "&", "by")
        return named and near and following is not None and following.text[0].isupper()
    lowered = word.lower()
    if lowered not in ABBREVIATIONS:
        return False
    if lowered in TITLES:
        return near
    if following is None or _starts_sentence(following.text):
        return False  # at the end of a sentence the full stop is a token of its own
    if lowered == "no":
        return following.text[0].isdigit()
    if lowered == "al" and len(before) > 1 and before[-2].text.lower() == "et":
        return True
    return lowered not in AMBIGUOUS or (word[0].isupper() and near)


def _starts_sentence(word: str) -> bool:
    return word[:1].isupper() and word.lower() in STARTERS


def _join_hyphens(text: str, tokens: list[Token], split: bool) -> list[Token]:
    """Join words at a hyphen again: everywhere or, with ``split``, only after a prefix."""
    if not any(hyphen in text for hyphen in _HYPHENS):
        return tokens
    joined: list[Token] = []
    position = 0
    while position < len(tokens):
        first = last = tokens[position]
        while position + 2 < len(tokens) and _holds(last, tokens[position + 1], tokens[position + 2], split):
            position += 2
            last = tokens[position]
        joined.append(first if last is first else Token(text[first.start : last.end], first.start, last.end))
        position += 1
    return joined


def _holds(left: Token, hyphen: Token, right: Token, split: bool) -> bool:
    if hyphen.text not in _HYPHENS or left.end != hyphen.start or hyphen.end != right.start:
        return False
    if not (left.text[-1].isalnum() and right.text[0].isalnum()):
        return False
    return not split or left.text.lower() in PREFIXES
