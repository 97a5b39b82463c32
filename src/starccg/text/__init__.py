"""Text to tokens with offsets, and to sentences; which language a text is in."""

from starccg.text.language import language_of
from starccg.text.sentences import TextSentence, sentences
from starccg.text.tokeniser import Token, tokenise, words

__all__ = ["TextSentence", "Token", "language_of", "sentences", "tokenise", "words"]
