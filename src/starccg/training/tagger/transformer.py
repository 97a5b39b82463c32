"""Any encoder in a folder of the usual layout, run by the package ``transformers`` while it is trained.

The folder has ``config.json``, ``tokenizer.json`` and ``model.safetensors``: BERT, RoBERTa, MPNet, DeBERTa, ELECTRA,
ModernBERT and others that ``AutoModel`` knows and that give one state for each piece.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from starccg.errors import StarccgError, install_extra
from starccg.tagger.subwords import TOKENIZER_FILE
from starccg.training.tagger.config import Encoder
from starccg.training.tagger.states import StatesTagger

CONFIG_FILE = "config.json"
LONGEST = 512
"""Pieces in a window; a longer sentence is read in overlapping windows, even if the encoder has more positions."""


class TransformerTagger(StatesTagger):
    """An encoder of ``transformers``; the casing of a word is added to the embeddings of its pieces."""

    def __init__(self, config: Encoder, model: Any, outputs: Mapping[str, int]) -> None:
        embeddings = model.get_input_embeddings()
        shape = {
            "pieces": embeddings.num_embeddings,
            "positions": min(LONGEST, positions_of(model)),
            "width": model.config.hidden_size,
            "layers": model.config.num_hidden_layers,
        }
        super().__init__(config, shape, embeddings.embedding_dim, outputs)
        self.model = model
        embeddings.weight.requires_grad_(not config.keep_pieces)

    def encode(self, cells: Tensor, lengths: Tensor) -> Tensor:
        """The states of the last layer."""
        cells = cells.long()
        steps = torch.arange(cells.shape[1], device=cells.device)
        embedded = self.model.get_input_embeddings()(cells[..., 0]) + self.casings(cells[..., 1])
        mask = (steps < lengths[:, None]).long()
        states: Tensor = self.model(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        return states


def read_transformer(folder: Path, layers: tuple[int, ...] = ()) -> tuple[Any, dict[str, bytes]]:
    """A pretrained encoder, and those of its files that a run keeps. ``layers``: only these (from 0), in this order."""
    transformers = _library()
    for name in (CONFIG_FILE, TOKENIZER_FILE):
        if not (folder / name).is_file():
            raise StarccgError(
                f"{folder / name} does not exist: an encoder folder has it; paths are relative to --data"
            )
    try:
        model, found = transformers.AutoModel.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, attn_implementation="eager", dtype=torch.float32,
            output_loading_info=True,
        )  # fmt: skip
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise StarccgError(f"{folder}: transformers cannot load this encoder: {reason}") from None
    if missing := sorted(name for name in found["missing_keys"] if not name.startswith("pooler.")):
        raise StarccgError(f"{folder}: {len(missing)} weights of the encoder are missing: {', '.join(missing[:3])} ...")
    if layers:
        _keep_layers(model, layers, folder)
    files = {
        CONFIG_FILE: json.dumps(model.config.to_dict(), indent=1, default=str).encode(),
        TOKENIZER_FILE: (folder / TOKENIZER_FILE).read_bytes(),
    }
    return _without_pooler(model), files


def empty_transformer(files: Mapping[str, bytes]) -> Any:
    """The same encoder without its weights, which a run has trained."""
    transformers = _library()
    config = json.loads(files[CONFIG_FILE])
    made = transformers.AutoConfig.for_model(**config)
    return _without_pooler(transformers.AutoModel.from_config(made, attn_implementation="eager").float())


def positions_of(model: Any) -> int:
    """How many pieces the encoder has positions for; RoBERTa and MPNet number them from the padding on."""
    table = next((m for name, m in model.named_modules() if name.endswith("position_embeddings")), None)
    padding = getattr(table, "padding_idx", None)
    return int(model.config.max_position_embeddings) - (0 if padding is None else padding + 1)


def _library() -> Any:
    try:
        import transformers  # noqa: PLC0415 - part of the extra, and slow to import
    except ImportError:
        raise StarccgError(
            f"an encoder folder is trained with the package transformers: {install_extra('train')}"
        ) from None
    library: Any = transformers
    library.utils.logging.set_verbosity_error()
    library.utils.logging.disable_progress_bar()
    return library


def _without_pooler(model: Any) -> Any:
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # tagging does not use it
    return model


def _keep_layers(model: Any, layers: tuple[int, ...], folder: Path) -> None:
    count = model.config.num_hidden_layers
    parents = [
        (parent, name) for parent in model.modules() for name, child in parent.named_children()
        if isinstance(child, nn.ModuleList) and len(child) == count
    ]  # fmt: skip
    if not all(0 <= number < count for number in layers):
        raise StarccgError(f"{folder}: layers must be from 0 to {count - 1}, not {', '.join(map(str, layers))}")
    if len(parents) != 1 or getattr(model.config, "layer_types", None):
        raise StarccgError(f"{folder}: layers of this encoder cannot be left out: remove encoder.layers")
    parent, name = parents[0]
    setattr(parent, name, nn.ModuleList(getattr(parent, name)[number] for number in layers))
    model.config.num_hidden_layers = len(layers)
