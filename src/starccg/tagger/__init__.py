"""Supertagging: the local model of the parser."""

from starccg.folders import ModelError
from starccg.tagger.model import Tagger

__all__ = ["ModelError", "Tagger"]
