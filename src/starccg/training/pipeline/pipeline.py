"""The steps that every plan shares: gold derivations and grammar, tagger, tags, global model.

A plan is a function that calls the steps in order with its own settings: :mod:`.model` makes a model folder of
downloaded treebanks (``starccg train model``), :mod:`starccg.experiments.reproduce` repeats the paper on CCGbank
(``starccg reproduce``). :mod:`.steps` explains how a run resumes. All files that steps exchange are in ``data/``:
``NAME.auto`` is a treebank, ``NAME.parg`` its gold dependencies (if it has its own), ``NAME.gold.auto`` the gold
derivations to learn from, ``NAME.npz`` the tags, ``grammar.json`` the grammar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from starccg.ccg.derivation import Sentence
from starccg.ccg.grammar import Grammar
from starccg.ccg.induction import count
from starccg.dependencies import Dependency
from starccg.errors import StarccgError
from starccg.evaluation import Analysis
from starccg.evaluation.exclusions import unwritten
from starccg.files import write_atomically
from starccg.formats.auto import read_auto, write_auto
from starccg.formats.parg import read_parg
from starccg.model_folder.parts import GRAMMAR
from starccg.tagger.model import MAX_TAGS
from starccg.training.pipeline.config import GOLD, Export, Gold, GrammarSettings, Jackknife
from starccg.training.pipeline.global_training import Resources
from starccg.training.pipeline.sources import write_treebank
from starccg.training.pipeline.steps import Result, Step, Steps
from starccg.training.pipeline.tags import encode_treebank, tag_treebank
from starccg.training.progress import Watch, report_progress
from starccg.training.tagger.config import TaggerConfig
from starccg.training.tagger.jackknife import run_jackknife
from starccg.training.tagger.package import run_export
from starccg.training.tagger.run import run_distil, soft_path
from starccg.training.tagger.run import run_training as train_tagger
from starccg.treebanks.gold_bank import gold_bank

SOFT = "soft"
"""The folder of what teachers say: their tags of the treebanks and of raw text."""
PART = 2000
"""Sentences of one part of the search for gold derivations."""


class Pipeline:
    """The shared steps in one folder. Each method runs one step and returns its result."""

    def __init__(self, out: Path, resources: Resources | None = None) -> None:
        self.out, self.data = out, out / "data"
        self.resources = resources or Resources()
        self.steps = Steps(out, self.resources.say)
        self.data.mkdir(parents=True, exist_ok=True)

    def watch(self, name: str) -> Watch:
        """Reports the progress of a training."""
        return report_progress(self.steps.say, self.resources.bar, name)

    def gold(self, learned: Sequence[str], options: Gold, final: GrammarSettings) -> Result:
        """The gold derivations of the training sentences, and the parser's grammar, induced from them."""
        sources = [self.data / f"{name}.auto" for name in learned]
        pargs = [path for source in sources if (path := source.with_suffix(".parg")).is_file()]
        targets = [self.data / f"{name}{GOLD}" for name in learned]

        def work() -> Result:
            banks = {name: list(read_auto(path)) for name, path in zip(learned, sources, strict=True)}
            grammar = options.seen.grammar(count(own.derivation for bank in banks.values() for own in bank), seen=False)
            outcomes: Result = {}
            counts = count(())
            for name, bank in banks.items():
                parts = [self._gold_part(name, bank, first, grammar, options) for first in range(0, len(bank), PART)]
                outcomes[name] = dict(sum((Counter(part["outcomes"]) for part in parts), Counter()).most_common())
                found = [own for part in parts for own in read_auto(self.out / part["file"])]
                if not found:
                    raise StarccgError(f"{name}: no sentence has a derivation in the grammar")
                write_treebank(self.data / f"{name}{GOLD}", found)
                for sentence in found:
                    counts.add(sentence.derivation)
            induced = final.seen.grammar(counts, root_weight=final.root_weight)
            write_atomically(self.data / GRAMMAR, induced.dumps().encode())
            return outcomes

        inputs, outputs = [*sources, *pargs], [*targets, self.data / GRAMMAR]
        return self.steps.run(Step("gold derivations", work, inputs, [asdict(options), asdict(final)], outputs))

    def _gold_part(self, name: str, bank: Sequence[Sentence], first: int, grammar: Grammar, options: Gold) -> Result:
        """The gold derivations of some sentences of a treebank: a step, so that the search resumes."""
        part = bank[first : first + PART]
        parg, target = self.data / f"{name}.parg", self.out / "gold" / f"{name}-{first + 1}.auto"
        inputs = [parg] if parg.is_file() else []

        def work() -> Result:
            self.resources.bar(f"gold derivations of {name}", first, len(bank))
            written = {own.id: own.dependencies for path in inputs for own in read_parg(path)}
            gold = gold_bank(
                part, grammar, {own.id: _wanted(own, written[own.id]) for own in part if own.id in written},
                own=options.own, jobs=self.resources.jobs, max_nodes=options.max_nodes,
            )  # fmt: skip
            target.parent.mkdir(exist_ok=True)
            write_treebank(target, gold.found)
            return {"outcomes": dict(gold.outcomes), "file": str(target.relative_to(self.out))}

        text = "\n".join(write_auto(part))
        label = f"gold derivations of {name}, {first + 1} to {first + len(part)} of {len(bank)}"
        return self.steps.run(Step(label, work, inputs, [text, grammar.dumps(), asdict(options)], [target]))

    def train_tagger(
        self, config: TaggerConfig, name: str = "tagger", teachers: Sequence[str] = (), start: int = 0
    ) -> Result:
        """Train a tagger in the folder ``name``; a student learns from the tags of its ``teachers`` too.

        ``start``: the teacher, counted from 1, whose weights it begins with.
        """
        folder, runs = self.out / name, [self.out / teacher for teacher in teachers]
        soft, first = (self.out / SOFT if runs else None), (runs[start - 1] if start else None)

        def work() -> Result:
            return train_tagger(
                config, self.data, folder, self.resources.device, watch=self.watch(name),
                soft=soft, teacher=runs[0] if runs else None, start=first,
            )  # fmt: skip

        taught = [] if soft is None else [soft_path(soft, entry.path) for entry in config.corpora()]
        inputs = [*self.files_of(config), *taught, *([first / "best.safetensors"] if first else [])]
        return self.steps.run(Step(name, work, inputs, asdict(config), [folder / "best.safetensors"], folder))

    def distil(self, students: Sequence[TaggerConfig], teachers: Sequence[str]) -> Result:
        """Write the teachers' tags, averaged, of all that the students learn from."""
        folders, target = [self.out / name for name in teachers], self.out / SOFT
        paths = sorted({entry.path for student in students for entry in student.corpora()})
        outputs = [soft_path(target, path) for path in paths]

        def work() -> Result:
            for student in students:
                run_distil(student, folders, self.data, target, self.resources.device, watch=self.watch("distil"))
            return {"files": [path.name for path in outputs]}

        inputs = [*(folder / "best.safetensors" for folder in folders), *(self.data / path for path in paths)]
        return self.steps.run(
            Step("distil", work, inputs, [asdict(student)["distil"] for student in students], outputs)
        )

    def export_tagger(
        self, config: TaggerConfig, options: Export, name: str = "export", source: str = "tagger"
    ) -> Result:
        """Calibrate a trained tagger, choose its beam and write ``SOURCE-model``, in 8 bits if that costs little."""
        run, folder = self.out / source, self.out / f"{source}-model"

        def work() -> Result:
            packed = run_export(
                run, self.data, folder, options.quantise,
                allowed_loss=options.most_loss / 100, most_tags=options.most_tags, calibrate=options.calibrate,
            )  # fmt: skip
            return {
                "temperature": packed.temperature,
                "beam": packed.tag_beam,
                "quantised": packed.quantised,
                "accuracy": packed.accuracy,
            }

        dev = [self.data / entry.path for entry in config.dev]
        return self.steps.run(
            Step(name, work, [run / "best.safetensors", *dev], asdict(options),
                 [folder / "tagger.onnx", folder / "model.json"])
        )  # fmt: skip

    def jackknife(
        self, config: TaggerConfig, options: Jackknife, learned: Sequence[str], temperature: float | None
    ) -> Result:
        """Tags of the training sentences from taggers that did not see them.

        They are at the exported tagger's temperature, or (None) each at the one that fits it best.
        """
        folder = self.out / "jackknife"
        targets = {name: self.data / f"{name}.npz" for name in learned}
        if options.epochs:
            config = replace(config, schedule=replace(config.schedule, epochs=options.epochs))

        def work() -> Result:
            written = run_jackknife(
                config, self.data, folder, self.resources.device,
                watch=self.watch("jackknife"), tag_beam=options.beam, temperature=temperature,
            )  # fmt: skip
            for path in written:
                if path.stem in targets:
                    write_atomically(targets[path.stem], path.read_bytes())
            return {"files": [path.name for path in targets.values()]}

        settings = [asdict(config), asdict(options), temperature]
        return self.steps.run(Step("jackknife", work, self.files_of(config), settings, list(targets.values()), folder))

    def tag(self, names: Sequence[str], tag_beam: float, max_tags: int = MAX_TAGS, name: str = "tags") -> Result:
        """Tags of treebanks from the exported tagger."""
        tagger = self.out / "tagger-model"
        sources = [self.data / f"{own}.auto" for own in names]
        targets = [path.with_suffix(".npz") for path in sources]

        def work() -> Result:
            for number, (source, target) in enumerate(zip(sources, targets, strict=True)):
                self.resources.bar(f"tagging {source.stem}", number, len(sources))
                tag_treebank(tagger, source, target, tag_beam, max_tags)
            return {"files": [path.name for path in targets]}

        inputs = [tagger / "tagger.onnx", tagger / "model.json", *sources]
        return self.steps.run(Step(name, work, inputs, [tag_beam, max_tags], targets))

    def encode(self, source: str, target: str) -> Result:
        """The exported tagger's states of the words of a treebank, for a global model that reads them."""
        tagger, treebank, states = self.out / "tagger-model", self.data / source, self.data / target

        def work() -> Result:
            encode_treebank(tagger, treebank, states)
            return {"file": target}

        inputs = [tagger / "tagger.onnx", tagger / "model.json", treebank]
        return self.steps.run(Step(f"states of {source}", work, inputs, outputs=[states]))

    def files_of(self, config: TaggerConfig) -> list[Path]:
        """The files that a training of the tagger reads."""
        lstm, encoder = config.lstm, config.encoder
        files = (lstm.vectors, lstm.vocabulary) if config.kind == "lstm" else encoder.files()
        if not all(files):
            wanted = "word vectors: name their folder as 'vectors'" if config.kind == "lstm" else "pretrained weights"
            raise StarccgError(f"the {config.kind} tagger needs {wanted} in the configuration")
        words = (source.words for source in config.source if source.words)
        read = [*(source.path for source in config.source), *words, *(entry.path for entry in config.dev)]
        names = dict.fromkeys([*read, *files])
        return [self.data / name for name in names]


def _wanted(sentence: Sentence, written: Sequence[Dependency]) -> list[Dependency]:
    """The dependencies of a gold derivation: those of PARG, and of its own those that PARG files never write."""
    own = Analysis.of_derivation(sentence.derivation)
    return [*written, *(dependency for dependency in own.dependencies if unwritten(dependency, own))]
