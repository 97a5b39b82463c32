"""One or more sentences for each construction: UD in, the derivation a textbook would draw out.

``constructions.conllu`` holds the sentences, written by ourselves; the comment ``# ccg`` of each is its root and its
supertags, checked by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Unary
from starccg.ccg.licensing import licensed
from starccg.ccg.rules import Rule
from starccg.treebanks.ud import ENGLISH, Tree, convert, convert_conllu, read_conllu

FILE = Path(__file__).parent / "constructions.conllu"
TREES = {tree.id: tree for tree in read_conllu(FILE)}


def expectations() -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# sent_id = "):
            name = line.removeprefix("# sent_id = ")
        elif line.startswith("# ccg = "):
            found[name] = line.removeprefix("# ccg = ")
    return found


EXPECTED = expectations()


def derive(tree: Tree) -> Derivation:
    result = convert(tree)
    assert result.derivation is not None, result.reason
    return result.derivation


@pytest.mark.parametrize("name", sorted(TREES))
def test_a_construction_gets_the_supertags_of_the_textbook(name: str) -> None:
    derivation = derive(TREES[name])
    root, _, supertags = EXPECTED[name].partition(" | ")
    assert str(derivation.category) == root
    assert " ".join(map(str, derivation.supertags)) == supertags


@pytest.mark.parametrize("name", sorted(TREES))
def test_every_node_is_licensed_and_names_its_rule(name: str) -> None:
    for node in derive(TREES[name]).postorder():
        assert node.rule is not None
        assert licensed(node, ENGLISH.grammar)


def test_there_are_at_least_forty_constructions() -> None:
    assert len(TREES) >= 40
    assert set(TREES) == set(EXPECTED)


def phrases(name: str, category: str) -> list[str]:
    wanted = Category.parse(category)
    return [" ".join(node.words) for node in derive(TREES[name]).postorder() if node.category is wanted]


def rules(name: str) -> list[Rule | None]:
    return [node.rule for node in derive(TREES[name]).postorder()]


def test_the_subject_of_an_object_relative_is_raised_and_composed() -> None:
    made = rules("object-relative")
    assert Rule.FORWARD_TYPE_RAISING in made
    assert Rule.FORWARD_COMPOSITION in made
    assert "we sang" in phrases("object-relative", "S[dcl]/NP")


def test_a_relative_clause_without_pronoun_changes_type() -> None:
    assert "you baked" in phrases("object-relative-without-pronoun", r"NP\NP")


def test_a_list_branches_to_the_right() -> None:
    assert "the moon and the stars" in phrases("noun-phrase-list", "NP")
    assert "The sun , the moon" not in phrases("noun-phrase-list", "NP")


def test_shared_objects_and_auxiliaries_stay_outside_the_coordination() -> None:
    assert "buy and sell" in phrases("shared-object", r"(S[dcl]\NP)/NP")
    assert "rained and snowed" in phrases("shared-auxiliary", r"S[pt]\NP")


def test_negation_crosses_into_the_auxiliary() -> None:
    assert Rule.BACKWARD_CROSSED_COMPOSITION in rules("negation")
    assert "do n't" in phrases("negation", r"(S[dcl]\NP)/(S[b]\NP)")


def test_modifiers_of_a_noun_phrase_stand_outside_its_determiner() -> None:
    assert "The roof" in phrases("noun-modifying-preposition", "NP")
    assert "The roof of the barn" in phrases("noun-modifying-preposition", "NP")


def test_the_final_mark_closes_the_sentence() -> None:
    derivation = derive(TREES["transitive"])
    assert isinstance(derivation, Binary)
    assert derivation.rule is Rule.RIGHT_PUNCTUATION
    assert derivation.right.words == ["."]


def test_an_apposition_joins_by_its_comma() -> None:
    assert ", a baker" in phrases("apposition", r"NP\NP")


def test_bare_nouns_become_noun_phrases_by_the_unary_rule() -> None:
    changes = [node for node in derive(TREES["predicative-noun"]).postorder() if isinstance(node, Unary)]
    assert [" ".join(node.words) for node in changes] == ["Whales", "mammals"]


def test_conversion_leaves_the_tree_as_it_was() -> None:
    tree = TREES["flat-name"]
    before = [(word.form, word.head, word.relation) for word in tree.words]
    convert(tree)
    assert [(word.form, word.head, word.relation) for word in tree.words] == before


def test_a_file_is_converted_in_order_with_its_names() -> None:
    assert [sentence.id for sentence in convert_conllu(FILE)] == list(TREES)


@pytest.mark.parametrize(
    "name", ["object-relative-without-pronoun", "subject-relative", "object-control", "free-relative"]
)
def test_the_enhanced_graph_may_be_missing(name: str) -> None:
    expected = derive(TREES[name]).supertags
    tree = next(tree for tree in read_conllu(FILE) if tree.id == name)
    for word in tree.words:
        word.enhanced = ()
    assert derive(tree).supertags == expected


@pytest.mark.parametrize("name", sorted(TREES))
def test_the_penn_tags_may_be_missing_where_features_tell_the_verb_forms(name: str) -> None:
    expected = derive(TREES[name]).supertags
    tree = next(tree for tree in read_conllu(FILE) if tree.id == name)
    for word in tree.words:
        word.features = {**word.features, **FEATURES.get(word.xpos, {})}
        word.xpos = ""
    assert derive(tree).supertags == expected


@pytest.mark.parametrize("name", ["auxiliaries", "passive-with-agent", "shared-auxiliary", "expletive-infinitive"])
def test_the_lemmas_may_be_missing(name: str) -> None:
    expected = derive(TREES[name]).supertags
    tree = next(tree for tree in read_conllu(FILE) if tree.id == name)
    for word in tree.words:
        word.lemma = word.form.lower()
    assert derive(tree).supertags == expected


FEATURES = {
    "VBD": {"VerbForm": "Fin", "Mood": "Ind", "Tense": "Past"},
    "VBZ": {"VerbForm": "Fin", "Mood": "Ind", "Tense": "Pres"},
    "VBP": {"VerbForm": "Fin", "Mood": "Ind", "Tense": "Pres"},
    "MD": {"VerbForm": "Fin"},
    "VB": {"VerbForm": "Inf"},
    "VBG": {"VerbForm": "Ger"},
    "VBN": {"VerbForm": "Part", "Tense": "Past"},
    "WP": {"PronType": "Int,Rel"},
    "WDT": {"PronType": "Int,Rel"},
    "WRB": {"PronType": "Int"},
}
