"""Count the lines of each package before and after, with the features that came in between counted apart.

    git worktree add ../before 3249e68
    python benchmarks/lines.py ../before

Counted are all lines of Python and C++ in ``src/`` and ``native/``, without the native tests. Of a feature, its growth
is counted: its lines now, less those that the same files, or the files that they replaced, had before.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

FEATURES = {
    "Penn trees, and more constructions of Universal Dependencies": """
        treebanks/penn/ treebanks/ud/ treebanks/normalise/ treebanks/constructions/ treebanks/conversion.py
        treebanks/joining.py treebanks/phrase_categories.py dependencies/control.py formats/conllu.py
        ccg/english.py:is_refused
    """,
    "corpus runs, GPUs, speed on CPUs": """
        corpus/ cli/corpus.py integrations/columns.py integrations/processes.py processes.py devices.py
        training/devices.py tagger/remote.py tagger/torch_graph.py globalmodel/encoder.py globalmodel/torch_encoder.py
        training/globalmodel/network.py native/leaf_lstm native/bindings_model native/kept_tags
    """,
    "the hardened server and its page, checks of models and input": """
        server/ outcome_json.py model_folder/onnx_file.py native/bindings_input.hpp files.py:unpacked files.py:_Unpacked
        files.py:naming formats/errors.py:shortened model_folder/manifest.py:check_size
        model_folder/tagger.py:_check_manifest model_folder/tagger.py:_check_outputs
    """,
    "refined bounds, better answers at limits, confidence": """
        native/outside native/loop.hpp native/backoff.cpp confidence.py
        tag_widening.py search/tag_widening.py experiments/confidence.py cli/experiment.py:confidence
    """,
    "reproduction from CCGbank, encoders, students, models that share files, parts of speech and lemmas": """
        experiments/presets.py experiments/reproduce cli/reproduce.py treebanks/ccgbank training/pipeline/vectors.py
        training/distributed.py training/tagger/ tagger/model.py tagger/subwords.py tagger/lemmas.py
        tagger/inflection.py treebanks/duplicates.py model_folder/summary.py training/pipeline/config.py:Text
        training/pipeline/config.py:Also training/pipeline/model.py:copy_words training/pipeline/model.py:copy_texts
        training/pipeline/pipeline.py:distil training/pipeline/pipeline.py:encode
        training/pipeline/pipeline.py:_gold_part training/pipeline/tags.py:encode_treebank
        model_folder/manifest.py:share model_folder/manifest.py:shared_folder model_folder/parts.py:share_parts
        model_folder/find.py:_installed cli/models.py:share_model
    """,
    "text with blocks, reports of the command line, parses as derivations, lambeq, depccg": """
        text/ cli/parse cli/reading.py cli/interrupts.py __main__.py parsed_derivation.py outcome.py
        integrations/lambeq.py integrations/depccg.py formats/variables.py
    """,
}
"""The paths of each feature, as before and as now: their beginnings, or ``FILE:NAME`` for a function or class that only
this feature needs. All but ``native/`` are in ``src/starccg/``."""


def feature_of(name: str) -> str | None:
    """The feature that a file, or a definition in a file, belongs to."""
    for feature, paths in FEATURES.items():
        for path in paths.split():
            if name == path or (":" not in path and name.startswith(path)):
                return feature
    return None


def parts_of(name: str, text: str) -> Iterator[tuple[str, int]]:
    """A file and each of its definitions, if it is Python, with their numbers of lines."""
    yield name, text.count("\n")
    if name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.end_lineno is not None:
                yield f"{name}:{node.name}", node.end_lineno - node.lineno + 1


def count(root: Path) -> tuple[Counter[str], Counter[str]]:
    """Lines by package, and by feature."""
    packages: Counter[str] = Counter()
    features: Counter[str] = Counter()
    for path in sorted(root.glob("src/**/*.py")) + sorted(root.glob("native/*.?pp")):
        name = path.relative_to(root).as_posix().removeprefix("src/starccg/")
        (_, lines), *definitions = parts_of(name, path.read_text(encoding="utf-8"))
        packages[name.partition("/")[0] if "/" in name else "top level"] += lines
        counted = [(name, lines)] if feature_of(name) else definitions
        for part, own in counted:
            if (feature := feature_of(part)) is not None:
                features[feature] += own
    return packages, features


def main() -> None:
    before, features_before = count(Path(sys.argv[1]))
    after, features_after = count(Path(__file__).parent.parent)
    print("| package | before | after |\n|---|--:|--:|")
    for package in sorted(before.keys() | after.keys()):
        print(f"| {package} | {before[package]:,} | {after[package]:,} |")
    print(f"| all | {before.total():,} | {after.total():,} |")
    print("\n| feature | growth |\n|---|--:|")
    growth = {feature: features_after[feature] - features_before[feature] for feature in FEATURES}
    for feature, lines in growth.items():
        print(f"| {feature} | {lines:+,} |")
    print(f"| everything else | {after.total() - before.total() - sum(growth.values()):+,} |")


if __name__ == "__main__":
    main()
