"""From the sources to a model folder, step by step: see :mod:`starccg.training.steps` for how it goes on after a kill.

| in the folder of the run | what |
|---|---|
| ``data/`` | treebanks, gold derivations, the grammar, tags, vectors: all that the trainings read |
| ``tagger/``, ``jackknife/``, ``global/`` | the trainings |
| ``tagger-model/`` | the tagger, calibrated and packed |
| ``model/`` | the model: what ``starccg.load()`` takes |
| ``report.md``, ``log.txt`` | how good and how large it is, and what happened |
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from starccg.ccg.grammar import Grammar
from starccg.ccg.induction import count
from starccg.errors import StarccgError
from starccg.folders import sha256, write_atomically
from starccg.formats.auto import read_auto
from starccg.model_parts import GRAMMAR, assemble
from starccg.training.devices import device_name
from starccg.training.globalmodel.config import Config
from starccg.training.globalmodel.run import load_run
from starccg.training.globalmodel.run import run_training as train_global
from starccg.training.globalmodel.trainer import BEST
from starccg.training.model.config import GOLD, Plan, Treebank
from starccg.training.model.report import dev_scores, report_of, sizes
from starccg.training.model.sources import (
    copy_encoder,
    copy_vectors,
    find_source,
    find_vectors,
    read_source,
    write_treebank,
)
from starccg.training.model.tags import tag_treebank
from starccg.training.steps import Found, Say, Steps
from starccg.training.tagger.config import TaggerConfig
from starccg.training.tagger.run import run_export, run_jackknife
from starccg.training.tagger.run import run_training as train_tagger
from starccg.training.watching import Bar, no_bar, watch_global, watch_tagger
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES
from starccg.treebanks.gold_bank import gold_bank

MODEL = "model"


@dataclass(frozen=True)
class Means:
    """What the work is done with. It changes how long things take, not what comes out."""

    device: str = "auto"
    jobs: int = 1
    """Processes, where the work is in Python: the search for gold derivations."""
    say: Say = lambda text: None
    bar: Bar = no_bar


class Chain:
    """The making of one model in one folder."""

    def __init__(
        self, plan: Plan, sources: Path, out: Path, means: Means | None = None, limit: int | None = None
    ) -> None:
        self.plan, self.sources, self.out, self.limit = plan, sources, out, limit
        self.means = means or Means()
        self.steps = Steps(out, self.means.say)
        self.data = out / "data"
        self.data.mkdir(parents=True, exist_ok=True)

    def run(self) -> str:
        """All steps in order; returns the report."""
        counts = {
            name: self.treebank(treebank, name, file)["sentences"]
            for treebank in self.plan.model.treebank
            for name, file in treebank.parts().items()
        }
        self.pretrained()
        self.gold()
        self.tagger()
        packed = self.export()
        self.tags(packed["temperature"], packed["beam"])
        self.global_model()
        self.assemble(counts)
        return self.report()

    def treebank(self, treebank: Treebank, name: str, file: str) -> Found:
        """One file of a treebank, converted or normalised."""
        source, target = find_source(self.sources, name, file), self.data / f"{name}.auto"

        def work() -> Found:
            sentences, notes = read_source(treebank, name, source, self.limit)
            for note in notes:
                self.steps.say(f"{name}: {note}")
            write_treebank(target, sentences)
            return {"sentences": len(sentences)}

        mark = [sha256(source)] if source else [PHRASES, CONSTRUCTIONS]
        return self.steps.step(name, [mark, treebank.normalise, treebank.drawn, self.limit], work, [target])

    def pretrained(self) -> None:
        """The encoder's weights and the word vectors, where the plan has any."""
        model, tagger = self.plan.model, self.plan.tagger
        if tagger.kind == "encoder" and model.pretrained is not None:
            pretrained = model.pretrained
            files = [self.data / tagger.encoder.weights, self.data / tagger.encoder.wordpieces]

            def copy() -> Found:
                copy_encoder(pretrained, self.sources, *files)
                return {"sha256": pretrained.sha256}

            self.steps.step("encoder", asdict(pretrained), copy, files)
        if model.vectors:
            folder, target = self.sources / model.vectors, self.data / self.plan.global_model.data.vectors
            own = (self.data / tagger.lstm.vectors, self.data / tagger.lstm.vocabulary) if tagger.kind == "lstm" else ()

            def vectors() -> Found:
                copy_vectors(folder, target, *own)
                return {"folder": target.name}

            marks = _marks(find_vectors(folder))
            self.steps.step("vectors", [marks, tagger.kind], vectors, [*own, target / "vocab.txt"])

    def gold(self) -> Found:
        """The gold derivations of the training sentences, and the parser's grammar, which is read off them."""
        options, final = self.plan.model.gold, self.plan.model.grammar
        sources = [self.data / f"{name}.auto" for name in self.plan.learned]
        targets = [self.data / f"{name}{GOLD}" for name in self.plan.learned]

        def work() -> Found:
            banks = [list(read_auto(path)) for path in sources]
            everything = count(sentence.derivation for bank in banks for sentence in bank)
            grammar = options.seen.grammar(everything, seen=False)
            found: Found = {}
            learned = count(())
            for name, bank, target in zip(self.plan.learned, banks, targets, strict=True):
                self.means.bar(f"gold derivations of {name}", len(found), len(banks))
                gold = gold_bank(bank, grammar, jobs=self.means.jobs, max_nodes=options.max_nodes)
                if not gold.found:
                    raise StarccgError(f"{name}: no sentence has a derivation in the grammar")
                write_treebank(target, gold.found)
                found[name] = dict(gold.outcomes.most_common())
                for sentence in gold.found:
                    learned.add(sentence.derivation)
            induced = final.seen.grammar(learned, root_weight=final.root_weight)
            write_atomically(self.data / GRAMMAR, induced.dumps().encode())
            return found

        key = [_marks(sources), asdict(options), asdict(final)]
        return self.steps.step("gold derivations", key, work, [*targets, self.data / GRAMMAR])

    def tagger(self) -> Found:
        """The tagger, trained on all sources."""
        config = self.plan.tagger

        def work() -> Found:
            folder = self.steps.folder("tagger", self._tagger_key(config))
            watch = watch_tagger(self.steps.say, self.means.bar, "tagger")
            return train_tagger(config, self.data, folder, self.means.device, watch=watch)

        return self.steps.step("tagger", self._tagger_key(config), work, [self.out / "tagger" / "best.safetensors"])

    def export(self) -> Found:
        """The tagger calibrated, its beam chosen, packed in 8 bits if that costs little."""
        options, folder = self.plan.model.export, self.out / "tagger-model"

        def work() -> Found:
            packed = run_export(
                self.out / "tagger", self.data, folder,
                allowed_loss=options.most_loss / 100, most_tags=options.most_tags,
            )  # fmt: skip
            return {
                "temperature": packed.temperature,
                "beam": packed.beam,
                "quantised": packed.quantised,
                "accuracy": packed.accuracy,
            }

        dev = [self.data / entry.path for entry in self.plan.tagger.dev]
        key = [_marks([self.out / "tagger" / "best.safetensors", *dev]), asdict(options)]
        return self.steps.step("export", key, work, [folder / "tagger.onnx", folder / "model.json"])

    def tags(self, temperature: float, beam: float) -> Found:
        """Tags of the training sentences from taggers that did not see them, of dev from the tagger itself."""
        options, config = self.plan.model.jackknife, self.plan.tagger
        if options.epochs:
            config = replace(config, schedule=replace(config.schedule, epochs=options.epochs))
        trained = {name: self.data / f"{name}.npz" for name in self.plan.learned}
        dev = {name: self.data / f"{name}.npz" for name in self.plan.dev}

        def work() -> Found:
            folder = self.steps.folder("jackknife", self._tagger_key(config))
            watch = watch_tagger(self.steps.say, self.means.bar, "fold")
            made = run_jackknife(
                config, self.data, folder, self.means.device,
                watch=lambda fold, step: watch(step, f" {fold}"), beam=options.beam, temperature=temperature,
            )  # fmt: skip
            for path in made:
                if path.stem in trained:
                    write_atomically(trained[path.stem], path.read_bytes())
            for name, target in dev.items():
                tag_treebank(self.out / "tagger-model", self.data / f"{name}.auto", target, beam)
            return {"files": sorted(path.name for path in (*trained.values(), *dev.values()))}

        model = sha256(self.out / "tagger-model" / "tagger.onnx")
        key = [self._tagger_key(config), _marks(self.data / f"{name}.auto" for name in dev), model]
        return self.steps.step(
            "tags", [*key, options.beam, temperature, beam], work, [*trained.values(), *dev.values()]
        )  # fmt: skip

    def global_model(self) -> Found:
        """The global model."""
        config = self.plan.global_model
        files = config.data
        names = [*files.train, *files.train_tags, *files.dev, *files.dev_tags, files.grammar]
        key = [_without_means(config), _marks(self.data / name for name in names)]

        def work() -> Found:
            folder = self.steps.folder("global", key)
            learning = replace(config.learning, device=device_name(self.means.device))
            own = replace(config, learning=learning)
            loaded = load_run(own, self.data)
            for name, told in loaded.reports:
                self.steps.say(f"{name}: {told}")
            watch = watch_global(self.steps.say, self.means.bar)
            result = train_global(own, loaded, self.data, folder, watch)
            return {"dev_f1": result.best_f1, "sentences": result.sentences}

        return self.steps.step("global model", key, work, [self.out / "global" / BEST / "model.json"])

    def assemble(self, counts: dict[str, int]) -> Found:
        """The model folder."""
        model, tagger, learned = self.plan.model, self.out / "tagger-model", self.out / "global" / BEST
        papers: dict[str, Any] = {
            **model.about,
            "treebanks": {
                bank.name: counts[f"{bank.id}-train"] for bank in model.treebank if f"{bank.id}-train" in counts
            },
            "configurations": list(self.plan.files),
        }
        if model.pretrained is not None and self.plan.tagger.kind == "encoder":
            papers["encoder"] = {"source": model.pretrained.source, "sha256": model.pretrained.sha256}
        folder = self.out / MODEL

        def work() -> Found:
            grammar = Grammar.loads((self.data / GRAMMAR).read_text("utf-8"))
            assemble(folder, grammar, tagger, learned, papers, name=model.name)
            return {"bytes": sizes(folder)}

        key = [_marks([tagger / "model.json", learned / "model.json", self.data / GRAMMAR]), papers, model.name]
        return self.steps.step("model", key, work, [folder / "model.json", folder / "global" / "model.json"])

    def report(self) -> str:
        """How good the model is on each dev set, and how large."""
        folder, target = self.out / MODEL, self.out / "report.md"
        dev = {name: (self.data / f"{name}.auto", self.data / f"{name}.npz") for name in self.plan.dev}

        def work() -> Found:
            looks = dev_scores(folder, dev)
            target.write_text(report_of(self.plan.model.name, looks, sizes(folder)), "utf-8")
            return {f"{name}, {way}": round(look.f1, 2) for (name, way), look in looks.items()}

        parts = [folder / part / "model.json" for part in ("", "tagger", "global")]
        key = [_marks(parts), *map(_marks, dev.values())]
        self.steps.step("report", key, work, [target])
        return target.read_text("utf-8")

    def _tagger_key(self, config: TaggerConfig) -> list[Any]:
        lstm, encoder = config.lstm, config.encoder
        files = (lstm.vectors, lstm.vocabulary) if config.kind == "lstm" else (encoder.weights, encoder.wordpieces)
        if not all(files):
            wanted = "word vectors: name their folder as 'vectors'" if config.kind == "lstm" else "pretrained weights"
            raise StarccgError(f"the {config.kind} tagger needs {wanted} in the configuration")
        names = [*(source.path for source in config.source), *(entry.path for entry in config.dev), *files]
        return [config.as_dict(), _marks(self.data / name for name in names)]


def _marks(paths: Iterable[Path]) -> list[str]:
    return [sha256(path) for path in paths]


def _without_means(config: Config) -> dict[str, Any]:
    value = config.to_json()
    value["learning"] = {k: v for k, v in value["learning"].items() if k not in ("threads", "device")}
    return value
