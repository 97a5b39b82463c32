"""Accuracy and size of a finished model."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path

from starccg.ccg.compiler import compile_grammar
from starccg.devices import available_cores
from starccg.model_folder.parts import GRAMMAR, Parts, read_parts
from starccg.search.options import Limits
from starccg.training.data import read_tagged_examples
from starccg.training.globalmodel.dev_evaluation import DevelopmentSet, DevEvaluation


def dev_scores(model: Path, treebanks: Mapping[str, tuple[Path, Path]]) -> dict[tuple[str, str], DevEvaluation]:
    """The scores of each treebank (derivations and tags), by its name and the parser, with the paper's limits."""
    parts = read_parts(model)
    table = compile_grammar(parts.grammar, parts.tagger.categories)
    found: dict[tuple[str, str], DevEvaluation] = {}
    for name, (auto, tags) in treebanks.items():
        encoded = auto.with_suffix(".states.npz") if _reads_states(parts) else None
        examples, _ = read_tagged_examples(auto, tags, table, encoded)
        dev = DevelopmentSet(examples, table, available_cores())
        found[name, "tags alone"] = dev.evaluate(None, Limits(seconds=inf))
        if parts.global_model is not None:
            found[name, "global A*"] = dev.evaluate(parts.global_model, Limits(seconds=inf))
    return found


def _reads_states(parts: Parts) -> bool:
    return parts.global_model is not None and parts.global_model.dimensions.inputs == "encoder"


def sizes(folder: Path) -> dict[str, int]:
    """Bytes of each part of a model folder, and of all."""
    return {**{part: _size(folder / part) for part in ("tagger", "global", GRAMMAR)}, "all": _size(folder)}


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else sum(f.stat().st_size for f in path.rglob("*") if f.is_file())


def report_of(name: str, scores: Mapping[tuple[str, str], DevEvaluation], bytes_of: Mapping[str, int]) -> str:
    """Both as Markdown."""
    lines = [f"# {name}", "", "| dev | parser | labelled F1 | supertags | parsed | proved best | explored |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|")
    for (treebank, parser), own in scores.items():
        figures = (own.f1, 100 * own.supertags, 100 * own.parsed, 100 * own.optimal)
        shown = " | ".join(f"{figure:.2f}" for figure in figures)
        lines.append(f"| {treebank} | {parser} | {shown} | {own.explored:.1f} |")
    lines += ["", "| part | MB |", "|---|--:|"]
    lines += [f"| {part} | {count / 1e6:.2f} |" for part, count in bytes_of.items()]
    return "\n".join(lines) + "\n"
