"""Choose the device for training."""

from __future__ import annotations

import torch

from starccg.errors import StarccgError


def device_name(name: str) -> str:
    """``auto`` is CUDA where there is one; a device that is not there is an error."""
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name != "cpu" and not name.startswith("cuda"):
        raise StarccgError(f"--device is cpu, cuda or auto, not {name!r}")
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise StarccgError(f"--device {name}: torch finds no such device here; use --device cpu")
    return name
