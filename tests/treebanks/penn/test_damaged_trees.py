"""Trees whose labels and shapes are wrong: each is converted or refused with a reason; none raises an error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from starccg.treebanks.penn import convert, read_trees
from starccg.treebanks.penn.trees import Node
from starccg.treebanks.ud.lists import words

TREES = list(read_trees(Path(__file__).parent / "constructions.mrg"))
LABELS = sorted(
    {node.label for tree in TREES for node in tree.root.nodes()}
    | words("CIT CONJP FRAG INTJ LST NAC NML NX PRN QP RRC SBARQ SINV SQ TO UCP V WHADJP WHADVP WHNP WHPP X -LRB- :")
)
TAGS = sorted({tag for tree in TREES for node in tree.root.nodes() for tag in node.tags})


def damage(root: Node, random: Random) -> None:
    """Change a label or tag, or leave out, repeat, shuffle or nest nodes: words may get the labels of phrases."""
    nodes = list(root.nodes())
    node = random.choice(nodes)
    match random.randrange(6):
        case 0:
            node.label = random.choice(LABELS)
        case 1:
            node.tags ^= {random.choice(TAGS)}
        case 2 if len(node.children) > 1:
            node.children.pop(random.randrange(len(node.children)))
        case 3 if node.children:
            node.children.insert(random.randrange(len(node.children) + 1), random.choice(nodes).clone())
        case 4:
            random.shuffle(node.children)
        case 5:
            inner = Node(node.label, node.tags, node.index, node.children, node.word, node.empty)
            node.label, node.children, node.word, node.empty = random.choice(LABELS), [inner], "", ""


@settings(max_examples=300)
@given(st.randoms(use_true_random=False), st.booleans())
def test_a_damaged_tree_is_converted_or_refused_with_a_reason(random: Random, bare: bool) -> None:
    tree = random.choice(TREES)
    root = tree.root.clone()
    for node in root.nodes() if bare else ():
        node.tags = frozenset()
    for _ in range(random.choice((1, 2, 3, 6))):
        damage(root, random)
    root.adopt()
    if any(True for _ in root.leaves()):
        result = convert(replace(tree, root=root))
        assert (result.derivation is None) == bool(result.reason)


def test_words_with_the_labels_of_phrases_are_refused_or_read() -> None:
    for label in LABELS:
        clause = f"(SBAR (IN that) (S (NP (PRP he)) ({label} y)))"
        lines = [f"(S (NP-SBJ (PRP it)) (VP (VBZ is) ({label} x) {clause}))", f"({label} z)"]
        for tree in read_trees(lines):
            convert(tree)
