"""Small taggers without training, made of words of our own: what tests of both layers need."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np

WORDS = "the a cat dog sees likes sleeps runs big small quickly and of to . , Kim Pat not n't".split()  # noqa: SIM905

SENTENCES = [
    ["NP/N the", "N cat", r"S[dcl]\NP sleeps", ". ."],
    ["NP/N a", "N/N big", "N dog", r"(S[dcl]\NP)/NP sees", "NP/N the", "N cat", ". ."],
    ["NP Kim", r"(S[dcl]\NP)/NP likes", "NP Pat", ". ."],
    ["NP Pat", r"S[dcl]\NP runs", r"(S\NP)\(S\NP) quickly", ". ."],
    ["NP Kim", "conj and", "NP Pat", r"S[dcl]\NP sleep", ". ."],
]


def auto(sentences: list[list[str]], repeat: int = 1) -> str:
    """AUTO whose trees are flat right branches: a tagger looks at leaves only."""
    lines = []
    for number in range(len(sentences) * repeat):
        leaves = [leaf.split(" ") for leaf in sentences[number % len(sentences)]]
        written = [f"(<L {tag} X X {word} {tag}>)" for tag, word in leaves]
        tree = written[-1]
        for leaf in reversed(written[:-1]):
            tree = f"(<T S[dcl] 0 2> {leaf} {tree} )"
        lines += [f"ID=s{number}", tree]
    return "\n".join(lines) + "\n"


def write_data(folder: Path) -> Path:
    """A treebank, word vectors and a tiny pretrained encoder."""
    import torch  # noqa: PLC0415
    from safetensors.torch import save_file  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.auto").write_text(auto(SENTENCES, 8), "utf-8")
    with gzip.open(folder / "other.auto.gz", "wt", encoding="utf-8") as file:
        file.write(auto([[leaf.replace("NP/N", "NP[nb]/N").replace("conj", ",") for leaf in s] for s in SENTENCES], 2))
    (folder / "dev.auto").write_text(auto(SENTENCES), "utf-8")
    random = np.random.default_rng(3)
    np.save(folder / "vectors.npy", random.normal(size=(len(WORDS), 12)).astype(np.float16))
    (folder / "vocab.txt").write_text("\n".join(WORDS).lower() + "\n", "utf-8")
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *("##" + letter for letter in letters), "cat", "##s", "dog"]
    (folder / "pieces.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    width, inner = 24, 48
    torch.manual_seed(0)
    tensors = {
        "embeddings.word_embeddings.weight": torch.randn(len(pieces), width),
        "embeddings.position_embeddings.weight": torch.randn(64, width) * 0.1,
        "embeddings.token_type_embeddings.weight": torch.randn(2, width) * 0.1,
        "embeddings.LayerNorm.weight": 1 + 0.1 * torch.randn(width),
        "embeddings.LayerNorm.bias": 0.1 * torch.randn(width),
    }
    sizes = {
        "attention.self.query": (width, width), "attention.self.key": (width, width),
        "attention.self.value": (width, width), "attention.output.dense": (width, width),
        "intermediate.dense": (inner, width), "output.dense": (width, inner),
    }  # fmt: skip
    for layer in range(2):
        for name, shape in sizes.items():
            tensors[f"encoder.layer.{layer}.{name}.weight"] = torch.randn(*shape) * 0.2
            tensors[f"encoder.layer.{layer}.{name}.bias"] = torch.randn(shape[0]) * 0.1
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            tensors[f"encoder.layer.{layer}.{name}.weight"] = 1 + 0.1 * torch.randn(width)
            tensors[f"encoder.layer.{layer}.{name}.bias"] = 0.1 * torch.randn(width)
    save_file(tensors, folder / "encoder.safetensors")
    return folder


def config_table(kind: str, **schedule: Any) -> dict[str, Any]:
    """A configuration that trains in a second."""
    return {
        "kind": kind,
        "source": [
            {"path": "train.auto", "jackknife": True},
            {"path": "other.auto.gz", "dialect": "other", "weight": 0.5},
        ],
        "dev": [{"name": "dev", "path": "dev.auto"}],
        "min_count": 1,
        "folds": 2,
        "schedule": {"epochs": 4, "batch": 64, "learning_rate": 5e-3, "average": 0.5, **schedule},
        "lstm": {"vectors": "vectors.npy", "vocabulary": "vocab.txt", "affix": 4, "cells": 8, "hidden": 16},
        "encoder": {"weights": "encoder.safetensors", "wordpieces": "pieces.txt", "heads": 3, "head_rate": 1.0},
    }
