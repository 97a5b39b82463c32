"""The plan of ``starccg reproduce``: the paper from a copy of CCGbank.

Treebank, gold derivations and grammar, tagger, tags, global models, tables: all are steps of
:class:`starccg.training.pipeline.pipeline.Pipeline`, so the command resumes when it is restarted, and another treebank
or another setting repeats what depends on it.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from starccg.errors import StarccgError
from starccg.experiments.presets import Settings
from starccg.experiments.reproduce_report import write_report
from starccg.files import sha256, write_atomically
from starccg.formats.auto import check, read_auto
from starccg.formats.errors import FormatError, WriteError
from starccg.formats.parg import PargSentence, write_parg
from starccg.tagger.model import STATES
from starccg.training.globalmodel.config import Config, Data
from starccg.training.pipeline.global_training import GlobalTraining, Resources, train_all
from starccg.training.pipeline.pipeline import Pipeline
from starccg.training.pipeline.sources import write_treebank
from starccg.training.pipeline.steps import Result, Step
from starccg.training.pipeline.vectors import FILES, random_vectors, read_vectors, write_vectors
from starccg.training.tagger.config import TaggerConfig
from starccg.treebanks.ccgbank import SPLITS as SECTIONS
from starccg.treebanks.ccgbank import CcgBank, GoldSentence

SPLITS = ("train", "dev", "test")


class Reproduction:
    """One run in one folder."""

    def __init__(
        self,
        ccgbank: Path,
        out: Path,
        settings: Settings,
        resources: Resources | None = None,
        vectors: Path | None = None,
        command: str = "starccg reproduce",
    ) -> None:
        self.bank, self.out, self.settings, self.command = CcgBank(ccgbank), out, settings, command
        self.pipeline = Pipeline(out, resources)
        self.steps, self.data = self.pipeline.steps, self.pipeline.data
        self.source = vectors
        self.reads_states = settings.model.model.inputs == "encoder"
        if (settings.model.model.structure, settings.model.model.leaves) != ("tree", "context"):
            raise StarccgError(
                "the global model must be the full one, with structure = 'tree' and leaves = 'context': the models of "
                "Table 3 are trained beside it"
            )
        if self.reads_states and settings.tagger.kind == "lstm":
            raise StarccgError(
                "a global model with inputs = 'encoder' needs a tagger with an encoder: name it with --tagger"
            )
        if settings.tagger.kind != "lstm":
            needed = [path for path in self.pipeline.files_of(settings.tagger) if path.suffix != ".auto"]
            if missing := [str(path) for path in needed if not path.is_file()]:
                raise StarccgError(
                    f"the tagger's configuration needs {', '.join(missing)}: name their folder with --pretrained"
                )

    def run(self) -> str:
        """Run all steps; returns the report."""
        settings, pipeline = self.settings, self.pipeline
        corpus = self.treebank()
        vectors = self.vectors()
        gold = pipeline.gold(["train"], settings.gold, settings.grammar)
        tagger = self.tagger(vectors["dimensions"])
        pipeline.train_tagger(tagger)
        exported = pipeline.export_tagger(tagger, settings.export)
        if settings.jackknife is not None:
            pipeline.jackknife(tagger, settings.jackknife, ["train"], exported["temperature"])
            pipeline.tag(SPLITS[1:], settings.beam, settings.max_tags)
        else:
            pipeline.tag(SPLITS, settings.beam, settings.max_tags)
        width = self.states() if self.reads_states else vectors["dimensions"]
        trainings = {variant: self.trainings(variant, width) for variant in settings.variants}
        learned = train_all(trainings, self.steps, pipeline.resources)
        found = {"corpus": corpus, "gold": gold, "vectors": vectors, "tagger": exported}
        return write_report(pipeline, settings, found, trainings, learned, self.command)

    def treebank(self) -> Result:
        """Sections 02-21, 00 and 23 as AUTO and, if there are gold dependencies, PARG."""
        kinds = ("auto", "parg") if self.bank.has_dependencies else ("auto",)
        outputs = [self.data / f"{split}.{kind}" for split in SPLITS for kind in kinds]
        reasons = self.data / "skipped.txt"
        files = {
            (split, kind): [
                path
                for section in SECTIONS[split]
                for path in sorted((self.bank.path / kind.upper() / section).glob(f"[!.]*.{kind}"))
            ]
            for split in SPLITS
            for kind in kinds
        }

        def work() -> Result:
            bad: list[FormatError] = []
            counts: Result = {}
            for split in SPLITS:
                before = len(bad)
                found = [own for own in self.bank.split(split, bad) if _can_be_written(own, bad)]
                if not found:
                    reason = f"; the last one: {bad[-1]}" if len(bad) > before else ""
                    raise StarccgError(f"{self.bank.path}: the {split} split has no sentence that can be read{reason}")
                write_treebank(self.data / f"{split}.auto", [own.sentence for own in found])
                if self.bank.has_dependencies:
                    parg = [PargSentence(own.id, tuple(own.derivation.words), own.dependencies or ()) for own in found]
                    text = "".join(f"{line}\n" for line in write_parg(parg))
                    write_atomically(self.data / f"{split}.parg", text.encode())
                words = sum(len(own.derivation) for own in found)
                skipped = max(0, sum(map(_sentences, files[split, "auto"])) - len(found))
                counts[split] = {"sentences": len(found), "words": words, "skipped": skipped}
            for sentence, text in self.bank.repairs.used:
                self.steps.say(f"repaired {sentence}: {text}")
            write_atomically(reasons, "".join(f"{error}\n" for error in bad).encode())
            repairs = Counter(text for _, text in self.bank.repairs.used)
            return {"splits": counts, "repairs": dict(repairs.most_common()), "parg": self.bank.has_dependencies}

        contents = [_content(path) for paths in files.values() for path in paths]
        return self.steps.run(Step("treebank", work, settings=[kinds, contents], outputs=[*outputs, reasons]))

    def vectors(self) -> Result:
        """The word vectors of the tagger and the global models; random ones if none are given."""
        folder, source, train = self.data / "vectors", self.source, self.data / "train.auto"

        def work() -> Result:
            if source is None:
                words = Counter(word.lower() for own in read_auto(train) for word in own.derivation.words)
                names, rows = random_vectors((word for word, _ in words.most_common()), self.settings.model.model.words)
            else:
                names, rows = read_vectors(source)
            write_vectors(folder, names, rows)
            name = "random" if source is None else source.name
            return {"words": len(names), "dimensions": int(rows.shape[1]), "name": name}

        inputs = [train]
        if source is not None:
            inputs = [path for path in sorted(source.iterdir()) if path.is_file()] if source.is_dir() else [source]
        outputs = [folder / name for name in FILES]
        return self.steps.run(Step("word vectors", work, inputs, self.settings.model.model.words, outputs))

    def tagger(self, width: int) -> TaggerConfig:
        """The configuration of the tagger, with the word vectors."""
        config = self.settings.tagger
        if config.kind != "lstm":
            return config
        files = (f"vectors/{name}" for name in FILES)
        return replace(config, lstm=replace(config.lstm, vectors=next(files), vocabulary=next(files)))

    def states(self) -> int:
        """Write the tagger's states of all words; returns their dimensions."""
        for name in ("train.gold", "dev", "test"):
            self.pipeline.encode(f"{name}.auto", f"{name}.states.npz")
        manifest = json.loads((self.out / "tagger-model" / "model.json").read_text("utf-8"))
        return int(manifest[STATES])

    def trainings(self, variant: str, width: int) -> list[GlobalTraining]:
        """The trainings of one of the models of Tables 3 and 4, one for each seed."""
        config = variant_of(self.settings.model, variant)
        has_parg = self.bank.has_dependencies
        files = Data(
            train=("train.gold.auto",),
            train_tags=("train.npz",),
            dev=("dev.auto",),
            dev_tags=("dev.npz",),
            grammar="grammar.json",
            vectors="" if self.source is None or self.reads_states else "vectors",
            train_encoded=("train.gold.states.npz",) if self.reads_states else (),
            dev_encoded=("dev.states.npz",) if self.reads_states else (),
            dev_parg=("dev.parg",) if has_parg else (),
            relations=("train.parg",) if has_parg else (),
        )
        config = replace(config, data=files, model=replace(config.model, words=width))
        return [
            GlobalTraining(
                f"global model {variant}, seed {seed}",
                replace(config, learning=replace(config.learning, seed=seed)),
                self.data,
                self.out / f"global-{variant}-{seed}",
            )
            for seed in range(1, self.settings.seeds + 1)
        ]


def _can_be_written(own: GoldSentence, bad: list[FormatError]) -> bool:
    """Whether the sentence can be written to an AUTO file; if not, the reason is added to ``bad``."""
    try:
        check(own.sentence)
    except WriteError as error:
        bad.append(FormatError(own.id, 0, 0, str(error)))
        return False
    return True


def _content(path: Path) -> str:
    """What the treebank depends on: a file that cannot be read is skipped, and does not end the run."""
    try:
        return sha256(path)
    except OSError:
        return "cannot be read"


def _sentences(path: Path) -> int:
    """How many sentences an AUTO file names."""
    try:
        return sum(line.startswith(b"ID=") for line in path.read_bytes().splitlines())
    except OSError:
        return 0


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
    raise StarccgError(f"the paper has no model {name!r}; it has all, max, greedy, {', '.join(models)}")
