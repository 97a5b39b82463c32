"""Guess the language of a text, to warn if the model is for another one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import islice

LANGUAGES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch",
             "pt": "Portuguese", "pl": "Polish", "sv": "Swedish"}  # fmt: skip
_COMMON = {
    "en": "the of and to in is that it was for on are with as at be this have from or not but you he she they we i a",
    "de": "der die und das ist nicht ein eine zu den von mit sich auf für im dem des auch es ich sie er wir wird als",
    "fr": "le la les et des est une un dans que pour qui sur pas du il elle nous vous avec ce plus au sont je ne se",
    "es": "el los las una que del por con para no se su al lo como más pero sus le ya este muy son y la de es en",
    "it": "il gli che di per non una sono con del della è nel anche più alla ma si come questo dei lo ha mi ci",
    "nl": "de het een van dat niet zijn op te met voor aan er maar ook als bij naar wordt was heeft ik hij wij is en",
    "pt": "os as que do da em um uma para com não por mais dos como mas foi ao ele das tem seu sua ou é são o e",
    "pl": "w na nie się że jest do to jak ale po co tak za od przez już tylko był jego czy może są",
    "sv": "och att det som en på är av för med den till inte om har de ett var jag men han sig från vi så",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
SAMPLE = 300
"""The number of words that are examined."""
MIN_WORDS = 8
"""The language of shorter texts is not guessed."""
SHORT = 20
"""In texts with fewer words, a larger share of them must be words of the language."""


def language_of(words: Iterable[str]) -> str | None:
    """The name of the language that a text seems to be in, or of its script; None if that is not clear."""
    sample = [word.lower() for word in islice((word for word in words if word[:1].isalpha()), SAMPLE)]
    if len(sample) < MIN_WORDS:
        return None
    foreign = [name for word in sample if (name := _script(word[0])) not in ("LATIN", "")]
    if len(foreign) > len(sample) / 2:
        return f"{max(set(foreign), key=foreign.count).capitalize()} script"
    counts = {language: sum(word in known for word in sample) for language, known in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    others = max(count for language, count in counts.items() if language != best)
    share, lead = (0.15, 1.5) if len(sample) >= SHORT else (0.3, 3.0)
    clear = counts[best] >= share * len(sample) and counts[best] >= lead * others
    return LANGUAGES[best] if clear else None


def _script(letter: str) -> str:
    """The first word of a letter's name in Unicode: LATIN, CYRILLIC, CJK."""
    return unicodedata.name(letter, "").partition(" ")[0]
