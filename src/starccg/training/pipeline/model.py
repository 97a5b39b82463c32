"""The plan of ``starccg train model``: from downloaded sources to a model folder.

| in the folder of the run | what |
|---|---|
| ``data/`` | treebanks, gold derivations, the grammar, tags, vectors: everything that the trainings read |
| ``tagger/``, ``jackknife/``, ``global/`` | the trainings |
| ``tagger-model/`` | the exported tagger |
| ``model/`` | the model folder, for ``starccg.load()`` |
| ``report.md``, ``log.txt`` | its accuracy and size, and the log |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from starccg.ccg.grammar import Grammar
from starccg.files import write_atomically
from starccg.formats.auto import read_auto
from starccg.model_folder.parts import GRAMMAR, assemble
from starccg.training.data import text_lines
from starccg.training.globalmodel.trainer import BEST
from starccg.training.pipeline.config import Plan, Pretrained, Treebank
from starccg.training.pipeline.global_training import GlobalTraining, train_all
from starccg.training.pipeline.pipeline import Pipeline
from starccg.training.pipeline.report import dev_scores, report_of, sizes
from starccg.training.pipeline.sources import (
    copy_encoder,
    copy_vectors,
    find_source,
    find_vectors,
    read_source,
    write_treebank,
)
from starccg.training.pipeline.steps import Result, Step
from starccg.training.tagger.data import read_raw
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES
from starccg.treebanks.duplicates import NearDuplicates, without_copies

MODEL = "model"


def make_model(plan: Plan, sources: Path, pipeline: Pipeline, limit: int | None = None) -> str:
    """Run all steps of a plan; returns the report. ``limit`` is the maximum number of sentences of each source."""
    model = plan.model
    counts = read_treebanks(plan, sources, pipeline, limit)
    copy_texts(plan, sources, pipeline, limit)
    copy_pretrained(pipeline, plan, sources)
    pipeline.gold(plan.learned, model.gold, model.grammar)
    teachers = [f"teacher-{number}" for number in range(1, len(plan.teachers) + 1)]
    for name, teacher in zip(teachers, plan.teachers, strict=True):
        pipeline.train_tagger(teacher, name)
    if teachers:
        pipeline.distil([plan.tagger, *plan.also], teachers)
    pipeline.train_tagger(plan.tagger, teachers=teachers)
    exported = pipeline.export_tagger(plan.tagger, model.export)
    temperature = None if plan.teachers else exported["temperature"]
    pipeline.jackknife(plan.jackknifed, model.jackknife, plan.learned, temperature)
    pipeline.tag(plan.dev, exported["beam"])
    files = plan.global_model.data
    if plan.global_model.model.inputs == "encoder":
        encoded = (*files.train_encoded, *files.dev_encoded)
        for source, target in zip((*files.train, *files.dev), encoded, strict=True):
            pipeline.encode(source, target)
    training = GlobalTraining("global model", plan.global_model, pipeline.data, pipeline.out / "global")
    train_all({model.name: [training]}, pipeline.steps, pipeline.resources)
    write_model(pipeline, plan, counts, model.name, "tagger", MODEL)
    for further, config in zip(model.also, plan.also, strict=True):
        folder = f"tagger-{further.name}"
        pipeline.train_tagger(config, folder, teachers, further.start)
        pipeline.export_tagger(config, model.export, f"export of {further.name}", folder)
        write_model(pipeline, plan, counts, further.name, folder, further.name)
    return write_report(pipeline, plan)


def read_treebanks(plan: Plan, sources: Path, pipeline: Pipeline, limit: int | None) -> dict[str, int]:
    """The number of sentences of each treebank.

    Dev sets are read first, because training sentences that nearly repeat one of theirs are left out.
    """
    parts = [(bank, name, file) for bank in plan.model.treebank for name, file in bank.parts().items()]
    parts.sort(key=lambda part: part[1].endswith("-train"))
    dev = [pipeline.data / f"{name}.auto" for _, name, _ in parts if not name.endswith("-train")]
    words = {source.words for config in plan.taggers for source in config.source}
    counts = {}
    earlier: list[Path] = []
    for bank, name, file in parts:
        source = find_source(sources, name, file)
        is_train = name.endswith("-train")
        found = read_treebank(pipeline, bank, name, source, limit, dev if is_train else (), earlier if is_train else ())
        counts[name] = found["sentences"]
        if is_train:
            earlier = [*earlier, pipeline.data / f"{name}.auto"]
        if f"{name}.conllu" in words:
            copy_words(pipeline, sources / file, name)
    return counts


def read_treebank(
    pipeline: Pipeline,
    treebank: Treebank,
    name: str,
    source: Path | None,
    limit: int | None,
    dev: Sequence[Path] = (),
    earlier: Sequence[Path] = (),
) -> Result:
    """Convert or normalise one file of a treebank, without the sentences that are nearly one of ``dev``, and without
    those that a training file read before it has (``earlier``)."""
    target = pipeline.data / f"{name}.auto"

    def work() -> Result:
        sentences, notes = read_source(treebank, name, source, limit)
        held_out = NearDuplicates(own.derivation.words for path in dev for own in read_auto(path))
        kept = [sentence for sentence in sentences if sentence.derivation.words not in held_out]
        if len(kept) < len(sentences):
            notes.append(f"{len(sentences) - len(kept)} sentences are nearly one of a dev set and are left out")
        alone = without_copies(kept, (own for path in earlier for own in read_auto(path)))
        if len(alone) < len(kept):
            notes.append(f"{len(kept) - len(alone)} sentences are in a treebank before this one and are left out")
        kept = alone
        named = list({sentence.id: sentence for sentence in reversed(kept)}.values())[::-1]
        if len(named) < len(kept):
            notes.append(f"{len(kept) - len(named)} sentences have the name of another and are left out")
        for note in notes:
            pipeline.steps.say(f"{name}: {note}")
        write_treebank(target, named)
        return {"sentences": len(named)}

    own = [] if source else [PHRASES, CONSTRUCTIONS]
    settings = [own, treebank.normalise, treebank.drawn, limit]
    return pipeline.steps.run(Step(name, work, [*([source] if source else []), *dev, *earlier], settings, [target]))


def copy_words(pipeline: Pipeline, source: Path, name: str) -> Result:
    """Copy the CoNLL-U file with the parts of speech and lemmas of a treebank."""
    target = pipeline.data / f"{name}.conllu"

    def work() -> Result:
        write_atomically(target, "".join(f"{line}\n" for line in text_lines(source)).encode())
        return {"file": target.name}

    return pipeline.steps.run(Step(f"words of {name}", work, [source], outputs=[target]))


def copy_texts(plan: Plan, sources: Path, pipeline: Pipeline, limit: int | None) -> None:
    """Copy the raw text, without sentences that are nearly one of a dev set."""
    dev = sorted({pipeline.data / entry.path for config in plan.taggers for entry in config.dev})
    for text in plan.model.text:
        source, target = sources / text.source, pipeline.data / text.file

        def work(source: Path = source, target: Path = target) -> Result:
            held_out = NearDuplicates(own.derivation.words for path in dev for own in read_auto(path))
            found = [example.words for example in read_raw(source, limit) if example.words not in held_out]
            write_atomically(target, "".join(f"{' '.join(words)}\n" for words in found).encode())
            return {"sentences": len(found)}

        pipeline.steps.run(Step(f"text {text.file}", work, [source, *dev], limit, [target]))


def copy_pretrained(pipeline: Pipeline, plan: Plan, sources: Path) -> None:
    """Copy the encoder's weights and the word vectors, where the plan has any."""
    model, tagger, data = plan.model, plan.tagger, pipeline.data
    for pretrained in model.pretrained:
        files = [data / (pretrained.file or tagger.encoder.weights), data / "wordpieces.txt"]

        def copy(pretrained: Pretrained = pretrained, files: list[Path] = files) -> Result:
            copy_encoder(pretrained, sources, *files)
            return {"sha256": pretrained.sha256}

        name = "encoder" if len(model.pretrained) == 1 else f"encoder {files[0].name}"
        pipeline.steps.run(Step(name, copy, settings=asdict(pretrained), outputs=files))
    if model.vectors:
        folder, target = sources / model.vectors, data / plan.global_model.data.vectors
        own = (data / tagger.lstm.vectors, data / tagger.lstm.vocabulary) if tagger.kind == "lstm" else ()

        def vectors() -> Result:
            copy_vectors(folder, target, *own)
            return {"folder": target.name}

        pipeline.steps.run(Step("vectors", vectors, find_vectors(folder), tagger.kind, [*own, target / "vocab.txt"]))


def write_model(
    pipeline: Pipeline, plan: Plan, counts: dict[str, int], name: str, tagger_run: str, target: str
) -> Result:
    """Assemble a model folder of a trained tagger, the grammar and the global model."""
    model, tagger, learned = plan.model, pipeline.out / f"{tagger_run}-model", pipeline.out / "global" / BEST
    grammar, folder = pipeline.data / GRAMMAR, pipeline.out / target
    provenance: dict[str, Any] = {
        **model.about,
        "treebanks": {bank.name: counts[f"{bank.id}-train"] for bank in model.treebank if f"{bank.id}-train" in counts},
        **({"text": [text.name for text in model.text]} if model.text else {}),
        "configurations": list(plan.files),
    }
    if model.pretrained:
        provenance["encoders"] = {own.source: own.sha256 for own in model.pretrained}

    def work() -> Result:
        assemble(folder, Grammar.loads(grammar.read_text("utf-8")), tagger, learned, provenance, name=name)
        return {"bytes": sizes(folder)}

    inputs = [tagger / "model.json", learned / "model.json", grammar]
    outputs = [folder / "model.json", folder / "global" / "model.json"]
    step = "model" if target == MODEL else f"model {name}"
    return pipeline.steps.run(Step(step, work, inputs, [provenance, name], outputs))


def write_report(pipeline: Pipeline, plan: Plan) -> str:
    """Score the model on each dev set; returns the report."""
    folder, target = pipeline.out / MODEL, pipeline.out / "report.md"
    dev = {name: (pipeline.data / f"{name}.auto", pipeline.data / f"{name}.npz") for name in plan.dev}

    def work() -> Result:
        scores = dev_scores(folder, dev)
        target.write_text(report_of(plan.model.name, scores, sizes(folder)), "utf-8")
        return {f"{name}, {parser}": round(own.f1, 2) for (name, parser), own in scores.items()}

    parts = [folder / part / "model.json" for part in ("", "tagger", "global")]
    pipeline.steps.run(
        Step("report", work, [*parts, *(path for own in dev.values() for path in own)], outputs=[target])
    )
    return target.read_text("utf-8")
