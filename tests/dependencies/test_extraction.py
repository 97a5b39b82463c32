r"""What extraction promises of any derivation, and the worked example of CCGbank's documentation."""

from __future__ import annotations

import gc
import time

from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.rules import UNARY_RULES, Rule
from starccg.dependencies import Reach, coindex, extract, extraction
from starccg.formats.auto import parse_tree
from tests.dependencies.notation import dependencies, derive, lines
from tests.strategies import derivations, examples

VINKEN = r"""
(<T S[dcl] 1 2>
 (<T NP 0 1> (<T N 1 2> (<L N/N NNP NNP Mr. N/N>) (<L N NNP NNP Vinken N>) ) )
 (<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP VBZ VBZ is (S[dcl]\NP)/NP>)
  (<T NP 0 2> (<T NP 0 1> (<L N NN NN chairman N>) )
   (<T NP\NP 0 2> (<L (NP\NP)/NP IN IN of (NP\NP)/NP>)
    (<T NP 0 2> (<T NP 0 1> (<T N 1 2> (<L N/N NNP NNP Elsevier N/N>) (<L N NNP NNP N.V. N>) ) )
     (<T NP[conj] 1 2> (<L , , , , ,>)
      (<T NP 1 2> (<L NP[nb]/N DT DT the NP[nb]/N>)
       (<T N 1 2> (<L N/N NNP NNP Dutch N/N>)
        (<T N 1 2> (<L N/N VBG VBG publishing N/N>) (<L N NN NN group N>) ) ) ) ) ) ) ) ) )
"""


def test_extraction_leaves_nothing_to_the_garbage_collector() -> None:
    derivation, _ = parse_tree(" ".join(VINKEN.split()))  # with a coordination
    gc.collect()
    gc.disable()
    try:
        extract(derivation)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_worked_example_of_ccgbank_comes_out_exactly() -> None:
    derivation, conj_suffix = parse_tree(" ".join(VINKEN.split()))
    assert conj_suffix
    found = [(d.argument, d.head, str(d.category), d.slot) for d in extract(derivation)]
    assert sorted(found) == [
        (1, 0, "N/N", 1),
        (1, 2, r"(S[dcl]\NP)/NP", 1),
        (3, 2, r"(S[dcl]\NP)/NP", 2),
        (3, 4, r"(NP\NP)/NP", 1),
        (6, 4, r"(NP\NP)/NP", 2),
        (6, 5, "N/N", 1),
        (11, 4, r"(NP\NP)/NP", 2),
        (11, 8, "NP[nb]/N", 1),
        (11, 9, "N/N", 1),
        (11, 10, "N/N", 1),
    ]
    assert {d.reach for d in extract(derivation)} == {Reach.LOCAL}


@given(derivations(12))
@examples(120)
def test_any_tree_has_dependencies_that_name_its_words_and_slots(derivation: Derivation) -> None:
    found = extract(derivation)
    supertags = derivation.supertags
    for head, category, slot, argument, _ in found:
        assert category is supertags[head]
        assert 1 <= slot <= category.arity
        assert 0 <= argument < len(supertags)
        assert argument != head
    assert len({d[:4] for d in found}) == len(found), "a dependency reaches in one way only"
    assert list(found) == sorted(found, key=lambda d: (d.head, d.slot, d.argument))
    assert found == extract(derivation)


@st.composite
def mislabelled(draw: st.DrawFn) -> Derivation:
    """A tree whose nodes claim rules that did not build them."""

    def relabel(node: Derivation) -> Derivation:
        if isinstance(node, Binary):
            rule = draw(
                st.sampled_from([rule for rule in Rule if rule not in UNARY_RULES and rule is not Rule.LEXICON])
            )
            return Binary(node.category, relabel(node.left), relabel(node.right), rule, node.head)
        if isinstance(node, Unary):
            return Unary(node.category, relabel(node.child), draw(st.sampled_from([None, Rule.FORWARD_TYPE_RAISING])))
        return node

    return relabel(draw(derivations(8)))


@given(mislabelled())
@examples(60)
def test_rule_types_that_lie_do_no_harm(derivation: Derivation) -> None:
    for head, category, slot, argument, _ in extract(derivation):
        assert category is derivation.supertags[head]
        assert 1 <= slot <= category.arity
        assert 0 <= argument < len(derivation)


def test_a_node_that_no_rule_licenses_is_counted_and_keeps_what_can_be_kept() -> None:
    # a feature clash: the auxiliary wants a bare verb
    text = r"[Mary:NP [=S[dcl]\NP will:(S[dcl]\NP)/(S[b]\NP) [sleeping:(S[ng]\NP)/PP there:PP]]]"
    found = extraction(derive(text))
    assert found.unlicensed == 1
    assert dependencies(text) == lines("""
        will 1 Mary
        will 2 sleeping
        sleeping 1 Mary <XB>
        sleeping 2 there
    """)


def test_an_unlicensed_node_without_functor_takes_its_head() -> None:
    text = r"[[=NP Mary:NP John:NP] slept:S[dcl]\NP]"
    assert dependencies(text) == {"slept 1 Mary"}
    assert extraction(derive(text)).unlicensed == 1


def test_a_conjunction_of_unlike_phrases_has_both_heads() -> None:
    text = r"[Mary:NP [is:(S[dcl]\NP)/(S[adj]\NP) [tall:S[adj]\NP [=(S[adj]\NP)\(S[adj]\NP) and:conj rich:N]]]]"
    assert dependencies(text) >= {"is 2 tall", "is 2 rich", "tall 1 Mary <XB>"}


def test_punctuation_changes_nothing() -> None:
    plain = dependencies(r"[Mary:NP [and:conj John:NP]] slept:S[dcl]\NP".join("[]"))
    marked = dependencies(r"[[[Mary:NP ,:,] [and:conj [John:NP ,:,]]] [slept:S[dcl]\NP .:.]]")
    assert plain == marked == {"slept 1 Mary", "slept 1 John"}


def test_a_single_word_has_no_dependencies() -> None:
    assert extract(Leaf(Category.parse("NP"), "Mary")) == ()
    assert extract(Leaf(Category.parse(r"(S[dcl]\NP)/NP"), "saw")) == ()


def test_coordination_within_coordination_stays_small() -> None:
    """Subjects, verbs and objects in lists of forty: every pair is a dependency, and no more than that is work."""

    def listed(word: str, category: str) -> Derivation:
        made: Derivation = Leaf(Category.parse(category), word)
        for _ in range(39):
            conjunct = Binary(
                made.category | made.category,
                Leaf(Category.parse("conj"), "and"),
                made,
                Rule.CONJUNCTION,
                1,
            )
            made = Binary(made.category, Leaf(made.category, word), conjunct, Rule.BACKWARD_APPLICATION)
        return made

    verbs = listed("saw", r"(S[dcl]\NP)/NP")
    phrase = Binary(Category.parse(r"S[dcl]\NP"), verbs, listed("John", "NP"), Rule.FORWARD_APPLICATION)
    sentence = Binary(Category.parse("S[dcl]"), listed("Mary", "NP"), phrase, Rule.BACKWARD_APPLICATION, 1)
    start = time.perf_counter()
    assert len(extract(sentence)) == 40 * 40 * 2
    assert time.perf_counter() - start < 2


def test_a_thousand_words_do_not_exhaust_the_stack() -> None:
    made: Derivation = Leaf(Category.parse("N"), "dog")
    for _ in range(2000):
        made = Binary(made.category, Leaf(Category.parse("N/N"), "big"), made, Rule.FORWARD_APPLICATION, 1)
    assert len(extract(made)) == 2000


def test_the_head_of_a_modified_noun_is_the_noun_however_deep() -> None:
    assert str(coindex(Category.parse("((N/N)/(N/N))/((N/N)/(N/N))"))) == (
        "((N_1/N_1)_2/(N_1/N_1)_2)_3/((N_1/N_1)_2/(N_1/N_1)_2)_3"
    )
