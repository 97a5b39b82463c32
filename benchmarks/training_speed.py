"""How fast the global model learns: sentences a second, where the time goes, what batches gain over single sentences.

    python benchmarks/training_speed.py DATA            # train.auto, train.npz and grammar.json lie in DATA
    python benchmarks/training_speed.py DATA --name ewt-train --sentences 1000

The first epoch is a warm-up: an untrained model explores up to its limit. What counts comes after it. On a machine that
others use too, look at the best window of 320 sentences beside the mean.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import torch

from starccg.globalmodel.parameters import Dimensions, initial
from starccg.globalmodel.vocabulary import build_vocabulary
from starccg.training.data import Example, read_tagged_examples
from starccg.training.globalmodel.config import Config, Learning
from starccg.training.globalmodel.learner import Learner, Update
from starccg.training.globalmodel.run import read_table
from starccg.training.globalmodel.trainer import order_of_epoch

WARM_BATCH = 32
WINDOW = 320


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--name", default="train", help="NAME.auto and NAME.npz")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--measured", type=int, default=0, help="sentences after the warm-up; 0: an epoch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batches", type=int, nargs="*", default=[32, 1])
    parser.add_argument("--warm", type=int, default=1, help="epochs before the clock counts")
    options = parser.parse_args()

    tags = options.data / f"{options.name}.npz"
    table = read_table(options.data / "grammar.json", [tags])
    examples, report = read_tagged_examples(options.data / f"{options.name}.auto", tags, table)
    usable = [e for e in examples if e.gold is not None and len(e.words) <= 70][: options.sentences]
    words = sum(len(example.words) for example in usable) / len(usable)
    print(f"{report}\n{len(usable)} sentences of {words:.1f} words; {len(table.categories)} categories; "
          f"{options.threads} threads, {options.device}")  # fmt: skip
    torch.set_num_threads(1)
    config = Config(model=Dimensions(words=100), learning=Learning(device=options.device))
    vocabulary, trained = build_vocabulary(example.words for example in usable)
    arrays = initial(config.model, len(vocabulary), len(table.categories) + 1, 1)

    def learner(batch: int) -> Learner:
        own = replace(config, learning=replace(config.learning, batch=batch))
        return Learner(own, table, vocabulary, trained, arrays, options.threads)

    warm = learner(WARM_BATCH)
    for epoch in range(options.warm):
        print(json.dumps({"warm-up": epoch + 1, **run(warm, usable, epoch, WARM_BATCH)}), flush=True)
    for batch in options.batches:  # all from the same weights
        own = learner(batch)
        own.adam.load({name: tensor.clone() for name, tensor in warm.adam.state().items()}, warm.adam.steps)
        print(json.dumps({"batch": batch, **run(own, usable, options.warm, batch, options.measured)}), flush=True)


def run(learner: Learner, examples: list[Example], epoch: int, batch: int, most: int = 0) -> dict[str, float]:
    order = order_of_epoch(len(examples), 1, epoch)[: most or None]
    begin, cpu = time.perf_counter(), time.process_time()
    updates: list[Update] = []
    for first in range(0, len(order), batch):
        updates.append(learner.update([examples[number] for number in order[first : first + batch]]))
    seconds = time.perf_counter() - begin
    parts = [sum(update.seconds[part] for update in updates) for part in range(3)]
    traces = [trace for update in updates for trace in update.traces]
    count = len(traces)
    per_window = WINDOW // batch
    windows = [updates[first : first + per_window] for first in range(0, len(updates) - per_window + 1, per_window)]
    rates = [WINDOW / sum(sum(update.seconds) for update in window) for window in windows]
    return {
        "sentences_per_second": round(count / seconds, 1),
        "best_window": round(max(rates, default=0.0), 1),
        "sentences_per_cpu_second": round(count / (time.process_time() - cpu), 1),
        **{
            f"{name}_share": round(part / seconds, 3)
            for name, part in zip(("encode", "search", "replay"), parts, strict=True)
        },
        "violations": round(sum(len(trace.violations) for trace in traces) / count, 1),
        "gold_found": round(sum(trace.gold_found for trace in traces) / count, 3),
        "explored": round(sum(trace.explored for trace in traces) / count, 1),
        "recursive_units": round(sum(trace.recursive_units for trace in traces) / count, 1),
        "replayed": round(sum(update.nodes for update in updates) / count, 1),
    }


if __name__ == "__main__":
    main()
