"""Configurations: TOML files read into dataclasses. An unknown key is an error, never ignored.

A file may build on another one beside it: ``base = "global.toml"`` reads that file first, and the keys of this file
replace those of the base, table by table. So a variant is as long as its differences.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from starccg.errors import StarccgError

T = TypeVar("T")
Texts = tuple[str, ...]
"""One string or a list of strings in the file."""
Numbers = tuple[int, ...]
"""A list of whole numbers."""


class ConfigError(StarccgError):
    """A configuration that cannot be used; the message names the key."""


def load_toml(kind: type[T], path: Path, changes: Iterable[str] = ()) -> T:
    """Read and check a configuration; ``changes`` are ``section.key=value`` and replace what the file says."""
    table = read_table(path)
    for change in changes:
        _change(table, change)
    try:
        return build(kind, table)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def read_table(path: Path, derived: tuple[Path, ...] = ()) -> dict[str, Any]:
    """A file merged into its base, if it has one; ``derived`` are the files that were read on the way here."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    base = table.pop("base", None)
    if base is None:
        return table
    if not isinstance(base, str):
        raise ConfigError(f"{path}: base must be the name of a file, not {base!r}")
    if path in derived:
        raise ConfigError(f"{path}: its base is built on the file itself")
    return _merged(read_table(path.parent / base, (*derived, path)), table)


def _merged(base: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in table.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both else value
    return merged


def _change(table: dict[str, Any], change: str) -> None:
    key, equals, text = change.partition("=")
    *sections, last = key.strip().split(".")
    if not equals or not all((*sections, last)):
        raise ConfigError(f"{change!r}: expected section.key=value, such as learning.batch=1")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text  # a bare word is a string: paths need no quotes
    for section in sections:
        table = table.setdefault(section, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{change!r}: {section} is not a table")
    table[last] = value


def build(kind: type[T], table: object, where: str = "") -> T:
    """A configuration from plain values."""
    if not isinstance(table, dict):
        raise ConfigError(f"{where.rstrip('.') or 'the file'} must be a table, not {table!r}")
    hints = get_type_hints(kind)
    if unknown := set(table) - set(hints):
        raise ConfigError(f"unknown key {where}{min(unknown)}; known keys: {', '.join(hints)}")
    for spec in fields(kind):  # type: ignore[arg-type]
        if spec.default is MISSING and spec.default_factory is MISSING and spec.name not in table:
            raise ConfigError(f"the key {where}{spec.name} is missing")
    values = {key: _value(hints[key], value, f"{where}{key}") for key, value in table.items()}
    try:
        return kind(**values)
    except StarccgError as error:
        raise ConfigError(f"{where}{error}") from None


def _value(kind: Any, value: object, where: str) -> object:
    if get_origin(kind) is UnionType:  # X | None
        return _value(get_args(kind)[0], value, where)
    if kind == Texts:
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
            raise ConfigError(f"{where} must be a string or a list of strings, not {value!r}")
        return tuple(texts)
    if kind == Numbers:
        if not isinstance(value, (list, tuple)) or not all(type(entry) is int for entry in value):
            raise ConfigError(f"{where} must be a list of whole numbers, not {value!r}")
        return tuple(value)
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple)):
            raise ConfigError(f"{where} must be a list of tables, [[{where}]]")
        return tuple(build(get_args(kind)[0], entry, f"{where}.") for entry in value)
    if get_origin(kind) is dict:
        if not isinstance(value, dict) or not all(type(entry) is get_args(kind)[1] for entry in value.values()):
            raise ConfigError(f"{where} must be a table of {get_args(kind)[1].__name__}")
        return value
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ConfigError(f"{where} must be one of {', '.join(map(str, get_args(kind)))}, not {value!r}")
        return value
    if is_dataclass(kind):
        assert isinstance(kind, type)
        return build(kind, value, f"{where}.")
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ConfigError(f"{where} must be of type {kind.__name__}, not {value!r}")
    return value
