"""The whole paper from a copy of CCGbank: gold derivations, tagger, jackknifed tags, global models, tables.

A step that is done is not done again (:mod:`starccg.training.steps`), and the trainings inside a step go on from their
own checkpoints. So the command can be killed and called again at any moment.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from starccg.ccg.induction import count, induce
from starccg.errors import StarccgError
from starccg.evaluation import Analysis, CcgbankExclusions, count_relations
from starccg.experiments.paper_tables import Measured, Systems, measure_all, to_markdown
from starccg.experiments.published import BEAM
from starccg.folders import write_atomically
from starccg.formats.auto import read_auto
from starccg.globalmodel import load_global_model
from starccg.tagger.model import Tagger, available_cores
from starccg.training.data import read_examples
from starccg.training.globalmodel.config import Config, Data
from starccg.training.globalmodel.run import load_run, read_table
from starccg.training.globalmodel.run import run_training as train_global
from starccg.training.globalmodel.trainer import BEST
from starccg.training.model.sources import write_treebank
from starccg.training.model.tags import tag_treebank
from starccg.training.steps import Say, Steps
from starccg.training.tagger.config import Dev, Source, TaggerConfig
from starccg.training.tagger.run import run_export, run_jackknife
from starccg.training.tagger.run import run_training as train_tagger
from starccg.treebanks.ccgbank import CcgBank
from starccg.treebanks.gold_bank import gold_bank

SPLITS = ("train", "dev", "test")
RANDOM_VECTORS = 50
"""Dimensions of word vectors where none are given; the paper's have as many."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What may differ from the paper; the defaults do not."""

    tagger: TaggerConfig = field(
        default_factory=lambda: TaggerConfig(
            kind="lstm",
            source=(Source("train.auto", jackknife=True),),
            dev=(Dev("CCGbank", "dev.auto"),),
        )
    )
    model: Config = field(default_factory=Config)
    device: str = "auto"
    variants: tuple[str, ...] = ("all", "span", "no-inputs", "no-context", "greedy", "max")
    """The models of Tables 3 and 4: the full one first."""
    table_sentences: int = 0
    """Measure on so many sentences only; 0: all."""


class Reproduction:
    """One run in one folder."""

    def __init__(self, ccgbank: Path, out: Path, settings: Settings, say: Say = lambda text: None) -> None:
        self.bank, self.out, self.settings = CcgBank(ccgbank), out, settings
        self.steps = Steps(out, say)
        self.data = out / "data"
        self.data.mkdir(parents=True, exist_ok=True)

    def run(self) -> dict[str, Any]:
        """All steps in order; returns the tables."""
        tagger, model = self.settings.tagger.as_dict(), self.settings.model.to_json()
        self.steps.step("gold derivations", [], self.treebank)
        self.steps.step("tagger", tagger, self.tagger)
        self.steps.step("tags", [tagger, BEAM], self.tags)
        for variant in self.settings.variants:
            self.steps.step(f"global model {variant}", [tagger, model], partial(self.global_model, variant))
        return self.steps.step("tables", [tagger, model, self.settings.table_sentences], self.tables)

    def treebank(self) -> dict[str, Any]:
        """Sections 02-21, 00 and 23 as AUTO; the right-most branching derivations of 02-21; the grammar they use."""
        sentences = {split: [found.sentence for found in self.bank.split(split)] for split in SPLITS}
        for split, found in sentences.items():
            write_treebank(self.data / f"{split}.auto", found)
        grammar = induce(count(sentence.derivation for sentence in sentences["train"]), seen=False).grammar
        gold = gold_bank(sentences["train"], grammar, jobs=available_cores())
        if not gold.found:
            raise StarccgError(f"{self.bank.path}: no training sentence has a derivation in the grammar")
        write_treebank(self.data / "train.gold.auto", gold.found)
        induced = induce(count(sentence.derivation for sentence in gold.found))
        write_atomically(self.data / "grammar.json", induced.grammar.dumps().encode())
        return {"sentences": {split: len(found) for split, found in sentences.items()}, "outcomes": dict(gold.outcomes)}

    def tagger(self) -> dict[str, Any]:
        """The supertagger of Lewis, Lee and Zettlemoyer 2016, trained and exported."""
        folder = self.steps.folder("tagger", self.settings.tagger.as_dict())
        best = train_tagger(self._tagger_config(), self.data, folder, self.settings.device)
        exported = run_export(self.out / "tagger", self.data, self.out / "model", quantised=False)
        return {"accuracy": exported.accuracy, "epoch": best["epoch"]}

    def _tagger_config(self) -> TaggerConfig:
        """The tagger's; where no vectors are given, its words begin with random ones, always the same."""
        config = self.settings.tagger
        if config.kind != "lstm" or config.lstm.vectors:
            return config
        files = self.data / "random-vectors.npy", self.data / "random-vocab.txt"
        if not all(file.exists() for file in files):
            words = Counter(w.lower() for s in read_auto(self.data / "train.auto") for w in s.derivation.words)
            names = [word for word, _ in words.most_common()]
            write_atomically(files[1], "".join(f"{name}\n" for name in names).encode())
            rows = np.random.default_rng(0).normal(0, 0.1, (len(names), RANDOM_VECTORS)).astype(np.float32)
            buffer = io.BytesIO()
            np.save(buffer, rows)
            write_atomically(files[0], buffer.getvalue())
        lstm = replace(config.lstm, vectors=files[0].name, vocabulary=files[1].name)
        return replace(config, lstm=lstm)

    def tags(self) -> dict[str, Any]:
        """Tags of the training sentences from taggers that did not see them; of dev and test from the tagger."""
        folder = self.steps.folder("jackknife", self.settings.tagger.as_dict())
        (path,) = run_jackknife(self._tagger_config(), self.data, folder, self.settings.device, beam=BEAM)
        path.replace(self.data / "train.npz")
        tagger = Tagger.load(self.out / "model")
        for split in SPLITS[1:]:
            tag_treebank(tagger, self.data / f"{split}.auto", self.data / f"{split}.npz", BEAM)
        return {"files": [f"{split}.npz" for split in SPLITS]}

    def global_model(self, variant: str) -> dict[str, Any]:
        """One of the models of Tables 3 and 4."""
        config = variant_of(self.settings.model, variant)
        files = Data(
            train=("train.gold.auto",),
            train_tags=("train.npz",),
            dev=("dev.auto",),
            dev_tags=("dev.npz",),
            grammar="grammar.json",
            vectors=config.data.vectors,
        )
        config = replace(config, data=files)
        folder = self.steps.folder(f"global-{variant}", [self.settings.tagger.as_dict(), config.to_json()])
        result = train_global(config, load_run(config, self.data), self.data, folder)
        return {"dev_f1": result.best_f1, "sentences": result.sentences}

    def tables(self) -> dict[str, Any]:
        """Tables 2 to 5 of the paper, as numbers and as Markdown."""
        table = read_table(self.data / "grammar.json", [self.data / "train.npz"])
        models = {
            variant: load_global_model(self.out / f"global-{variant}" / BEST) for variant in self.settings.variants
        }
        training = (Analysis.of_derivation(s.derivation) for s in read_auto(self.data / "train.auto"))
        exclusions = CcgbankExclusions(count_relations(training))
        limit = self.settings.table_sentences or None
        measured: dict[str, list[Measured]] = {}
        for split in SPLITS[1:]:
            examples, _ = read_examples(self.data / f"{split}.auto", self.data / f"{split}.npz", table)
            systems = Systems(table, examples[:limit], self._gold(split)[:limit], exclusions, models)
            measured[split] = measure_all(systems, full=split == "dev", say=self.steps.say)
        text = to_markdown(measured)
        write_atomically(self.out / "tables.md", text.encode())
        return {split: [row.to_json() for row in rows] for split, rows in measured.items()}

    def _gold(self, split: str) -> list[Analysis]:
        """The gold dependencies: those of the PARG files where there are any."""
        found: list[Analysis] = []
        for gold in self.bank.split(split):
            words = tuple(gold.derivation.words)
            if gold.dependencies is None:
                found.append(Analysis.of_derivation(gold.derivation, gold.id))
            else:
                found.append(Analysis(gold.id, words, gold.dependencies))
        return found


def variant_of(config: Config, name: str) -> Config:
    """The configuration of a row of Table 3 or 4."""
    models: dict[str, dict[str, Any]] = {
        "span": {"structure": "span"},
        "no-inputs": {"leaves": "none"},
        "no-context": {"leaves": "words"},
    }
    if name in models:
        return replace(config, model=replace(config.model, **models[name]))
    if name in ("all", "max", "greedy"):
        return replace(config, learning=replace(config.learning, loss=name))  # type: ignore[arg-type]
    raise StarccgError(f"no model of the paper is called {name!r}; there are all, max, greedy, {', '.join(models)}")
