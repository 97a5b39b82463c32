"""Text to words: tokens with offsets, and sentences."""

from starccg.text.sentences import TextSentence, sentences
from starccg.text.tokeniser import Token, tokenise, words

__all__ = ["TextSentence", "Token", "sentences", "tokenise", "words"]
