"""Constructions that CCGbank analyses in its own way, by kind; the sentences are ours.

``more_constructions.conllu`` holds them, with root and supertags checked by hand in the comment ``# ccg``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Unary
from starccg.ccg.licensing import licensed
from starccg.ccg.rules import Rule
from starccg.dependencies import extract
from starccg.treebanks.ud import ENGLISH, convert, read_conllu
from starccg.treebanks.ud.english.grammar import CCGBANK_ENGLISH

FILE = Path(__file__).parent / "more_constructions.conllu"
TREES = {tree.id: tree for tree in read_conllu(FILE)}
EXPECTED = dict(
    zip(
        TREES,
        (line.removeprefix("# ccg = ") for line in FILE.read_text().splitlines() if line.startswith("# ccg = ")),
        strict=True,
    )
)
LAST_RESORT = "run-on-bare"
"""The one sentence that no rule of CCGbank derives: two clauses with nothing between them."""


def derive(name: str) -> Derivation:
    result = convert(TREES[name])
    assert result.derivation is not None, result.reason
    return result.derivation


def phrases(name: str, category: str) -> list[str]:
    wanted = Category.parse(category)
    return [" ".join(node.words) for node in derive(name).postorder() if node.category is wanted]


def dependencies(name: str) -> set[str]:
    derivation = derive(name)
    words = derivation.words
    return {f"{words[d.head]} {d.slot} {words[d.argument]}" for d in extract(derivation)}


@pytest.mark.parametrize("name", TREES)
def test_the_supertags_are_those_of_ccgbank(name: str) -> None:
    derivation = derive(name)
    assert f"{derivation.category} | {' '.join(map(str, derivation.supertags))}" == EXPECTED[name]


@pytest.mark.parametrize("name", TREES)
def test_only_the_last_resort_uses_a_type_change_beyond_ccgbank(name: str) -> None:
    nodes = list(derive(name).postorder())
    assert all(licensed(node, ENGLISH.grammar) for node in nodes)
    assert all(licensed(node, CCGBANK_ENGLISH) for node in nodes) == (name != LAST_RESORT)


def test_an_opening_bracket_is_a_functor_over_what_it_encloses() -> None:
    assert "( a poodle )" in phrases("bracketed-np", r"NP\NP")
    assert "( we were glad )" in phrases("bracketed-clause", r"S\S")
    assert "Boats ( with sails )" in phrases("bracketed-pp", "NP")
    assert "( I checked )" in phrases("clause-in-brackets-before-the-verb", r"(S\NP)/(S\NP)")


def test_the_wh_word_takes_an_inverted_question() -> None:
    assert "is the exam" in phrases("when-is-the-exam", r"S[q]/(S[adj]\NP)")
    assert "is the door" in phrases("what-colour-is-the-door", "S[q]/NP")
    assert "In which town" in phrases("in-which-town-does-he-live", "S[wq]/S[q]")
    assert "is the weather like" in phrases("what-is-the-weather-like", "S[q]/NP")
    assert "Which of these pens" in phrases("which-of-these-pens", r"S[wq]/(S[dcl]\NP)")


def test_a_question_may_be_what_something_is() -> None:
    assert "what a quay was" in phrases("that-is-what-a-quay-is", "S[qem]")


def test_what_follows_an_inverted_copula_is_as_in_a_statement() -> None:
    assert "Are the shops shut today" in phrases("are-the-shops-shut-today", "S[q]")
    assert "shut today" not in phrases("are-the-shops-shut-today", r"S[adj]\NP")
    assert {"Is 1 that", "Is 2 true"} <= dependencies("is-it-true-that")


def test_an_embedded_subject_is_asked_for_by_the_verb_of_thinking() -> None:
    assert {"left 1 Who", "think 1 you"} <= dependencies("who-do-you-think-left")


def test_a_free_relative_is_a_noun_phrase_and_a_question_is_a_clause() -> None:
    assert "What he cooked" in phrases("what-he-cooked-was-good", "NP")
    assert "what he cooked" in phrases("eat-what-he-cooked", "NP")
    assert "what he said" in phrases("know-what-he-said", "S[qem]")
    assert "how to swim" in phrases("know-how-to", "S[qem]")


def test_participles_after_nouns_and_in_passives_are_passive() -> None:
    for name in ("located", "required-for", "people-involved", "ship-called-hope"):
        assert "S[pss]" in EXPECTED[name]
    assert "to 1 case" in dependencies("referred-to")


def test_like_phrases_are_coordinated_by_conj() -> None:
    assert "in Paris but not in London" in phrases("but-not-in-london", r"(S\NP)\(S\NP)")
    assert "quickly and without noise" in phrases("quickly-and-without-noise", r"(S\NP)\(S\NP)")
    assert "in Poland or abroad" in phrases("or-abroad", r"(S\NP)\(S\NP)")
    assert "who sing and who dance" in phrases("two-relatives", r"NP\NP")


def test_modifiers_are_shared_only_where_the_graph_says_so() -> None:
    assert "old men" in phrases("adjective-of-one-noun", "N")
    assert "men and tall women" in phrases("adjective-of-both-nouns", "N")
    assert "quickly turned" in phrases("adverbs-of-each-verb", r"S[dcl]\NP")
    assert "turned and slowly left" in phrases("adverb-of-all-and-one", r"S[dcl]\NP")


def test_a_title_after_its_noun_is_the_head_unless_it_has_an_article() -> None:
    assert 'song " Happy Days "' in phrases("song-title", "N")
    assert '" The Bridge "' in phrases("film-article", r"NP\NP")
    assert '" The Old Man and the Sea "' in phrases("old-man-and-the-sea", "NP")
    assert "May 2013" in phrases("may-2013", "N")


def test_a_range_of_numbers_is_coordinated() -> None:
    assert "5 to 10" in phrases("five-to-ten-days", "N/N")
    assert "5 - 10" in phrases("range-hyphen", "N/N")
    assert "no more" in phrases("no-more-than-ten", r"S[adj]\NP")


def test_the_subject_of_a_tough_adjective_is_the_object_of_the_infinitive() -> None:
    assert "please 2 John" in dependencies("easy-to-please")
    assert "untie 2 knot" in dependencies("hard-to-untie")
    assert "with 1 She" in dependencies("hard-to-deal-with")
    assert "please 2 John" not in dependencies("eager-to-please")
    assert "please 1 John" in dependencies("eager-to-please")
    assert "do 2 things" in dependencies("things-to-do")
    assert "on 1 chair" in dependencies("comfortable-to-sit-on")
    assert "untie 2 knot" in dependencies("knot-that-is-hard-to-untie")


def test_the_infinitive_of_a_tough_adjective_may_have_a_subject_of_its_own() -> None:
    for annotated in ("easy-for-us-to-sing", "easy-for-us-oblique"):
        assert {"sing 1 us", "sing 2 song"} <= dependencies(annotated)
    assert "for us to wait" in phrases("hard-for-us-to-wait", "S[for]")


def test_clusters_of_arguments_are_coordinated_and_filled_in_both() -> None:
    assert {"gave 2 tea", "gave 2 coffee", "gave 3 John", "gave 3 Mary"} <= dependencies("argument-cluster")
    assert Rule.BACKWARD_COMPOSITION in [node.rule for node in derive("found-clusters").postorder()]
    assert {"sent 2 to", "sent 3 flowers", "sent 3 books"} <= dependencies("put-clusters")


def test_in_a_gap_the_conjunction_takes_what_the_missing_verb_would_take() -> None:
    assert "and Mary tea" in phrases("gapping", r"S\S")


def test_an_argument_of_two_clauses_is_raised_out_of_both() -> None:
    assert "Anna wrote and Tom printed" in phrases("rnr-first", "S[dcl]/NP")
    assert {"wrote 2 letter", "printed 2 letter"} <= dependencies("rnr-first")


def test_the_noun_of_a_relative_clause_may_be_the_object_of_a_preposition_in_its_subject() -> None:
    assert {"of 2 book", "was 1 cover"} <= dependencies("cover-of-which")
    assert {"of 2 guests", "danced 1 some"} <= dependencies("some-of-whom")


def test_a_subordinate_clause_alone_is_a_modifier() -> None:
    assert str(derive("even-if").category) == "S/S"
    assert str(derive("because-fragment").category) == "S/S"
    assert str(derive("when-the-rain-stopped").category) == "S/S"


def test_it_stands_for_a_clause_only_if_there_is_one() -> None:
    assert "It" in phrases("it-surprised-us", "NP[expl]")
    assert not any(isinstance(node, Unary) for node in derive("it-surprised-us").postorder())


def test_the_article_before_a_possessor_is_the_possessors() -> None:
    assert "the clerk" in phrases("the-clerk-s-desk", "NP")


def test_what_a_bracket_encloses_after_a_noun_stands_beside_it() -> None:
    assert "( d )" in phrases("clause-in-brackets", r"NP\NP")
    assert "( Old )" in phrases("name-in-brackets", r"NP\NP")


def test_a_prepositional_phrase_right_after_be_is_its_predicate() -> None:
    assert "without coats" in phrases("those-who-are-without", "PP")


def test_an_adverb_of_degree_is_shared_only_where_the_later_adjectives_have_none() -> None:
    assert "very clean" in phrases("each-with-its-degree", r"S[adj]\NP")
    assert "cold or very hot" in phrases("either-very-hot", r"S[adj]\NP")


def test_a_word_of_address_before_an_adjunct_is_inside_the_verb_phrase() -> None:
    assert "praise you , sir , with joy" in phrases("address-inside", r"S[dcl]\NP")


def test_by_far_modifies_the_noun_phrase_after_it() -> None:
    assert "by far the best" in phrases("by-far-the-best", "NP")


def test_a_name_is_coordinated_as_a_whole_but_a_plural_title_is_shared() -> None:
    assert "New York and Boston" in phrases("two-cities", "N")
    assert "York and Boston" not in phrases("two-cities", "N")
    assert "Hope and Wood" in phrases("two-titles", "N")
