"""The compiled core, with a clear error if it cannot be loaded."""

from __future__ import annotations

from starccg.errors import StarccgError

try:
    from starccg import _core as core
except ImportError as error:
    if not str(error).startswith("STARCCG_ISA"):
        raise
    raise StarccgError(str(error)) from error

__all__ = ["core"]
