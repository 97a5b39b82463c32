"""Supertagging: the local model of the parser."""

from starccg.errors import ModelError
from starccg.tagger.model import Tagger

__all__ = ["ModelError", "Tagger"]
