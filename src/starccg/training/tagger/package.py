"""A trained tagger as a model folder: exported, quantised where that costs nothing, calibrated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from starccg.model_folder.manifest import write_folder
from starccg.tagger.analysis import Bin, CurvePoint, Scored, multitag_curve, reliability
from starccg.tagger.model import NOTES, STATES, Tagger, open_session
from starccg.tagger.plots import multitag_plot, reliability_plot
from starccg.training.data import Example, read_examples
from starccg.training.tagger.calibration import fit_temperature
from starccg.training.tagger.config import MAIN
from starccg.training.tagger.data import known_words
from starccg.training.tagger.export import Exported, to_onnx
from starccg.training.tagger.setup import Setup, restore
from starccg.training.tagger.smoothing import spreads

ALLOWED_LOSS = 0.001
"""Accuracy that 8-bit weights may cost before the model is written in single precision."""
FINE_TAG_BEAMS = tuple(float(f"{digit}e-{power}") for power in range(1, 7) for digit in (5, 3, 2, 1.7, 1.4, 1.2, 1))
SEEN = 60
"""Sentences of each dev set that tell quantisation how large activations get."""
MOST_TAGS = 5.0
"""Tags a word that the default beam may keep, on average over the dev sets."""


@dataclass(frozen=True)
class Packaged:
    """What was written, and what is known of it."""

    quantised: bool
    temperature: float
    tag_beam: float
    accuracy: dict[str, float]
    accuracy_float: dict[str, float]
    curves: dict[str, list[CurvePoint]]
    bins: dict[str, list[Bin]]
    calibration_error: dict[str, float]


def run_export(
    run: Path,
    data: Path,
    out: Path,
    quantised: bool = True,
    allowed_loss: float = ALLOWED_LOSS,
    most_tags: float = MOST_TAGS,
    calibrate: bool = True,
) -> Packaged:
    """Write the model folder of a finished run, calibrated on its dev sets.

    In 8 bits if no dev set loses more than ``allowed_loss`` by it, else in single precision.
    """
    setup = restore(run)
    dev = {entry.name: read_examples(data / entry.path) for entry in setup.config.dev}
    known = known_words(example for source in setup.config.source for example in read_examples(data / source.path))
    few_bits = quantised and setup.config.encoder.bits > 0  # trained so: without the rounding it is another network
    plain = _score(setup, dev, to_onnx(setup, quantised=few_bits))
    exact = {name: scored.accuracy() for name, scored in plain.items()}
    scored = plain
    rough = quantised and not few_bits
    seen = spreads(setup, [example for examples in dev.values() for example in examples[:SEEN]]) if rough else {}
    if rough:
        scored = _score(setup, dev, to_onnx(setup, quantised=True, spreads=seen))
        quantised = all(scored[name].accuracy() >= exact[name] - allowed_loss for name in dev)
        scored = scored if quantised else plain
    temperature = 1.0
    if calibrate:
        temperature = fit_temperature([s.rows for s in scored.values()], [s.gold.tolist() for s in scored.values()])
    calibrated = {name: found.scaled(temperature) for name, found in scored.items()}
    curves = {name: multitag_curve(found) for name, found in calibrated.items()}
    tag_beam = default_tag_beam([multitag_curve(found, FINE_TAG_BEAMS) for found in calibrated.values()], most_tags)
    measured = {name: reliability(found) for name, found in calibrated.items()}
    accuracy = {name: found.accuracy() for name, found in calibrated.items()}
    result = Packaged(
        quantised, temperature, tag_beam, accuracy, exact, curves,
        {name: bins for name, (bins, _) in measured.items()}, {name: error for name, (_, error) in measured.items()},
    )  # fmt: skip
    files = {**to_onnx(setup, quantised, temperature, seen).files(), **setup.files}
    write_folder(out, manifest(setup, result, calibrated, known), files)
    reports = out.with_name(out.name + "-report")
    reports.mkdir(parents=True, exist_ok=True)
    (reports / "multitag.svg").write_text(multitag_plot(curves), "utf-8")
    (reports / "reliability.svg").write_text(reliability_plot(result.bins), "utf-8")
    return result


def default_tag_beam(curves: Sequence[Sequence[CurvePoint]], most_tags: float = MOST_TAGS) -> float:
    """The widest beam that keeps few enough tags on every dev set."""
    fitting = [
        points[0].tag_beam for points in zip(*curves, strict=True) if max(p.tags_per_word for p in points) <= most_tags
    ]
    return min(fitting, default=max(FINE_TAG_BEAMS))


def manifest(setup: Setup, result: Packaged, scored: Mapping[str, Scored], known: frozenset[str]) -> dict[str, Any]:
    """What ``model.json`` says besides the checksums."""
    return {
        "model": "tagger",
        "kind": setup.config.kind,
        "categories": list(setup.categories[MAIN]),
        **{name: list(setup.categories[name]) for name in NOTES if name in setup.categories},
        STATES: setup.shape.get("width", 0) if setup.config.kind == "encoder" else 0,
        "beam": result.tag_beam,
        "temperature": result.temperature,
        "quantised": result.quantised,
        "hyperparameters": {**_hyperparameters(setup), **setup.shape},
        "dev": {
            name: {
                "accuracy": round(result.accuracy[name], 5),
                "accuracy_float32": round(result.accuracy_float[name], 5),
                "unknown_words": round(found.accuracy(found.unknown(known)), 5),
                "words": len(found.words),
                "calibration_error": round(result.calibration_error[name], 5),
                "kept": [[k.tag_beam, round(k.tags_per_word, 3), round(k.oracle, 5)] for k in result.curves[name]],
            }
            for name, found in scored.items()
        },
        "provenance": setup.provenance,
    }


def _hyperparameters(setup: Setup) -> dict[str, Any]:
    config = asdict(setup.config)
    paths = ("folder", "start", "weights", "wordpieces", "vectors", "vocabulary")
    return {key: value for key, value in config[setup.config.kind].items() if key not in paths}


def _score(setup: Setup, dev: Mapping[str, Sequence[Example]], exported: Exported) -> dict[str, Scored]:
    categories = list(setup.categories[MAIN])
    stub = {"kind": setup.config.kind, "categories": categories, "beam": 1.0}
    tagger = Tagger(setup.inputs, open_session(exported.graph, constants=exported.pieces), stub, threads=0)
    scored = {}
    for name, examples in dev.items():
        rows = tagger.log_probabilities([example.words for example in examples])
        scored[name] = Scored.of([(example.words, example.supertags) for example in examples], rows, categories)
    return scored
