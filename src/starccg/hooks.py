"""Functions that a lower layer calls and a higher layer provides.

A derivation can draw itself (``derivation.draw()``), but the code that draws belongs to ``formats``, which is built on
derivations. ``starccg/__init__.py``, which Python runs before any other module of the package, says which function
provides each hook; the function is imported when the hook is first used.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, TypeVar

T = TypeVar("T")

_PROVIDERS: dict[str, str] = {}


def provide(**providers: str) -> None:
    """Name the function, as ``module:function``, that provides each hook."""
    _PROVIDERS.update(providers)


def provided(hook: str) -> Any:
    """The function that provides a hook."""
    return load(_PROVIDERS[hook])


def call(hook: str, *arguments: Any, **options: Any) -> T:  # type: ignore[type-var]
    """What the function that provides a hook returns; the caller states its type."""
    found: T = provided(hook)(*arguments, **options)
    return found


@cache
def load(spec: str) -> Any:
    """The object that ``module:name`` names."""
    module, _, name = spec.partition(":")
    return getattr(import_module(module), name)
