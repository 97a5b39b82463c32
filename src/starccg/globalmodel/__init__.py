"""The global model of section 3: parameters, inference without torch, loading and saving."""

from __future__ import annotations

from starccg.globalmodel.model import GlobalModel
from starccg.globalmodel.parameters import Dimensions
from starccg.globalmodel.storage import load_global_model, save_global_model
from starccg.globalmodel.vocabulary import Vectors, Vocabulary

__all__ = ["Dimensions", "GlobalModel", "Vectors", "Vocabulary", "load_global_model", "save_global_model"]
