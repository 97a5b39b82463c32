from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.errors import StarccgError
from starccg.model_folder.manifest import read_folder, write_folder
from starccg.model_folder.tagger import load_tagger
from starccg.tagger import ModelError, Tagger
from starccg.tagger.analysis import Scored, multitag_curve, reliability
from starccg.tagger.batching import length_sorted_batches
from starccg.tagger.inputs import EncoderInputs, LstmInputs, affix_keys, numbered
from starccg.tagger.plots import multitag_plot, reliability_plot
from starccg.tagger.pruning import join, prune
from starccg.tagger.saved import read_tags, write_tags
from starccg.tagger.wordpiece import WordPiece
from starccg.tagger.words import CASINGS, casing, vector_keys
from tests.strategies import examples

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##believ", "##able", "cat", "##s", "!", "e", "-", "mail", "##e"]
WORDPIECE = WordPiece(PIECES)
WORD = st.text(st.characters(), min_size=1, max_size=30).filter(lambda word: not word.isspace())


def pieces(word: str) -> list[str]:
    return [PIECES[number] for number in WORDPIECE.encode(word)]


def test_wordpieces_are_the_longest_first_without_case_or_accents() -> None:
    assert pieces("Unbelievable") == ["un", "##believ", "##able"]
    assert pieces("CÂTS!") == ["cat", "##s", "!"]
    assert pieces("e-mail") == ["e", "-", "mail"]


@pytest.mark.parametrize("word", ["zebra", "\0", "\ud800", "x" * 10_000, "́", "[UNK]", "中"])
def test_what_cannot_be_spelt_is_unknown(word: str) -> None:
    assert set(pieces(word)) == {"[UNK]"}


@examples(200)
@given(WORD)
def test_every_word_has_pieces_and_a_casing(word: str) -> None:
    assert WORDPIECE.encode(word)
    assert WORDPIECE.encode(word) == WORDPIECE.encode(word)
    assert 0 <= casing(word) < len(CASINGS)


def test_casing_tells_apart_what_lower_case_hides() -> None:
    named = {word: CASINGS[casing(word)] for word in ("us", "US", "Us", "I", "iPod", "3,000", "B2B", "...", "שלום")}
    assert list(named.values()) == [
        "lower", "upper", "initial", "single", "mixed", "number", "digits", "other", "other",
    ]  # fmt: skip


def test_a_word_is_sought_as_written_then_by_its_digits_then_by_its_last_part() -> None:
    assert vector_keys("15-Year") == ("15-year", "00-year", "year")
    assert vector_keys("Brian~Eno") == ("brian~eno", "eno")
    assert vector_keys("-LRB-") == ("(",)
    assert affix_keys("The") == ["T-", "Th-", "The-", None, "-e", "-he", "-The", None]


def test_lstm_inputs_know_words_affixes_and_their_absence() -> None:
    inputs = LstmInputs(numbered(["the", "cat"]), numbered(["T-", "-e"]))
    (piece,) = inputs.encode(["The", "x"])
    assert piece.cells.tolist() == [[2, 2, 0, 0, 1, 3, 0, 0, 1], [0, 0, 1, 1, 1, 0, 1, 1, 1]]


@examples(100)
@given(
    st.lists(st.sampled_from(["cat", "cats", "unbelievable", "x" * 200, "!" * 40]), max_size=60),
    st.integers(6, 40),
    st.integers(0, 50),
)
def test_windows_of_a_long_sentence_keep_each_word_once_and_fit_the_encoder(
    words: list[str], longest: int, context: int
) -> None:
    whole = EncoderInputs(WORDPIECE, longest=100_000)
    inputs = EncoderInputs(WORDPIECE, longest=longest, context=context)
    found = inputs.encode(words)
    assert all(len(piece.cells) <= longest for piece in found)
    assert sum(len(piece.kept) for piece in found) == len(words)
    first = [int(piece.cells[step, 0]) for piece in found for step in piece.kept]
    (expected,) = whole.encode(words)
    assert first == [int(expected.cells[step, 0]) for step in expected.kept]


@examples(100)
@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 200))
def test_batches_hold_each_sentence_once_and_stay_within_their_size(lengths: list[int], most: int) -> None:
    batches = length_sorted_batches(lengths, most)
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[position] for position in batch) <= most


ROWS = st.integers(1, 12).flatmap(
    lambda columns: st.lists(
        st.lists(st.floats(-20, 0, width=16), min_size=columns, max_size=columns), min_size=1, max_size=5
    )
)


@examples(200)
@given(ROWS, st.sampled_from([0.0, 1e-6, 1e-2, 0.5, 1.0]), st.integers(1, 7))
def test_pruning_keeps_the_best_tags_in_order(rows: list[list[float]], beam: float, most: int) -> None:
    table = np.array(rows, np.float32)
    kept = prune(table, beam, most)
    assert kept.words == len(rows) and kept.pruned is not None
    for word, row in enumerate(table):
        start, end = kept.offsets[word], kept.offsets[word + 1]
        best = np.float32(row.max())
        cut = best + np.float32(np.log(beam)) if beam else -np.inf
        order = sorted((column for column in range(len(row)) if row[column] >= cut), key=lambda c: (-row[c], c))
        assert kept.tags[start:end].tolist() == order[:most]
        assert kept.log_probabilities[start:end].tolist() == [row[column] for column in order[:most]]
        others = [row[column] for column in range(len(row)) if column not in order[:most]]
        assert kept.pruned[word] == max(others, default=-np.inf)


def test_a_word_with_a_score_that_is_no_number_keeps_no_tag() -> None:
    kept = prune(np.array([[0, -9], [np.nan, 0], [0, np.nan], [0, 0]], np.float32), 0.1, 5)
    assert kept.offsets.tolist() == [0, 1, 1, 1, 3]
    assert kept.pruned is not None and np.isnan(kept.pruned).tolist() == [False, True, True, False]


def test_pruning_refuses_nonsense_and_takes_nothing() -> None:
    assert prune(np.zeros((0, 3), np.float32), 0.1, 5).words == 0
    with pytest.raises(StarccgError, match="beam"):
        prune(np.zeros((1, 3), np.float32), 2.0, 5)
    with pytest.raises(StarccgError, match="at least one"):
        prune(np.zeros((1, 3), np.float32), 0.1, 0)


def test_saved_tags_come_back(tmp_path: Path) -> None:
    table = np.log(np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]], np.float32))
    first, empty = prune(table, 0.2, 9), prune(table[:0], 0.2, 9)
    write_tags(tmp_path / "tags.npz", ["N", "NP", r"S\NP"], [("a", first), ("b", empty), ("c", join([first, first]))])
    saved = read_tags(tmp_path / "tags.npz")
    assert saved.categories == ("N", "NP", r"S\NP")
    assert saved.sentences["a"].tags.tolist() == first.tags.tolist()
    assert saved.sentences["b"].words == 0
    assert saved.sentences["c"].offsets.tolist() == [0, 3, 4, 7, 8]
    np.testing.assert_allclose(saved.sentences["a"].log_probabilities, first.log_probabilities, atol=2e-3)
    with pytest.raises(StarccgError, match="same name"):
        write_tags(tmp_path / "tags.npz", ["N"], [("a", first), ("a", first)])
    (tmp_path / "no.npz").write_bytes(b"PK")
    with pytest.raises(StarccgError, match="jackknife"):
        read_tags(tmp_path / "no.npz")


def test_a_folder_is_a_model_only_when_whole(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model\.json"):
        load_tagger(tmp_path)
    write_folder(tmp_path, {"model": "other"}, {"a.txt": b"a"})
    assert read_folder(tmp_path, "other")[0]["sha256"]["a.txt"]
    with pytest.raises(ModelError, match="'other'"):
        load_tagger(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"b")
    with pytest.raises(ModelError, match="damaged"):
        read_folder(tmp_path, "other")
    (tmp_path / "a.txt").unlink()
    with pytest.raises(ModelError, match="missing"):
        read_folder(tmp_path, "other")
    (tmp_path / "model.json").write_text(json.dumps({"format": 1, "model": "x", "sha256": {"../a": "0"}}))
    with pytest.raises(ModelError, match="no file of its folder"):
        read_folder(tmp_path, "x")
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(ModelError, match="damaged"):
        read_folder(tmp_path, "x")


def scored() -> Scored:
    rows = np.log(np.array([[0.9, 0.06, 0.04], [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]], np.float32))
    return Scored.of([(["The", "cat"], ["A", "B"]), (["zz"], ["Z"])], [rows[:2], rows[2:]], ["A", "B", "C"])


def test_accuracy_curves_and_errors_are_counted_by_hand() -> None:
    found = scored()
    assert found.accuracy() == pytest.approx(1 / 3)
    assert found.accuracy(found.unknown(frozenset({"the"}))) == 0.0
    curve = multitag_curve(found, (1.0, 0.4))
    assert [(kept.tags_per_word, round(kept.oracle, 4)) for kept in curve] == [(1.0, 0.3333), (2.0, 0.6667)]
    bins, error = reliability(found)
    assert sum(entry.words for entry in bins) == 3
    assert error == pytest.approx((0.1 + 0.6 + 0.5) / 3, abs=1e-5)
    hot = found.scaled(2.0)
    np.testing.assert_allclose(np.exp(hot.rows).sum(axis=1), 1.0, rtol=1e-5)
    assert multitag_plot({"a & b": curve}).count("<circle") == 2
    assert reliability_plot({"a": bins}).endswith("</svg>\n")


HOSTILE = {
    "a sentence of 5,000 words": ["word"] * 5_000,
    "a word of 10,000 letters": ["x" * 10_000],
    "emoji": ["👍", "👩‍👩‍👧"],
    "right to left": ["שלום", "עולם"],
    "a null byte": ["a\0b", "\0"],
    "lone surrogates": ["\ud800", "a\udfff"],
    "combining marks": [unicodedata.normalize("NFD", "é" * 300)],
}


@pytest.fixture(scope="module", params=["lstm", "encoder"])
def tagger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tagger:
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from starccg.training.tagger.config import config_from  # noqa: PLC0415
    from starccg.training.tagger.package import run_export  # noqa: PLC0415
    from starccg.training.tagger.run import run_training  # noqa: PLC0415
    from tests.tagger.models import config_table, write_data  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("tagger")
    write_data(folder)
    run_training(config_from(config_table(request.param, epochs=1)), folder, folder / "run", "cpu")
    run_export(folder / "run", folder, folder / "model")
    return load_tagger(folder / "model", threads=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_words_are_tagged(name: str, tagger: Tagger) -> None:
    words = HOSTILE[name]
    (tagged,) = tagger.tag([words])
    assert tagged.words == len(words)
    assert np.isfinite(tagged.log_probabilities).all()
    assert (np.diff(tagged.offsets) >= 1).all()


def test_nothing_gives_nothing(tagger: Tagger) -> None:
    assert tagger.tag([]) == []
    empty, one, again = tagger.tag([[], ["cat"], []])
    assert (empty.words, one.words, again.words) == (0, 1, 0)


def test_what_is_no_word_is_refused_with_its_place(tagger: Tagger) -> None:
    with pytest.raises(StarccgError, match="sentence 2, word 3 is empty"):
        tagger.tag([["a"], ["b", "c", ""]])
    with pytest.raises(StarccgError, match="tokenise"):
        tagger.tag(["a text"])
    with pytest.raises(StarccgError, match="NoneType"):
        tagger.tag([[None]])  # type: ignore[list-item]


def test_tags_are_those_of_the_pruned_log_probabilities(tagger: Tagger) -> None:
    sentences = [["Kim", "sees", "Pat"], ["the"], ["a"] * 100]
    rows = tagger.log_probabilities(sentences)
    for tagged, table in zip(tagger.tag(sentences, beam=0.01, max_tags=3), rows, strict=True):
        expected = prune(table, 0.01, 3)
        assert tagged.tags.tolist() == expected.tags.tolist()
    np.testing.assert_allclose(np.exp(np.concatenate(rows)).sum(axis=1), 1.0, rtol=1e-4)
