"""Compare a global model whose leaves read the tagger's states with one whose leaves read word vectors.

    python benchmarks/encoder_inputs.py --vectors glove --out runs/inputs ewt-dev.auto gum-dev.auto pmb-dev.auto

Give treebanks that the tagger has not seen: its states and tags of its own training sentences would be too good. Of
every three sentences two are learned from and one is measured, after the last epoch. Both models have the same tags,
sentences, updates and seeds. Times are processor time on one thread: of the search, and of the LSTM over the words.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import get_args

import starccg
from starccg.evaluation import compare
from starccg.experiments.evaluation_set import evaluation_set_of, with_states
from starccg.experiments.measurement import Measurement, measure
from starccg.formats.auto import read_auto
from starccg.globalmodel.parameters import Inputs
from starccg.model_folder.global_model import load_global_model
from starccg.search.options import PAPER_OPTIONS
from starccg.training.globalmodel.config import Config, Data, Development, load_config
from starccg.training.globalmodel.run import load_run, run_training
from starccg.training.globalmodel.trainer import BEST
from starccg.training.pipeline.sources import write_treebank
from starccg.training.pipeline.tags import encode_treebank, tag_treebank

CONFIG = Path(__file__).parents[1] / "configs" / "global.toml"
MODEL = Path(starccg.__file__).parent / "pretrained" / "en"


def prepare(treebanks: list[Path], data: Path, beam: float) -> None:
    """Both parts, with gold derivations to learn from; their tags and states."""
    sentences = [sentence for path in treebanks for sentence in read_auto(path)]
    for name, parts in (("train", (0, 1)), ("dev", (2,))):
        chosen = (own for number, own in enumerate(sentences) if number % 3 in parts)
        write_treebank(data / f"{name}.auto", list(chosen))
    gold = ["treebank", "gold", data / "train.auto", "-o", data / "train.gold.auto"]
    subprocess.run([sys.executable, "-m", "starccg", *map(str, gold)], check=True)
    (data / "grammar.json").write_bytes((MODEL / "grammar.json").read_bytes())
    for source in ("train.gold", "dev"):
        tag_treebank(MODEL / "tagger", data / f"{source}.auto", data / f"{source}.npz", beam)
        encode_treebank(MODEL / "tagger", data / f"{source}.auto", data / f"{source}.states.npz")


def config_of(inputs: Inputs, vectors: Path, epochs: int, seed: int) -> Config:
    """The paper's model, which differs in what its leaves read."""
    config = load_config(CONFIG)
    files = Data(
        train=("train.gold.auto",), train_tags=("train.gold.npz",), dev=("dev.auto",), dev_tags=("dev.npz",),
        grammar="grammar.json", vectors=str(vectors) if inputs == "words" else "",
        train_encoded=("train.gold.states.npz",), dev_encoded=("dev.states.npz",),
    )  # fmt: skip
    states = json.loads((MODEL / "tagger" / "model.json").read_text("utf-8"))["states"]
    size = config.model.words if inputs == "words" else states
    learning = replace(config.learning, epochs=epochs, batch=16, vocabulary=25_000, seed=seed)
    development = Development(every=10**9)  # evaluated once, at the end
    model = replace(config.model, inputs=inputs, words=size)
    return replace(config, data=files, model=model, learning=learning, development=development)


def measured(config: Config, data: Path, folder: Path) -> tuple[Measurement, float]:
    """Train a model and measure it; with the seconds of the LSTM over the words."""
    loaded = load_run(config, data)
    run_training(config, loaded, data, folder)
    model = load_global_model(folder / BEST)
    sentences = evaluation_set_of(loaded.table, loaded.dev, "")
    begin = time.process_time()
    tagged = with_states(model, sentences.words, sentences.tagged, sentences.encoded)
    seconds = time.process_time() - begin
    return Measurement.from_json(folder.name, measure(sentences, tagged, model, PAPER_OPTIONS)), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path, help="AUTO files that the tagger has not seen")
    parser.add_argument("--vectors", type=Path, required=True, help="a folder of word vectors")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--beam", type=float, default=1e-3, help="the beam of tags")
    arguments = parser.parse_args()
    data = arguments.out / "data"
    data.mkdir(parents=True, exist_ok=True)
    if not (data / "dev.states.npz").exists():
        prepare(arguments.treebanks, data, arguments.beam)
    pooled = {}
    for inputs in get_args(Inputs):
        runs: list[Measurement] = []
        lstm = 0.0
        for seed in range(1, arguments.seeds + 1):
            config = config_of(inputs, arguments.vectors.resolve(), arguments.epochs, seed)
            own, seconds = measured(config, data, arguments.out / f"{inputs}-{seed}")
            runs, lstm = [*runs, own], lstm + seconds / arguments.seeds
            print(f"{inputs}, seed {seed}: F1 {own.f1:.2f}, {own.mean_explored:.1f} explored", flush=True)
        found = pooled[inputs] = Measurement.pooled(runs)
        count = len(found.rows)
        print(
            f"{inputs}: {count} sentences, F1 {found.f1:.2f}, {found.mean_explored:.1f} explored, "
            f"{found.mean_recursive_units:.1f} recursive units, {found.percent_optimal:.2f}% proved, "
            f"{1000 * found.seconds / count:.2f} ms a sentence for the search, {1000 * lstm / count:.2f} for the LSTM",
            flush=True,
        )
    f1, *_ = compare(pooled["words"].scores(), pooled["encoder"].scores())
    print(f"encoder - words: {100 * f1.difference:+.2f} F1 (p = {f1.p_value:.4f})")


if __name__ == "__main__":
    main()
