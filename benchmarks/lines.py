"""Count the lines of each package before and after, with the features that came in between counted apart.

    git worktree add ../before 3249e68
    python benchmarks/lines.py ../before

Counted are all lines of Python and C++ in ``src/`` and ``native/``, without the native tests. Of a feature, its
growth is counted: the lines that its files have now, less those that the same files, or the files that they replaced,
had before.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

FEATURES = {
    "Penn trees and more constructions of Universal Dependencies": """
        treebanks/penn/ treebanks/ud/ treebanks/normalise/ treebanks/constructions/ treebanks/conversion.py
        treebanks/joining.py treebanks/phrase_categories.py dependencies/control.py formats/conllu.py
    """,
    "corpus runs, GPUs, speed on CPUs": """
        corpus/ cli/corpus.py integrations/columns.py integrations/processes.py processes.py devices.py
        training/devices.py tagger/remote.py tagger/torch_graph.py globalmodel/encoder.py globalmodel/torch_encoder.py
        training/globalmodel/network.py native/leaf_lstm native/bindings_leaf_lstm native/kept_tags native/bindings_tags
    """,
    "the hardened server, its page, checks of models and input": """
        server/ outcome_json.py model_folder/onnx_file.py native/bindings_input.hpp
    """,
    "bounds that are refined, better answers at limits, confidence": """
        native/outside native/loop.hpp native/loop_bound.hpp native/backoff.cpp confidence.py
        experiments/confidence.py tag_widening.py
    """,
    "reproduction from CCGbank, encoders, students, parts of speech and lemmas": """
        experiments/presets.py experiments/reproduce cli/reproduce.py treebanks/ccgbank training/pipeline/vectors.py
        training/distributed.py training/tagger/ tagger/model.py tagger/subwords.py tagger/lemmas.py
        tagger/inflection.py treebanks/duplicates.py model_folder/summary.py
    """,
    "text with blocks, reports of the command line, parses as derivations, lambeq, depccg": """
        text/ cli/parse cli/reading.py cli/interrupts.py __main__.py parsed_derivation.py outcome.py
        integrations/lambeq.py integrations/depccg.py
    """,
}
"""The beginnings of the paths of each feature, as before and as now; all but ``native/`` are in ``src/starccg/``."""

SOURCE = "src/starccg/"


def feature_of(name: str) -> str | None:
    """The feature that a file belongs to."""
    short = name.removeprefix(SOURCE)
    found = (feature for feature, paths in FEATURES.items() if short.startswith(tuple(paths.split())))
    return next(found, None)


def count(root: Path) -> tuple[Counter[str], Counter[str]]:
    """Lines by package, and by feature."""
    packages: Counter[str] = Counter()
    features: Counter[str] = Counter()
    for path in sorted(root.glob("src/**/*.py")) + sorted(root.glob("native/*.?pp")):
        name = path.relative_to(root).as_posix()
        parts = name.split("/")
        package = "native" if parts[0] == "native" else parts[2] if len(parts) > 3 else "top level"
        lines = path.read_text(encoding="utf-8").count("\n")
        packages[package] += lines
        if (feature := feature_of(name)) is not None:
            features[feature] += lines
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
