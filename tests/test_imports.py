"""The layers of the package: an import never points to a higher layer, and no modules import each other.

The graph is read from the source, so imports inside functions count. A string that names a module
(``"starccg.formats.deriv:draw"``) counts as an import as well, since that is how functions are loaded on first use.
Imports under ``TYPE_CHECKING`` are never executed: they are held to the layers, but may close a cycle within a layer.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import starccg

LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(names.split())
    for names in (
        "errors hooks files devices processes _core",
        "ccg dependencies",
        "formats text treebanks",
        "search",
        "tagger globalmodel model_folder",
        "evaluation training experiments",
    )
)
"""The packages and modules of each layer, lowest first. Everything else is in the highest layer."""

ROOT = Path(starccg.__file__).parent
SPEC = re.compile(r"(starccg(?:\.\w+)+)(?::\w+)?")


class Import(NamedTuple):
    importer: str
    imported: str
    executed: bool


def modules() -> dict[str, Path]:
    found = {}
    for path in ROOT.rglob("*.py"):
        name = ".".join(("starccg", *path.relative_to(ROOT).with_suffix("").parts))
        found[name.removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imports_of(name: str, source: str, known: Iterable[str]) -> Iterator[Import]:
    known = {*known, "starccg._core"}
    tree = ast.parse(source)
    only_for_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for statement in block.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        executed = id(node) not in only_for_types
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "starccg":
                for alias in names:
                    inner = f"{module}.{alias.name}"
                    yield Import(name, inner if inner in known else module, executed)
            case ast.Import(names=names):
                for alias in names:
                    if alias.name.split(".")[0] == "starccg":
                        yield Import(name, alias.name, executed)
            case ast.Constant(value=str(text)) if (spec := SPEC.fullmatch(text)) and spec[1] in known:
                yield Import(name, spec[1], executed)


def package(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def layer(module: str) -> int:
    return next((rank for rank, names in enumerate(LAYERS) if package(module) in names), len(LAYERS))


def cycles(graph: Mapping[str, set[str]]) -> list[str]:
    """What is left of a graph when everything that imports nothing left is removed again and again."""
    left = {name: set(targets) - {name} for name, targets in graph.items()}
    while done := {name for name, targets in left.items() if not targets & left.keys()}:
        left = {name: targets for name, targets in left.items() if name not in done}
    imported = {target for targets in left.values() for target in targets}
    return sorted(name for name in left if name in imported)


def graph_of(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for importer, imported in pairs:
        graph.setdefault(importer, set()).add(imported)
        graph.setdefault(imported, set())
    return graph


@functools.cache
def lower() -> list[Import]:
    """What the modules in a layer import."""
    found = [found for name, path in MODULES.items() for found in imports_of(name, path.read_text("utf-8"), MODULES)]
    return [each for each in found if layer(each.importer) < len(LAYERS)]


def test_no_import_points_to_a_higher_layer() -> None:
    assert [found for found in lower() if layer(found.imported) > layer(found.importer)] == []


def test_no_modules_import_each_other() -> None:
    assert cycles(graph_of((f.importer, f.imported) for f in lower() if f.executed)) == []


def test_no_packages_import_each_other() -> None:
    pairs = ((package(f.importer), package(f.imported)) for f in lower() if f.executed)
    assert cycles(graph_of(pairs)) == []


def test_the_graph_sees_every_kind_of_import() -> None:
    source = """
from starccg.errors import StarccgError
from starccg import _core
import starccg.ccg.rules
if TYPE_CHECKING:
    from starccg.parser import Parser
def draw():
    from starccg.formats import deriv
SPEC = "starccg.formats.svg:derivation_svg"
"""
    found = {(f.imported.removeprefix("starccg."), f.executed) for f in imports_of("x", source, MODULES)}
    assert found == {
        ("errors", True),
        ("_core", True),
        ("ccg.rules", True),
        ("parser", False),
        ("formats.deriv", True),
        ("formats.svg", True),
    }


def test_cycles_are_found() -> None:
    assert cycles(graph_of([("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")])) == ["b", "c"]
    assert cycles(graph_of([("a", "b"), ("b", "c")])) == []
