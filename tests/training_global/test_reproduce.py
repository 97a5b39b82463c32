"""The whole paper on a miniature treebank of our own in CCGbank's layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from starccg.errors import StarccgError
from starccg.experiments.reproduce import Reproduction, Settings, variant_of
from starccg.formats.auto import with_id, write_auto
from starccg.globalmodel import Dimensions
from starccg.training.globalmodel.config import AdamOptions, Config, Development, Learning
from starccg.training.tagger.config import Dev, Lstm, Schedule, Source, TaggerConfig
from tests.training_global import toy


def write_bank(folder: Path) -> None:
    """Sections 00, 02 to 21 and 23, a file of a few sentences each."""
    for number in (0, *range(2, 22), 23):
        section = f"{number:02}"
        file = folder / "data" / "AUTO" / section / f"wsj_{section}01.auto"
        file.parent.mkdir(parents=True)
        sentences = toy.treebank(5 if 2 <= number <= 21 else 12, seed=number)
        named = [with_id(sentence, f"wsj_{section}01.{place}") for place, sentence in enumerate(sentences, 1)]
        file.write_text("".join(f"{line}\n" for line in write_auto(named)), encoding="utf-8")


SETTINGS = Settings(
    tagger=TaggerConfig(
        kind="lstm",
        source=(Source("train.auto", jackknife=True),),
        dev=(Dev("CCGbank", "dev.auto"),),
        folds=2,
        schedule=Schedule(epochs=4, learning_rate=1e-2),
        lstm=Lstm(affix=4, cells=12, layers=1, hidden=12, dropout=0.1),
    ),
    model=Config(
        model=Dimensions(words=6, categories=4, cells=8),
        learning=Learning(batch=8, epochs=2, threads=1),
        adam=AdamOptions(learning_rate=5e-3),
        development=Development(every=100),
    ),
    device="cpu",
    table_sentences=8,
)


@pytest.mark.timeout(900)
def test_a_miniature_treebank_goes_from_derivations_to_tables_and_every_step_once(tmp_path: Path) -> None:
    write_bank(tmp_path / "bank")
    said: list[str] = []
    out = tmp_path / "out"

    class StoppedError(Exception):
        pass

    def stop_at_tables(text: str) -> None:
        said.append(text)
        if text == "tables ...":
            raise StoppedError

    with pytest.raises(StoppedError):
        Reproduction(tmp_path / "bank", out, SETTINGS, stop_at_tables).run()
    assert not (out / "tables.md").exists()
    assert not any("done before" in text for text in said)

    said.clear()
    tables = Reproduction(tmp_path / "bank", out, SETTINGS, said.append).run()
    assert sum("done before" in text for text in said) == 9  # all but the tables
    text = (out / "tables.md").read_text("utf-8")
    for table, name in (("2", "Global A*"), ("3", "- lexical context"), ("4", "Greedy"), ("5", "8-best beam search")):
        assert f"## Table {table}" in text
        assert f"| {name} |" in text
    rows: list[dict[str, Any]] = tables["dev"]
    assert all(0 <= row["f1"] <= 100 for row in rows)
    exact = [row for row in rows if row["table"] == "3"]
    assert len(exact) == 7
    assert [row["name"] for row in tables["test"]] == ["Supertag-factored", "Global A*"]


def test_a_row_that_the_paper_does_not_have_is_refused() -> None:
    with pytest.raises(StarccgError, match="no model of the paper"):
        variant_of(Config(), "sideways")
