from __future__ import annotations

from starccg.ccg.derivation import Sentence
from starccg.formats.nbest import names_of_parses, parses_by_sentence
from tests.formats.trees import left_branching, right_branching


def groups(*names: str) -> list[tuple[str, int]]:
    sentences = [Sentence(name, right_branching(2)) for name in names]
    return [(name, len(parses)) for name, parses in parses_by_sentence(sentences)]


def test_neighbours_that_count_from_one_are_parses_of_one_sentence() -> None:
    assert groups("1.1", "1.2", "1.3", "2", "3.1", "3.2") == [("1", 3), ("2", 1), ("3", 2)]
    assert groups("a.b.1", "a.b.2") == [("a.b", 2)]


def test_a_lone_parse_keeps_its_name() -> None:
    assert groups("1.1", "2.1", "2.3", "3", "3", ".1") == [(name, 1) for name in ("1.1", "2.1", "2.3", "3", "3", ".1")]
    assert groups(".1", ".2") == [(".1", 1), (".2", 1)]
    assert groups("1.2", "1.3") == [("1.2", 1), ("1.3", 1)]
    assert groups("1.1", "1.02") == [("1.1", 1), ("1.02", 1)]
    assert groups() == []


def test_sentences_that_a_treebank_counts_are_not_parses_of_one() -> None:
    sentences = [Sentence("wsj_0001.1", right_branching(2)), Sentence("wsj_0001.2", left_branching(2))]
    assert [name for name, _ in parses_by_sentence(sentences)] == ["wsj_0001.1", "wsj_0001.2"]


def test_parses_are_named_after_their_rank_only_if_there_are_several() -> None:
    assert names_of_parses("3", ["1"]) == ["3"]
    assert names_of_parses("3", ["1", "2"]) == ["3.1", "3.2"]
    assert names_of_parses("3", ["2"]) == ["3.2"]
