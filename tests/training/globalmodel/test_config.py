"""Configurations and data: what is given is checked, and a mistake is answered with where and what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from starccg.errors import StarccgError
from starccg.search.derivations import build_derivation
from starccg.search.types import TaggedSentence
from starccg.tagger.saved import SavedTags
from starccg.training.data import has_gold_tags, learnable, load_encoded, pair
from starccg.training.globalmodel.config import Config, check_data, load_config
from starccg.training.trees import Bridge
from tests.training import toy

CONFIGS = sorted((Path(__file__).parents[3] / "configs").glob("global*.toml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_configuration_of_ours_can_be_read(path: Path) -> None:
    check_data(load_config(path))


def test_the_defaults_are_the_paper_s() -> None:
    config = Config()
    assert (config.model.words, config.model.categories, config.model.cells) == (50, 16, 64)
    assert (config.learning.loss, config.learning.epochs, config.learning.dropout) == ("all", 30, 0.4)
    assert not config.learning.ties
    assert config.learning.gold_weight == 0
    assert (config.learning.forest, config.adam.learning_rate, config.adam.clip) == (2000, 1e-3, 5.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[learning]\nbach = 3", "unknown key learning.bach"),
        ("[learning]\nbatch = 0", "at least 1"),
        ('[learning]\nbatch = "3"', "must be of type int"),
        ("[learning]\ngold_weight = -0.1", r"a\.toml: learning\.gold_weight must be a number from 0 on, not -0\.1"),
        ("[learning]\ngold_share = 1.5", "gold_share must be from 0 to 1, not 1.5"),
        ("[learning]\ngold_weight = nan", "gold_weight must be a number from 0 on, not nan"),
        ("[learning]\ngold_weight = inf", "gold_weight must be a number from 0 on, not inf"),
        ('[learning]\ngold_weight = "much"', "gold_weight must be of type float, not 'much'"),
        ("[model]\ncells = true", "must be of type int"),
        ('[model]\nleaves = "roots"', "must be one of"),
        ('[model]\nstructure = "span"\nleaves = "none"', "leaves must be"),
        ("[data]\ntrain = 3", "a string or a list of strings"),
        ("model = 3", "model must be a table"),
        ("[learning", "not TOML"),
    ],
)
def test_a_mistake_in_a_configuration_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(StarccgError, match=message):
        load_config(path)


def test_changes_on_the_command_line_win(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('[learning]\nbatch = 8\n[data]\ntrain = "a"')
    config = load_config(path, ["learning.batch=1", "data.train=x/y.auto", "development.limits.forest=7"])
    assert config.learning.batch == 1
    assert config.data.train == ("x/y.auto",)
    assert config.development.limits.forest == 7
    with pytest.raises(StarccgError, match=r"section\.key=value"):
        load_config(path, ["batch"])


def test_a_run_without_data_says_what_to_set() -> None:
    with pytest.raises(StarccgError, match=r"data\.train is not set"):
        check_data(Config())


def test_sentences_and_tags_must_belong_together() -> None:
    sentences = toy.treebank(3)
    tags = toy.tags(sentences)
    with pytest.raises(StarccgError, match="no tags for sentence"):
        pair(toy.treebank(4), tags, toy.table())
    other = dict(tags.sentences)
    other["toy.1"] = TaggedSentence(np.zeros(1, np.int32), np.zeros(1, np.float32), np.array([0, 1], np.int32))
    with pytest.raises(StarccgError, match="tagged words, its derivation"):
        pair(sentences, SavedTags(tags.categories, other), toy.table())
    with pytest.raises(StarccgError, match="none of its categories"):
        pair(sentences, SavedTags(tuple("PP" for _ in tags.categories), tags.sentences), toy.table())


def test_a_sentence_that_lost_a_gold_tag_is_learned_from_and_one_that_is_too_long_is_not() -> None:
    examples = toy.examples(5)
    tagged, gold = examples[0].tagged, examples[0].gold
    assert gold is not None
    lost = tagged.tags.copy()
    lost[lost == gold[0].category] = (gold[0].category + 1) % toy.table().lexical
    examples[0] = replace(examples[0], tagged=replace(tagged, tags=lost))
    assert not has_gold_tags(examples[0].tagged, gold)
    assert learnable(examples, 70) == examples
    longest = max(len(example.words) for example in examples)
    assert learnable(examples, longest - 1) == [own for own in examples if len(own.words) < longest]


def test_nodes_and_derivations_are_two_sides_of_one_thing() -> None:
    bridge = Bridge(toy.table())
    for sentence in toy.treebank(30):
        nodes = bridge.nodes(sentence.derivation)
        again = build_derivation(nodes, bridge.table, sentence.derivation.words)
        assert bridge.nodes(again) == nodes
        assert again.words == sentence.derivation.words


def test_encoder_states_that_do_not_fit_their_sentences_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "states.npz"
    np.savez(path, states=np.zeros((3, 2), np.float32), sentence_offsets=[0, 2], ids=["a"])
    with pytest.raises(StarccgError, match="sentence_offsets must rise"):
        load_encoded(path)
    np.savez(path, states=np.zeros((3, 2), np.float32), sentence_offsets=[0, 2, 3], ids=["a", "b"])
    assert {name: states.shape for name, states in load_encoded(path).items()} == {"a": (2, 2), "b": (1, 2)}
    path.write_bytes(b"no")
    with pytest.raises(StarccgError, match=r"not an \.npz|cannot be read"):
        load_encoded(path)
