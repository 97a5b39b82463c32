"""How good a finished model is and how much room it takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from starccg.ccg.compiler import compile_grammar
from starccg.model_parts import GRAMMAR, read_parts
from starccg.search.types import Limits
from starccg.tagger.model import available_cores
from starccg.training.data import read_examples
from starccg.training.globalmodel.development import DevelopmentSet, Look


def dev_scores(model: Path, treebanks: Mapping[str, tuple[Path, Path]]) -> dict[tuple[str, str], Look]:
    """A look at each treebank (derivations and tags) by its name and the way of parsing, with the parser's limits."""
    parts = read_parts(model)
    table = compile_grammar(parts.grammar, parts.tagger.categories)
    found: dict[tuple[str, str], Look] = {}
    for name, (auto, tags) in treebanks.items():
        examples, _ = read_examples(auto, tags, table)
        bank = DevelopmentSet(examples, table, available_cores())
        found[name, "tags alone"] = bank.look(None, Limits())
        if parts.global_model is not None:
            found[name, "global A*"] = bank.look(parts.global_model, Limits())
    return found


def sizes(folder: Path) -> dict[str, int]:
    """Bytes of each part of a model folder, and of all."""
    return {**{part: _size(folder / part) for part in ("tagger", "global", GRAMMAR)}, "all": _size(folder)}


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else sum(f.stat().st_size for f in path.rglob("*") if f.is_file())


def report_of(name: str, looks: Mapping[tuple[str, str], Look], bytes_of: Mapping[str, int]) -> str:
    """Both as Markdown."""
    lines = [f"# {name}", "", "| dev | parser | labelled F1 | supertags | parsed | proved best | explored |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|")
    for (treebank, way), look in looks.items():
        figures = (look.f1, 100 * look.supertags, 100 * look.parsed, 100 * look.optimal)
        shown = " | ".join(f"{figure:.2f}" for figure in figures)
        lines.append(f"| {treebank} | {way} | {shown} | {look.explored:.1f} |")
    lines += ["", "| part | MB |", "|---|--:|"]
    lines += [f"| {part} | {count / 1e6:.2f} |" for part, count in bytes_of.items()]
    return "\n".join(lines) + "\n"
