"""Trees without function tags and without empty elements still get their gaps, predicates and adjuncts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import MAX_ATOMS
from starccg.treebanks.penn import Node, PennTree, convert, read_trees
from tests.strategies import examples
from tests.treebanks.penn.test_constructions import EXPECTED, TREES

INFERRED = [
    "object-relative",
    "object-relative-without-pronoun",
    "stranded-preposition",
    "subject-relative",
    "pied-piping",
    "embedded-object-question",
    "object-question",
    "subject-question",
    "identity-question",
    "determiner-question",
    "how-many-question",
    "stranded-question",
    "long-distance-object",
    "object-of-a-controlled-verb",
    "infinitive",
    "object-control",
    "passive-with-agent",
    "raising-passive",
    "reduced-relative",
    "expletive-it",
    "expletive-infinitive",
    "parenthetical-speech",
    "predicative-preposition",
    "temporal-noun",
    "purpose",
    "imperative",
    "most-of-which",
    "whose",
    "existential-there",
]


def bare(node: Node, *, tags: bool = False, empties: bool = False) -> Node | None:
    """The tree without its function tags, or its empty elements, or both."""
    if node.empty and not empties:
        return None
    children = [child for part in node.children if (child := bare(part, tags=tags, empties=empties)) is not None]
    if not children and not node.word and not node.empty:
        return None
    kept = node.tags if tags else frozenset[str]()
    return Node(node.label, kept, node.index if empties else None, children, node.word, node.empty)


@pytest.mark.parametrize("name", INFERRED)
def test_a_bare_tree_gets_the_categories_of_the_full_one(name: str) -> None:
    tree = bare(TREES[name].root)
    assert tree is not None
    derivation = convert(PennTree(name, tree)).derivation
    assert derivation is not None
    assert " ".join(map(str, derivation.supertags)) == EXPECTED[name]["ccg"].partition(" | ")[2]


def one_of(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from(text.split())


LABELS = one_of(
    "S NP VP PP ADJP ADVP SBAR SBARQ SQ SINV PRN UCP QP NML NAC NX CIT FRAG INTJ WHNP WHPP WHADVP CONJP X RRC LST"
)
TAGS = st.frozensets(one_of("SBJ PRD TMP LOC CLR NOM TPC ADV PRP"), max_size=1)
WORDS = st.builds(
    lambda tag, word: Node(tag, word=word),
    one_of("NN NNS DT JJ RB IN TO VB VBD VBN VBG MD CC CD PRP , . : -LRB- -RRB- WDT WP HYPH SYM POS `` ''") | LABELS,
    one_of("a of to that and , ; - / ( ) which be have 5 's"),
)
EMPTY = st.builds(
    lambda label, index, kind: Node(label, index=index, empty=kind),
    LABELS,
    st.sampled_from([None, 1, 2]),
    one_of("*T* * *PRO* *RNR* *ICH* *EXP* 0 *?*"),
)
NODES = st.recursive(
    WORDS | EMPTY,
    lambda parts: st.builds(
        Node, LABELS, TAGS, st.sampled_from([None, None, 1, 2]), st.lists(parts, min_size=1, max_size=5)
    ),
    max_leaves=20,
)


@examples(400)
@given(NODES)
def test_any_tree_whatsoever_is_converted_or_refused_with_a_reason(node: Node) -> None:
    result = convert(PennTree("any", node))
    if result.derivation is None:
        assert result.reason
    else:
        assert "".join(result.derivation.words) == "".join(leaf.word for leaf in node.leaves())


@pytest.mark.parametrize("label", ["FRAG", "WHNP", "NP", "ADVP", "VP", "PRN"])
@pytest.mark.parametrize("inside", ["(NN dog)", "(RB so) (, ,)", "(NN dog) (CC or) (RB so) (, ,)"])
def test_a_deep_tree_is_converted_or_refused_at_once(label: str, inside: str) -> None:
    (tree,) = read_trees([f"({label} {inside} " * 40 + "(JJ red)" + ")" * 40])
    result = convert(tree)
    if result.derivation is None:
        assert result.reason
    else:
        assert max(category.size for category in result.derivation.supertags) <= MAX_ATOMS
