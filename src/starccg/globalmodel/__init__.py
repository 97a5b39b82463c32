"""The global model of section 3: parameters, inference without torch."""

from __future__ import annotations

from starccg.globalmodel.model import GlobalModel
from starccg.globalmodel.parameters import Dimensions
from starccg.globalmodel.vocabulary import Vectors, Vocabulary

__all__ = ["Dimensions", "GlobalModel", "Vectors", "Vocabulary"]
