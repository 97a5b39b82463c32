"""The experiments on toys: each writes what it promises, does nothing twice, and says no more than it measured."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from starccg.errors import StarccgError
from starccg.evaluation import Analysis, evaluate
from starccg.experiments import published
from starccg.experiments.bench import load_bench, tag_once
from starccg.experiments.comparisons import lazy, results
from starccg.experiments.decoders import decoders
from starccg.experiments.document import SECTIONS, document
from starccg.experiments.garden_path import garden_path
from starccg.experiments.report import Claim, Report, Table, Workbench, read_report
from starccg.experiments.scaling import WITHIN, join, samples, scaling
from starccg.experiments.systems import System, measure_all
from starccg.formats.auto import write_auto
from starccg.search.types import Decoder, Limits, Options
from tests.experiments.bench import ToyTagger, bench, global_model, model
from tests.training_global import toy


def workbench(folder: Path) -> tuple[Workbench, list[str]]:
    said: list[str] = []
    return Workbench(folder, said.append), said


@pytest.mark.parametrize(
    ("name", "run", "rows"), [("results", results, 3), ("decoders", decoders, 11), ("lazy", lazy, 4)]
)
def test_a_comparison_is_written_for_people_and_programs_and_not_measured_twice(
    tmp_path: Path, name: str, run: Any, rows: int
) -> None:
    work, said = workbench(tmp_path)
    report = run(work, bench(), model(), f"starccg experiment {name}")
    assert not any("done before" in text for text in said)
    assert json.loads((tmp_path / f"{name}.json").read_text())["name"] == name
    text = (tmp_path / f"{name}.md").read_text()
    assert f"starccg experiment {name}" in text
    for row in report.tables[0].rows:
        assert f"| {row[0]} |" in text
    said.clear()
    again = run(work, bench(), model(), f"starccg experiment {name}")
    assert sum("done before" in text for text in said) == rows
    assert again == report == read_report(tmp_path / f"{name}.json")


def test_a_killed_experiment_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    class KilledError(Exception):
        pass

    def kill(text: str) -> None:
        if text == "10-best reranking ...":
            raise KilledError

    with pytest.raises(KilledError):
        decoders(Workbench(tmp_path, kill), bench(), model(), "")
    assert not (tmp_path / "decoders.json").exists()
    work, said = workbench(tmp_path)
    decoders(work, bench(), model(), "")
    assert sum("done before" in text for text in said) == 4


def test_other_sentences_or_options_are_measured_anew_and_so_is_everything_on_demand(tmp_path: Path) -> None:
    work, said = workbench(tmp_path)
    system = System("one", Options())
    for sentences, options in ((30, Options()), (20, Options()), (30, Options(lazy=False))):
        measure_all(work, bench(sentences), global_model(), "", [System("one", options)])
    measure_all(Workbench(tmp_path, said.append, again=True), bench(), global_model(), "", [system])
    assert not any("done before" in text for text in said)


def test_scores_rebuilt_from_a_part_are_those_of_the_evaluation(tmp_path: Path) -> None:
    work, _ = workbench(tmp_path)
    options = Options(limits=Limits(forest=60))
    measured = measure_all(work, bench(), global_model(), "", [System("tight", options)])["tight"]
    scores = measured.scores(resamples=50)
    assert scores.intervals["labelled_f1"].low <= scores.labelled.f1 <= scores.intervals["labelled_f1"].high
    assert 0 < measured.percent_own < 100, "the limit must stop some sentences and not all"
    assert measured.f1_without_backoff < measured.f1
    failed = [
        Analysis(gold.id, gold.words, ()) if own else None for gold, own in zip(bench().gold, measured.own, strict=True)
    ]
    assert measured.scores(backoff=False).coverage == evaluate(bench().gold, failed, resamples=0).coverage
    assert measured.of([0, 1]).scores().sentences == 2


def test_the_forest_and_the_chart_of_the_tags_alone_agree_on_every_score(tmp_path: Path) -> None:
    work, _ = workbench(tmp_path)
    systems = [
        System(d.value, Options(decoder=d), uses_model=False) for d in (Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST)
    ]
    found = measure_all(work, bench(), None, "", systems)
    assert [m.percent_optimal for m in found.values()] == [100.0, 100.0]
    assert found["supertag-forest"].mean_explored >= found["supertag"].mean_explored


def test_sentences_are_tagged_once_and_the_file_gives_the_same_tags(tmp_path: Path) -> None:
    tagger: Any = ToyTagger()
    first = tag_once(tagger, bench().words, tmp_path / "tags" / "toy.npz", None)
    second = tag_once(tagger, bench().words, tmp_path / "tags" / "toy.npz", None)
    assert tagger.calls == 1
    for one, other in zip(first, second, strict=True):
        assert one.tags.tolist() == other.tags.tolist()
        assert one.log_probabilities.tolist() == other.log_probabilities.tolist()
        assert one.offsets.tolist() == other.offsets.tolist()
    (tmp_path / "tags" / "toy.npz").write_bytes(b"half a file")
    with pytest.raises(StarccgError, match="delete it"):
        tag_once(tagger, bench().words, tmp_path / "tags" / "toy.npz", None)


def test_treebank_files_become_a_bench_that_knows_which_sentence_is_whose(tmp_path: Path) -> None:
    for name, count in (("one", 4), ("other", 6)):
        lines = write_auto(toy.treebank(30, seed=5)[:count])
        (tmp_path / f"{name}.auto").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "empty.auto").write_text("")
    files = [tmp_path / "one.auto", tmp_path / "other.auto"]
    found = load_bench(model(), files, tmp_path / "tags", sentences=5)
    assert list(found.sources) == ["one"] * 4 + ["other"] * 5
    assert found.key != load_bench(model(), files, tmp_path / "tags", sentences=3).key
    with pytest.raises(StarccgError, match="has no sentences"):
        load_bench(model(), [tmp_path / "empty.auto"], tmp_path / "tags")


def test_a_garden_path_lists_every_scored_partial_parse_worst_first(tmp_path: Path) -> None:
    work, _ = workbench(tmp_path)
    words = max(bench().words, key=len)
    report = garden_path(work, model(), words, "starccg experiment garden-path")
    partials = report.data["partial_parses"]
    scores = [partial["global_score"] for partial in partials]
    assert scores == sorted(scores)
    assert all(score <= partial["last"] <= 0 for score, partial in zip(scores, partials, strict=True))
    (whole,) = [p for p in partials if p["in_parse"] and p["words"] == " ".join(words)]
    assert whole["explored"]
    assert sum(p["in_parse"] for p in partials) >= 2 * len(words) - 1
    assert (tmp_path / "garden-path.svg").read_text().startswith("<svg")
    with pytest.raises(StarccgError, match="no words"):
        garden_path(work, model(), [], "")


def test_joined_sentences_have_the_length_that_was_asked_for() -> None:
    words = bench().words
    for length in (20, 45, 100):
        made = join(words, length, Random(length))
        assert made is not None
        assert abs(len(made) - length) <= WITHIN
        assert "and" in made
    assert join([("too", "long", "by", "far")], 2, Random(0)) is None
    one, other = (samples(words, (10, 30), 8) for _ in range(2))
    assert one == other
    assert one[0].natural > 0
    assert one[1].natural == 0
    assert len(one[1].sentences) == 8


def test_scaling_measures_each_length_once(tmp_path: Path) -> None:
    work, said = workbench(tmp_path)
    report = scaling(work, model(), bench().words, "starccg experiment scaling", count=2, lengths=(10, 20))
    assert {entry["length"] for entry in report.data["lengths"]} == {10, 20}
    for plot in report.plots:
        assert (tmp_path / plot).read_text().startswith("<svg")
    said.clear()
    assert scaling(work, model(), bench().words, "starccg experiment scaling", count=2, lengths=(10, 20)) == report
    assert all("done before" in text for text in said)


def test_the_document_says_what_holds_what_does_not_and_what_was_not_run(tmp_path: Path) -> None:
    out, target = tmp_path / "out", tmp_path / "docs" / "results.md"
    work, _ = workbench(out)
    lazy(work, bench(), model(), "starccg experiment lazy")
    claim = Claim("The moon is cheese", "yes", "no | never", holds=False, why="It is rock.")
    report = Report(
        "results", "Results", "starccg experiment results", [Table(("a", "b"), [("x", "1")])], claims=[claim]
    )
    report.plots.append(work.plot("moon.svg", "<svg/>"))
    work.write(report)
    assert document(out, target) == [name for name in SECTIONS if name not in ("lazy", "results")]
    text = target.read_text()
    assert r"| The moon is cheese | yes | no \| never | **no** It is rock. |" in text
    assert text.count("Not run yet: `starccg experiment ") == 6
    assert "![Results](results/moon.svg)" in text
    assert (target.parent / "results" / "moon.svg").exists()
    other = Workbench(out, suffix="-beam-1e-06")
    lazy(other, bench(), model(), "starccg experiment lazy --beam 1e-06")
    document(out, target)
    assert "starccg experiment lazy --beam 1e-06" in target.read_text()
    (out / "results.json").write_text("[]")
    with pytest.raises(StarccgError, match="not a report"):
        document(out, target)


def test_every_row_of_the_papers_tables_has_numbers() -> None:
    assert [len(table) for table in (published.MODELS, published.UPDATES, published.DECODERS)] == [7, 3, 7]
    assert published.UPDATES["All-violations"] == published.MODELS["Global A*"]
    assert all(len(curve) == 11 for curve in published.CURVES.values())
