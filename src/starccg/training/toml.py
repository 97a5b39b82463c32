"""Configurations from TOML files to dataclasses. A key that is not known is an error, not a silent default."""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from starccg.errors import StarccgError

T = TypeVar("T")


class ConfigError(StarccgError):
    """A configuration that cannot be used, with the key at fault."""


def load_toml(kind: type[T], path: Path) -> T:
    """Read and check a configuration."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None
    try:
        return build(kind, table)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def build(kind: type[T], table: object, where: str = "") -> T:
    """A configuration from plain values."""
    if not isinstance(table, dict):
        raise ConfigError(f"{where or 'the file'} must be a table")
    hints = get_type_hints(kind)
    unknown = set(table) - set(hints)
    if unknown:
        raise ConfigError(f"unknown key {where}{min(unknown)}; known are {', '.join(hints)}")
    for spec in fields(kind):  # type: ignore[arg-type]
        if spec.default is MISSING and spec.default_factory is MISSING and spec.name not in table:
            raise ConfigError(f"the key {where}{spec.name} is missing")
    return kind(**{key: _value(hints[key], value, f"{where}{key}") for key, value in table.items()})


def _value(kind: Any, value: object, where: str) -> object:
    if get_origin(kind) is UnionType:  # X | None
        return _value(get_args(kind)[0], value, where)
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple)):
            raise ConfigError(f"{where} must be a list of tables, [[{where}]]")
        return tuple(build(get_args(kind)[0], entry, f"{where}.") for entry in value)
    if get_origin(kind) is dict:
        if not isinstance(value, dict) or not all(type(entry) is get_args(kind)[1] for entry in value.values()):
            raise ConfigError(f"{where} must be a table of {get_args(kind)[1].__name__}")
        return value
    if is_dataclass(kind):
        assert isinstance(kind, type)
        return build(kind, value, f"{where}.")
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise ConfigError(f"{where} must be of type {kind.__name__}, not {value!r}")
    return value
