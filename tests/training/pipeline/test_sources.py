"""The encoder's weights are the ones that the configuration names, or none."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from safetensors.numpy import load_file, save_file

from starccg.errors import StarccgError
from starccg.training.pipeline.config import Pretrained
from starccg.training.pipeline.sources import copy_encoder


def test_weights_are_copied_in_half_precision_if_they_are_the_right_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "tiny_encoder"
    package.mkdir(parents=True)
    arrays = {"embeddings.w": np.eye(3, dtype=np.float32), "pooler.w": np.eye(2, dtype=np.float32)}
    save_file({**arrays, "embeddings.position_ids": np.arange(4)}, package / "model.safetensors")
    (package / "vocab.txt").write_text("[PAD]\n")
    digest = hashlib.sha256((package / "model.safetensors").read_bytes()).hexdigest()
    right = Pretrained("tiny_encoder/model.safetensors", "tiny_encoder/vocab.txt", digest)
    with pytest.raises(StarccgError, match=r"pip install --target .* tiny-encoder"):
        copy_encoder(right, tmp_path, tmp_path / "w", tmp_path / "p")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    copy_encoder(right, tmp_path, tmp_path / "w", tmp_path / "p")
    copied = load_file(tmp_path / "w")
    assert list(copied) == ["embeddings.w"]
    assert copied["embeddings.w"].dtype == np.float16
    assert (tmp_path / "p").read_text() == "[PAD]\n"
    wrong = Pretrained(right.weights, right.wordpieces, "0" * 64)
    with pytest.raises(StarccgError, match="its SHA-256 is"):
        copy_encoder(wrong, tmp_path, tmp_path / "w", tmp_path / "p")
