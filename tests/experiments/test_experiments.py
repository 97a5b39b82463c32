"""The experiments on toys: each writes what it promises, does nothing twice, and says no more than it measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from starccg.errors import StarccgError
from starccg.evaluation import Analysis, evaluate
from starccg.experiments import claims, published
from starccg.experiments.confidence import Judged, auc, confidence, cross_validated
from starccg.experiments.document import SECTIONS, document
from starccg.experiments.evaluation_set import load_evaluation_set, tag_once
from starccg.experiments.garden_path import garden_path
from starccg.experiments.learning_curves import learning_curves
from starccg.experiments.measurement import Experiment, Measurement, System
from starccg.experiments.report import Claim, Report, ReportFolder, Table, read_report
from starccg.experiments.scaling import PARSER, WITHIN, join, samples, scaling
from starccg.experiments.tables import DECODER_SYSTEMS, FEW_UNITS, SHORT, decoders, lazy, results
from starccg.formats.auto import write_auto
from starccg.search.options import PAPER_OPTIONS, Decoder, Limits, Options
from starccg.search.types import TaggedSentence
from starccg.tagger.analysis import in_bins
from tests.experiments.toys import ToyTagger, global_model, model, sentences
from tests.training import toy


def reports(folder: Path) -> tuple[ReportFolder, list[str]]:
    said: list[str] = []
    return ReportFolder(folder, said.append), said


def experiment(folder: ReportFolder, command: str = "", count: int = 30) -> Experiment:
    return Experiment(folder, sentences(count), lambda variant: [(global_model(), "toy")], command)


@pytest.mark.parametrize(
    ("name", "run", "rows"), [("results", results, 3), ("decoders", decoders, 11), ("lazy", lazy, 4)]
)
def test_a_comparison_is_written_for_people_and_programs_and_not_measured_twice(
    tmp_path: Path, name: str, run: Any, rows: int
) -> None:
    folder, said = reports(tmp_path)
    report = run(experiment(folder, f"starccg experiment {name}"))
    assert not any("done before" in text for text in said)
    assert json.loads((tmp_path / f"{name}.json").read_text())["name"] == name
    text = (tmp_path / f"{name}.md").read_text()
    assert f"starccg experiment {name}" in text
    for row in report.tables[0].rows:
        assert f"| {row[0]} |" in text
    said.clear()
    again = run(experiment(folder, f"starccg experiment {name}"))
    assert sum("done before" in text for text in said) == rows
    assert again == report == read_report(tmp_path / f"{name}.json")


def measurement(explored: list[int], optimal: list[int]) -> Measurement:
    """Searches that all have a parse of their own; those without a proof take as long as ten others."""
    return Measurement.from_json(
        "",
        {
            "rows": [[1] * 10 for _ in explored],
            "own": [1] * len(explored),
            "optimal": optimal,
            "explored": explored,
            "recursive_units": explored,
            "times": [1.0 if proved else 10.0 for proved in optimal],
            "seconds": 1.0,
        },
    )


def test_searches_without_a_proof_are_counted_apart_even_if_their_parse_is_not_from_the_back_off() -> None:
    best, plain = measurement([10, 20, 900], [1, 1, 0]), measurement([30, 40, 50], [1, 1, 1])
    found = {"Supertag-factored": plain, "Supertag-factored, with costs": plain, "Global A*": best}
    explored = next(claim for claim in claims.results(found, {}) if "explores fewer" in claim.text)
    assert not explored.holds
    assert "Searches without a proof (1) explored 97% of all nodes" in explored.why
    assert "for the other sentences the mean is 15.0 against 35.0" in explored.why
    units, speed = claims.lazy(best, plain, sentences(3), "")
    assert "(57.1% where both searches end with a proof)" in units.ours
    assert "ends without a proof (1) take 83% of the time of the lazy searches" in speed.why


def test_lazy_scoring_shows_no_figure_for_proofs_that_no_sentence_has() -> None:
    none = measurement([9, 9], [0, 0])
    for claim in claims.lazy(none, none, cast(Any, SimpleNamespace(tags_per_word=2.0)), ""):
        assert "no sentence where both searches end with a proof" in claim.ours
    proved = measurement([9, 9], [1, 0])
    assert "no sentence" not in claims.lazy(proved, proved, cast(Any, SimpleNamespace(tags_per_word=2.0)), "")[0].ours


def test_a_killed_experiment_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    class KilledError(Exception):
        pass

    def kill(text: str) -> None:
        if text == "10-best reranking ...":
            raise KilledError

    with pytest.raises(KilledError):
        decoders(experiment(ReportFolder(tmp_path, kill)))
    assert not (tmp_path / "decoders.json").exists()
    folder, said = reports(tmp_path)
    decoders(experiment(folder))
    assert sum("done before" in text for text in said) == 4


def test_other_sentences_or_options_are_measured_anew_and_so_is_everything_on_demand(tmp_path: Path) -> None:
    folder, said = reports(tmp_path)
    system = System("one", Options())
    for count, options in ((30, Options()), (20, Options()), (30, Options(lazy=False))):
        experiment(folder, count=count).measure([System("one", options)])
    experiment(ReportFolder(tmp_path, said.append, again=True)).measure([system])
    assert not any("done before" in text for text in said)


def test_a_row_with_fewer_recursive_units_keeps_its_limit_within_the_limits_of_a_run() -> None:
    (short,) = (own for own in DECODER_SYSTEMS if own.name == SHORT)
    assert short.within(None).limits == replace(PAPER_OPTIONS.limits, recursive_units=FEW_UNITS)
    run = Limits(forest=70, recursive_units=200_000)
    assert short.within(run).limits == replace(run, recursive_units=FEW_UNITS)
    assert short.within(replace(run, recursive_units=9)).limits.recursive_units == 9
    assert System("A*", PAPER_OPTIONS).within(run).limits == run


def test_scores_rebuilt_from_a_part_are_those_of_the_evaluation(tmp_path: Path) -> None:
    folder, _ = reports(tmp_path)
    options = Options(limits=Limits(forest=60))
    measured = experiment(folder).measure([System("tight", options)])["tight"]
    scores = measured.scores(resamples=50)
    assert scores.intervals["labelled_f1"].low <= scores.labelled.f1 <= scores.intervals["labelled_f1"].high
    assert 0 < measured.percent_own < 100, "the limit must stop some sentences and not all"
    assert measured.f1_without_backoff < measured.f1
    failed = [
        Analysis(gold.id, gold.words, ()) if own else None
        for gold, own in zip(sentences().gold, measured.own, strict=True)
    ]
    assert measured.scores(backoff=False).coverage == evaluate(sentences().gold, failed, resamples=0).coverage
    assert measured.of([0, 1]).scores().sentences == 2


def test_the_forest_and_the_chart_of_the_tags_alone_agree_on_every_score(tmp_path: Path) -> None:
    folder, _ = reports(tmp_path)
    systems = [System(d.value, Options(decoder=d), None) for d in (Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST)]
    found = experiment(folder).measure(systems)
    assert [m.percent_optimal for m in found.values()] == [100.0, 100.0]
    assert found["supertag-forest"].mean_explored >= found["supertag"].mean_explored


def test_sentences_are_tagged_once_and_the_file_gives_the_same_tags(tmp_path: Path) -> None:
    tagger: Any = ToyTagger()
    first = tag_once(tagger, sentences().words, tmp_path / "tags" / "toy.npz", None)
    second = tag_once(tagger, sentences().words, tmp_path / "tags" / "toy.npz", None)
    assert tagger.calls == 1
    for one, other in zip(first, second, strict=True):
        assert one.tags.tolist() == other.tags.tolist()
        assert one.log_probabilities.tolist() == other.log_probabilities.tolist()
        assert one.offsets.tolist() == other.offsets.tolist()
    (tmp_path / "tags" / "toy.npz").write_bytes(b"half a file")
    with pytest.raises(StarccgError, match="delete it"):
        tag_once(tagger, sentences().words, tmp_path / "tags" / "toy.npz", None)


def test_treebank_files_become_an_evaluation_set_that_knows_which_sentence_is_whose(tmp_path: Path) -> None:
    for name, count in (("one", 4), ("other", 6)):
        lines = write_auto(toy.treebank(30, seed=5)[:count])
        (tmp_path / f"{name}.auto").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "empty.auto").write_text("")
    files = [tmp_path / "one.auto", tmp_path / "other.auto"]
    found = load_evaluation_set(model(), files, tmp_path / "tags", sentences=5)
    assert list(found.sources) == ["one"] * 4 + ["other"] * 5
    assert found.key != load_evaluation_set(model(), files, tmp_path / "tags", sentences=3).key
    with pytest.raises(StarccgError, match="has no sentences"):
        load_evaluation_set(model(), [tmp_path / "empty.auto"], tmp_path / "tags")


def test_a_garden_path_lists_every_scored_partial_parse_worst_first(tmp_path: Path) -> None:
    folder, _ = reports(tmp_path)
    words = max(sentences().words, key=len)
    report = garden_path(folder, model(), words, "starccg experiment garden-path")
    partials = report.data["partial_parses"]
    scores = [partial["global_score"] for partial in partials]
    assert scores == sorted(scores)
    assert all(score <= partial["last"] <= 0 for score, partial in zip(scores, partials, strict=True))
    (whole,) = [p for p in partials if p["in_parse"] and p["words"] == " ".join(words)]
    assert whole["explored"]
    assert sum(p["in_parse"] for p in partials) >= 2 * len(words) - 1
    assert (tmp_path / "garden-path.svg").read_text().startswith("<svg")
    with pytest.raises(StarccgError, match="is empty"):
        garden_path(folder, model(), [], "")


def test_joined_sentences_have_the_length_that_was_asked_for() -> None:
    words = sentences().words
    for length in (20, 45, 100):
        made = join(words, length, Random(length))
        assert made is not None
        assert abs(len(made) - length) <= WITHIN
        assert "and" in made
    assert join([("too", "long", "by", "far")], 2, Random(0)) is None
    one, other = (samples(words, (10, 30), 8) for _ in range(2))
    assert one == other
    assert (one[0].lengths, one[0].kind) == ("10", "natural")
    assert all(not set(sample.sentences) & set(words) for sample in one if sample.kind == "joined")
    assert sum(len(sample.sentences) for sample in one if sample.lengths == "30") == 8


def test_scaling_measures_each_length_once(tmp_path: Path) -> None:
    folder, said = reports(tmp_path)
    report = scaling(folder, model(), sentences().words, "starccg experiment scaling", count=2, lengths=(10, 20))
    assert {entry["length"] for entry in report.data["lengths"]} == {10, 20}
    for plot in report.plots:
        assert (tmp_path / plot).read_text().startswith("<svg")
    said.clear()
    assert (
        scaling(folder, model(), sentences().words, "starccg experiment scaling", count=2, lengths=(10, 20)) == report
    )
    assert all("done before" in text for text in said)


class NarrowTagger(ToyTagger):
    """Keeps the last tag of each word alone, unless it is asked for more."""

    def tag(
        self, texts: Sequence[Sequence[str]], beam: float | None = None, max_tags: int = 64
    ) -> list[TaggedSentence]:
        found = super().tag(texts)
        if beam is not None:
            return found
        last = [tagged.offsets[1:] - 1 for tagged in found]
        return [
            replace(
                tagged,
                tags=tagged.tags[own],
                log_probabilities=tagged.log_probabilities[own],
                offsets=np.arange(len(own) + 1, dtype=np.int32),
            )
            for tagged, own in zip(found, last, strict=True)
        ]


def test_the_parser_is_measured_with_the_tags_that_it_keeps_where_the_usual_ones_allow_no_parse(tmp_path: Path) -> None:
    folder, _ = reports(tmp_path)
    narrow = replace(model(), tagger=cast(Any, NarrowTagger()))
    report = scaling(folder, narrow, sentences().words, "starccg experiment scaling", count=5, lengths=(10,))
    found = report.data["lengths"][0]["decoders"]
    assert found["Global A*"]["optimal"] < found[PARSER]["optimal"] == 100
    assert found[PARSER]["behind_beam"] == 0 < found["Global A*"]["behind_beam"]


def test_the_document_says_what_holds_what_does_not_and_what_was_not_run(tmp_path: Path) -> None:
    out, target = tmp_path / "out", tmp_path / "docs" / "results.md"
    folder, _ = reports(out)
    lazy(experiment(folder, "starccg experiment lazy"))
    claim = Claim("The moon is cheese", "yes", "no | never", holds=False, why="It is rock.")
    report = Report(
        "results", "Results", "starccg experiment results", [Table(("a", "b"), [("x", "1")])], claims=[claim]
    )
    report.plots.append(folder.plot("moon.svg", "<svg/>"))
    folder.write(report)
    assert document(out, target) == [name for name in SECTIONS if name not in ("lazy", "results")]
    text = target.read_text()
    assert r"| The moon is cheese | yes | no \| never | **no** It is rock. |" in text
    assert text.count("Not run yet: `starccg experiment ") == len(SECTIONS) - 2
    assert "![Results](results/moon.svg)" in text
    assert (target.parent / "results" / "moon.svg").exists()
    other = ReportFolder(out, suffix="-beam-1e-06")
    lazy(experiment(other, "starccg experiment lazy --beam 1e-06"))
    document(out, target)
    text = target.read_text()
    assert "starccg experiment lazy --beam 1e-06" in text
    assert text.count("| Lazy scoring is faster |") == 2
    (out / "results.json").write_text("[]")
    with pytest.raises(StarccgError, match="not a report"):
        document(out, target)


def test_every_row_of_the_papers_tables_has_numbers() -> None:
    assert [len(table) for table in (published.MODELS, published.UPDATES, published.DECODERS)] == [7, 3, 7]
    assert published.UPDATES["All-violations"][:3] == published.MODELS["Global A*"][:3]
    assert all(len(curve) == 11 for curve in published.CURVES.values())


def test_a_learning_curve_stands_beside_the_papers_f1_of_the_same_point(tmp_path: Path) -> None:
    folder, _ = reports(tmp_path)
    curve = [{"epoch": epoch, "f1": 80.0} for epoch in (0.34, 0.5, 1.0, 4.0)]
    report = learning_curves(folder, {name: [{"curve": curve}] for name in published.CURVES}, "", "")
    assert [row[2] for row in report.tables[0].rows] == ["87.53", "", "87.92", ""]


def test_a_row_shows_how_many_sentences_are_done(tmp_path: Path) -> None:
    shown: list[tuple[str, int, int]] = []
    folder = ReportFolder(tmp_path, bar=lambda *progress: shown.append(progress))
    experiment(folder, count=60).measure([System("one", Options())])
    assert shown[:2] == [("one", 0, 60), ("one", 50, 60)]


def test_models_of_several_seeds_are_pooled_and_the_tags_alone_compare_with_them(tmp_path: Path) -> None:
    folder, _ = reports(tmp_path)
    several = Experiment(folder, sentences(), lambda variant: [(global_model(), "one"), (global_model(), "two")], "")
    both = several.measure([System("tags", Options(decoder=Decoder.SUPERTAG), None), System("model", Options())], 2)
    alone = experiment(folder).measure([System("model", Options())])["model"]
    pooled = both["model"]
    assert pooled.f1_by_seed == (alone.f1, alone.f1)
    assert pooled.f1 == pytest.approx(alone.f1)
    assert pooled.scores().coverage == alone.scores().coverage
    assert pooled.rows[0].gold == 2 * alone.rows[0].gold == both["tags"].rows[0].gold
    assert pooled.mean_explored == alone.mean_explored
    assert Measurement.pooled([alone]) is alone


def test_auc_counts_the_pairs_in_the_right_order() -> None:
    random = Random(3)
    for _ in range(30):
        values = [random.choice((0.1, 0.2, 0.5, 0.9)) for _ in range(12)]
        right = [random.random() < 0.5 for _ in values]
        pairs = [
            1.0 if a > b else 0.5 if a == b else 0.0
            for a, yes in zip(values, right, strict=True)
            for b, no in zip(values, right, strict=True)
            if yes and not no
        ]
        assert auc(values, right) == pytest.approx(sum(pairs) / len(pairs) if pairs else 0.5)


def test_bins_hold_the_share_of_right_parses_and_the_calibration_error() -> None:
    bins, error = in_bins([0.05, 0.05, 0.95, 0.95], [False, False, True, False])
    assert [(own.accuracy, own.words) for own in bins] == [(0.0, 2), (0.5, 2)]
    assert error == pytest.approx((0.05 + 0.45) / 2)


def test_probabilities_come_from_calibrations_that_did_not_see_the_sentence(tmp_path: Path) -> None:
    judged = [Judged("toy", 5, 0.5, place / 10, -1.0, right=place % 2 == 0) for place in range(10)]

    def fit(some: Any) -> Any:
        return lambda own: float(own in some)

    assert cross_validated(judged, fit) == [0.0] * 10
    folder, _ = reports(tmp_path)
    report = confidence(folder, judged, 2, fit, "starccg experiment confidence")
    assert report.data["toy"]["right"] == 50
    assert report.data["toy"]["auc_margin"] == pytest.approx(0.4)
    assert (tmp_path / "confidence.svg").read_text().startswith("<svg")
