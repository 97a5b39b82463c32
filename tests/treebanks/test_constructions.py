"""Our own small treebank: every pattern is a derivation, and what is drawn from it has one in normal form."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from starccg.cli.treebank import app
from starccg.formats.auto import write_auto
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES, draw_sentences
from starccg.treebanks.constructions.drawing import PatternError, read_pattern
from starccg.treebanks.gold import GoldOutcome, GoldSearch
from starccg.treebanks.ud.english.grammar import UD_ENGLISH

SEARCH = GoldSearch(UD_ENGLISH)
FEW = list(draw_sentences(CONSTRUCTIONS, PHRASES, each=6))


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_every_pattern_of_a_construction_is_a_derivation(name: str) -> None:
    for pattern in CONSTRUCTIONS[name]:
        (sentence, *_) = draw_sentences({name: [pattern]}, PHRASES, each=1)
        assert sentence.derivation.category in UD_ENGLISH.roots


def test_every_sentence_drawn_has_a_gold_derivation_in_normal_form() -> None:
    for sentence in FEW:
        assert SEARCH.gold(sentence.derivation).outcome is GoldOutcome.FOUND, sentence.derivation.words


def test_the_same_seed_draws_the_same_sentences_and_another_seed_draws_others() -> None:
    again, others = (list(draw_sentences(CONSTRUCTIONS, PHRASES, each=6, seed=seed)) for seed in (1, 2))
    assert again == FEW and others != FEW


def test_no_sentence_is_drawn_twice() -> None:
    assert len({tuple(sentence.derivation.words) for sentence in FEW}) == len(FEW)


def test_one_construction_more_leaves_the_others_as_they_were() -> None:
    fewer = dict(list(CONSTRUCTIONS.items())[1:])
    assert list(draw_sentences(fewer, PHRASES, each=6)) == [s for s in FEW if s.id.partition(".")[0] in fewer]


@pytest.mark.parametrize("pattern", ["[ a:NP b:NP ]", "[ =NP a:PP ]", "[ a:NP", "a:NP b:NP", "[ a:NP ]"])
def test_a_pattern_that_is_no_derivation_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        read_pattern(pattern)


def test_the_command_writes_what_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "constructions.auto"
    result = CliRunner().invoke(app, ["constructions", str(file), "--each", "6"])
    assert result.exit_code == 0, result.output
    assert file.read_text("utf-8").splitlines() == list(write_auto(FEW))
