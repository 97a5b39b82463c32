"""Counting and splitting treebanks, as functions and as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from starccg.ccg.category import Category
from starccg.ccg.derivation import Sentence
from starccg.cli.treebank import app
from starccg.formats.auto import read_auto, write_auto
from starccg.treebanks.split import SplitError, check, fraction, part, split
from starccg.treebanks.stats import KnownError, read_known, stats
from tests.dependencies.notation import derive
from tests.strategies import examples

TEXTS = (
    r"[[[=NP Ana:N] [sings:(S[dcl]\NP)/NP [a:NP/N tune:N]]] .:.]",
    r"[[his:NP/(N/PP) aunt:N/PP] sings:S[dcl]\NP]",
    r"[She:NP [sings:(S[dcl]\NP)/NP [=(S[X]\NP)\((S[X]\NP)/NP) [=NP tunes:N]]]]",
)


def bank() -> list[Sentence]:
    return [Sentence(str(i), derive(text), (("PARSER", "GOLD"),)) for i, text in enumerate(TEXTS)]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def written(path: Path, sentences: list[Sentence]) -> Path:
    path.write_text("\n".join(write_auto(sentences)) + "\n", encoding="utf-8")
    return path


def test_sizes_rules_and_coverage_are_counted() -> None:
    found = stats(bank(), known=frozenset({Category.parse("N"), Category.parse("NP/N")}))
    assert (found.sentences, found.words, found.longest) == (3, 11, 5)
    assert found.counts.lexical[Category.parse("N")] == 3
    assert found.known_words == 4
    assert found.unknown[Category.parse("N/PP")] == 1
    assert found.licensed_sentences == 3
    assert found.normal_form_sentences == 2  # the raised object is applied
    assert found.nodes == found.licensed_nodes


def test_the_json_can_be_read_by_anything() -> None:
    value = json.loads(json.dumps(stats(bank()).to_json()))
    assert value["words"] == 11 and value["rules"]["lexicon"] == 11
    assert "known" not in value
    assert stats([]).to_json()["mean_length"] == 0


def test_what_was_set_aside_is_counted_from_the_headers() -> None:
    sentence = Sentence("1", derive(TEXTS[0]), (("DIALECT", "pmb"), ("KEPT", "category"), ("GOLD", "own")))
    assert stats([sentence, sentence]).to_json()["fields"] == {
        "DIALECT": {"pmb": 2},
        "KEPT": {"category": 2},
        "GOLD": {"own": 2},
    }


@pytest.mark.parametrize(
    "text", ["N\n\nNP[nb]/N\n", '["N", "NP[nb]/N"]', '{"targets": ["N", "NP[nb]/N "]}'], ids=["lines", "list", "object"]
)
def test_lists_of_known_categories_are_read_in_three_ways(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known"
    path.write_text(text)
    assert read_known(path) == {Category.parse("N"), Category.parse("NP/N")}


@pytest.mark.parametrize("text", ["N\nNP//N", "[", '{"words": []}', "[1]"])
def test_a_list_of_categories_that_is_none_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known"
    path.write_text(text)
    with pytest.raises(KnownError, match="known"):
        read_known(path)
    with pytest.raises(KnownError, match="cannot be read"):
        read_known(tmp_path / "missing")


@given(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=5))
@examples(100)
def test_a_sentence_always_lands_in_the_same_part(words: list[str]) -> None:
    shares = {"train": 0.5, "dev": 0.3, "test": 0.2}
    assert 0 <= fraction(words) < 1
    assert part(words, shares) == part(list(words), shares)


def test_parts_have_about_the_share_they_were_given() -> None:
    shares = {"train": 0.8, "dev": 0.2}
    parts = [part(["kite", str(number)], shares) for number in range(2000)]
    assert 0.77 < parts.count("train") / 2000 < 0.83
    other = [part(["kite", str(number)], shares, salt="again") for number in range(2000)]
    assert parts != other


def test_doubles_never_fall_into_two_parts_and_order_is_kept() -> None:
    sentences = [Sentence(str(i), derive(TEXTS[i % 3])) for i in range(30)]
    parts = split(sentences, {"a": 0.5, "b": 0.5})
    words = {name: {tuple(s.derivation.words) for s in part} for name, part in parts.items()}
    assert not words["a"] & words["b"]
    assert all([int(s.id) for s in part] == sorted(int(s.id) for s in part) for part in parts.values())


@pytest.mark.parametrize("shares", [{}, {"a": 0.5}, {"a": 1.5, "b": -0.5}, {"a": float("nan")}])
def test_shares_that_make_no_whole_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(SplitError):
        check(shares)


def test_the_commands_work_one_after_the_other(tmp_path: Path) -> None:
    source = written(tmp_path / "pmb.auto", bank())
    known = tmp_path / "known.txt"
    known.write_text("N\nNP\nNP/N\n.\nS[dcl]\\NP\n(S[dcl]\\NP)/NP\n")
    result = run("normalise", source, tmp_path / "n.auto", "--known", known, "--json")
    value = json.loads(result.stdout)
    assert value["rules"]["possessive made a plain determiner"] == 1
    assert value["known"]["before"]["share"] < value["known"]["after"]["share"] == 1
    assert "possessive" in run("normalise", source, tmp_path / "n.auto").stdout

    result = run("gold", tmp_path / "n.auto", "-o", tmp_path / "g.auto", "--grammar", tmp_path / "g.json", "--json")
    assert json.loads(result.stdout) == {"sentences": 3, "gold": 3, "outcomes": {"found": 3}}
    assert {dict(s.fields)["GOLD"] for s in read_auto(tmp_path / "g.auto")} == {"found"}
    assert json.loads((tmp_path / "g.json").read_text())["seen"]

    value = json.loads(run("stats", tmp_path / "g.auto", "--json").stdout)
    assert value["coverage"]["normal_form_sentences"] == 3
    assert "categories" in run("stats", tmp_path / "g.auto", "--known", known).stdout

    result = run("split", tmp_path / "g.auto", tmp_path / "part", "--into", "train=0.5", "--into", "dev=0.5")
    assert result.exit_code == 0
    parts = [list(read_auto(tmp_path / f"part.{name}.auto")) for name in ("train", "dev")]
    assert sum(map(len, parts)) == 3


def test_what_keeps_its_dialect_is_set_aside_by_gold(tmp_path: Path) -> None:
    odd = Sentence("odd", derive(r"[She:NP kicked~off:S[dcl]\NP]"))
    source = written(tmp_path / "pmb.auto", [*bank(), odd])
    run("normalise", source, tmp_path / "n.auto")
    result = run("gold", tmp_path / "n.auto", "-o", tmp_path / "g.auto", "--set-aside", tmp_path / "a.auto", "--json")
    assert json.loads(result.stdout)["outcomes"] == {"found": 3, "dialect": 1}
    assert [(s.id, dict(s.fields)["ASIDE"]) for s in read_auto(tmp_path / "a.auto")] == [("odd", "dialect")]


def test_an_empty_file_and_bad_shares_are_errors_that_say_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty.auto"
    empty.write_text("")
    assert "no sentence" in str(run("stats", empty).exception)
    source = written(tmp_path / "pmb.auto", bank())
    assert "train=0.9" in str(run("split", source, tmp_path / "p", "--into", "train").exception)
    assert "add up" in str(run("split", source, tmp_path / "p", "--into", "train=0.9").exception)
