"""One sentence for each construction: a Penn tree in, the derivation and the dependencies of a textbook out.

``constructions.mrg`` holds the trees, written by ourselves. The comments before each tree are its root and supertags
(``ccg``), its dependencies (``dep``, written ``head/slot=argument``), both checked by hand, and its name. Trees whose
name is also in the constructions of the UD conversion are the same sentences: the two converters must agree on them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation
from starccg.ccg.licensing import licensed
from starccg.ccg.rules import Rule
from starccg.treebanks.penn import convert, read_trees
from starccg.treebanks.penn.conversion import GRAMMARS
from starccg.treebanks.ud import convert as convert_ud
from starccg.treebanks.ud import read_conllu

FILE = Path(__file__).parent / "constructions.mrg"
UD_FILE = Path(__file__).parents[1] / "ud" / "constructions.conllu"
TREES = {tree.id.rpartition(".")[0]: tree for tree in read_trees(FILE)}


def expectations() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    fields: dict[str, str] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("%"):
            continue
        name, equals, value = line[2:].partition(" = ")
        if equals:
            fields[name] = value
        else:
            found[name], fields = fields, {}
    return found


EXPECTED = expectations()
SHARED = {tree.id: tree for tree in read_conllu(UD_FILE) if tree.id in TREES}


def derive(name: str) -> Derivation:
    result = convert(TREES[name])
    assert result.derivation is not None, result.reason
    return result.derivation


@pytest.mark.parametrize("name", sorted(TREES))
def test_a_construction_gets_the_supertags_of_the_textbook(name: str) -> None:
    derivation = derive(name)
    root, _, supertags = EXPECTED[name]["ccg"].partition(" | ")
    assert str(derivation.category) == root
    assert " ".join(map(str, derivation.supertags)) == supertags


@pytest.mark.parametrize("name", sorted(name for name, fields in EXPECTED.items() if "dep" in fields))
def test_a_construction_gets_the_dependencies_of_the_textbook(name: str) -> None:
    derivation = derive(name)
    words = derivation.words
    found = [f"{words[d.head]}/{d.slot}={words[d.argument]}" for d in derivation.dependencies]
    assert sorted(found) == sorted(EXPECTED[name]["dep"].split())


@pytest.mark.parametrize("name", sorted(TREES))
def test_every_node_is_licensed_and_names_its_rule(name: str) -> None:
    for node in derive(name).postorder():
        assert node.rule is not None
        assert licensed(node, GRAMMARS[0])


def test_there_are_at_least_sixty_constructions_with_traces_of_every_kind() -> None:
    assert sum("ccg" in fields and "dep" in fields for fields in EXPECTED.values()) >= 60
    assert set(TREES) == set(EXPECTED)
    text = FILE.read_text(encoding="utf-8")
    for kind in ("*T*", "(-NONE- *", "*PRO*", "*RNR*", "*ICH*", "*EXP*", "*?*", "(-NONE- 0)", "*0*"):
        assert kind in text


def test_both_converters_give_the_same_categories() -> None:
    assert len(SHARED) >= 20
    for name, tree in SHARED.items():
        other = convert_ud(tree).derivation
        assert other is not None
        assert derive(name).supertags == other.supertags, name


def test_conversion_leaves_the_tree_as_it_was() -> None:
    before = str(TREES["tough-adjective"].root)
    derive("tough-adjective")
    assert str(TREES["tough-adjective"].root) == before


def phrases(name: str, category: str) -> list[str]:
    wanted = Category.parse(category)
    return [" ".join(node.words) for node in derive(name).postorder() if node.category is wanted]


def rules(name: str) -> list[Rule | None]:
    return [node.rule for node in derive(name).postorder()]


def test_a_gap_is_threaded_by_composition_and_the_subject_is_raised() -> None:
    assert "she ate" in phrases("long-distance-object", "S[dcl]/NP")
    assert Rule.FORWARD_TYPE_RAISING in rules("long-distance-object")


def test_raised_arguments_are_composed_and_coordinated() -> None:
    assert Rule.BACKWARD_COMPOSITION in rules("argument-cluster")
    assert Rule.CONJUNCTION in rules("argument-cluster")


def test_conjuncts_that_share_an_object_are_coordinated_before_it() -> None:
    assert "planted and watered" in phrases("right-node-raising-of-verb-phrases", r"(S[dcl]\NP)/NP")
    assert "Ann wrote and Tom printed" in phrases("right-node-raising-of-clauses", "S[dcl]/NP")


def test_brackets_join_what_they_enclose_wherever_they_are_attached() -> None:
    assert derive("brackets-attached-apart") == derive("brackets-after-a-noun")


def test_an_opening_quotation_mark_belongs_to_what_it_quotes() -> None:
    assert "`` king" in phrases("opening-quote-after-a-preposition", "NP")


def test_the_final_mark_closes_the_sentence() -> None:
    for name in ("transitive", "fronted-participle", "semicolon", "inversion-after-an-adverb"):
        derivation = derive(name)
        assert derivation.rule is Rule.RIGHT_PUNCTUATION
        assert derivation.children[1].words == ["."]
