r"""PMB's dialect in, CCGbank's out; the sentences are ours.

Derivations are written as in ``tests.dependencies.notation``: ``[the:NP/N father:N]``.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.ccg.english import ENGLISH
from starccg.ccg.licensing import licensed
from starccg.dependencies import extract
from starccg.treebanks.normalise import CCGBANK, DIALECT, PMB, Report, normalise, normalise_all, rewrite
from starccg.treebanks.normalise.editing import UnlicensedError, join, retype
from starccg.treebanks.normalise.features import plain_modifiers
from starccg.treebanks.normalise.nouns import without_complements
from tests.dependencies.notation import derive
from tests.strategies import categories, derivations, examples

CASES = {
    "let us": (
        r"[[[Let:(S[dcl]/(S[b]\NP))/NP 's:NP] [fly:(S[b]\NP)/NP [=NP kites:N]]] .:.]",
        r"Let ((S[b]\NP)/(S[b]\NP))/NP 's NP fly (S[b]\NP)/NP kites N . .",
    ),
    "question of time": (
        r"[[[What:(S[wq]/(S[q]/PP))/N year:N] [[was:(S[q]/(S[pss]\NP))/NP [=NP Ana:N]] born:(S[pss]\NP)/PP]] ?:.]",
        r"What (S[wq]/S[q])/N year N was (S[q]/(S[pss]\NP))/NP Ana N born S[pss]\NP ? .",
    ),
    "inverted sentence that asks": (
        r"[[[Have:(S[dcl]/(S[pt]\NP))/NP you:NP] [seen:(S[pt]\NP)/NP [=NP kites:N]]] ?:.]",
        r"Have (S[q]/(S[pt]\NP))/NP you NP seen (S[pt]\NP)/NP kites N ? .",
    ),
    "name heard singing": (
        r"[[=NP Bo:N] [heard:(S[dcl]\NP)/NP [[=NP Ana:N] [=NP\NP singing:S[ng]\NP]]]]",
        r"Bo N heard ((S[dcl]\NP)/(S[ng]\NP))/NP Ana N singing S[ng]\NP",
    ),
    "noun heard singing": (
        r"[[=NP Bo:N] [heard:(S[dcl]\NP)/NP [[the:NP/N girl:N] [=NP\NP singing:S[ng]\NP]]]]",
        r"Bo N heard (S[dcl]\NP)/NP the NP/N girl N singing S[ng]\NP",
    ),
    "bare clause watched": (
        r"[[=NP Bo:N] [watched:(S[dcl]\NP)/S[b] [[=NP Ana:N] leave:S[b]\NP]]]",
        r"Bo N watched ((S[dcl]\NP)/(S[b]\NP))/NP Ana N leave S[b]\NP",
    ),
    "noun complement": (
        r"[[the:NP/N [lid:N/PP [of:PP/NP [the:NP/N kettle:N]]]] rattles:S[dcl]\NP]",
        r"the NP/N lid N of (NP\NP)/NP the NP/N kettle N rattles S[dcl]\NP",
    ),
    "two noun complements": (
        r"[[the:NP/N [[gift:(N/PP)/PP [of:PP/NP [=NP kites:N]]] [to:PP/NP [=NP Ana:N]]]] pleased:S[dcl]\NP]",
        r"the NP/N gift N of (NP\NP)/NP kites N to (NP\NP)/NP Ana N pleased S[dcl]\NP",
    ),
    "possessive pronoun": (
        r"[[his:NP/(N/PP) aunt:N/PP] sings:S[dcl]\NP]",
        r"his NP/N aunt N sings S[dcl]\NP",
    ),
    "possessive clitic": (
        r"[[[[=NP Ana:N] 's:(NP/(N/PP))\NP] [old:(N/PP)/(N/PP) kettle:N/PP]] rattles:S[dcl]\NP]",
        r"Ana N 's (NP/N)\NP old N/N kettle N rattles S[dcl]\NP",
    ),
    "relational adjective": (
        r"[her:NP/(N/PP) [favourite:(N/PP)/N tune:N]]",
        r"her NP/N favourite N/N tune N",
    ),
    "quantity": (
        r"[[None:NP/PP [of:PP/NP [the:NP/N kites:N]]] flew:S[dcl]\NP]",
        r"None N of (NP\NP)/NP the NP/N kites N flew S[dcl]\NP",
    ),
    "noun without its complement in place": (
        r"[[=NP Ana:N] [has:(S[dcl]\NP)/(NP/PP) [no:NP/N aunt:N/PP]]]",
        r"Ana N has (S[dcl]\NP)/NP no NP/N aunt N",
    ),
    "particle before the object": (
        r"[She:NP [[folded:((S[dcl]\NP)/NP)/PR up:PR] [the:NP/N kite:N]]]",
        r"She NP folded (S[dcl]\NP)/NP up (S\NP)\(S\NP) the NP/N kite N",
    ),
    "particle after the object": (
        r"[She:NP [[folded:((S[dcl]\NP)/PR)/NP [the:NP/N kite:N]] up:PR]]",
        r"She NP folded (S[dcl]\NP)/NP the NP/N kite N up (S\NP)\(S\NP)",
    ),
    "particle and prepositional complement": (
        r"[She:NP [[ran:((S[dcl]\NP)/PP)/PR out:PR] [of:PP/NP [=NP string:N]]]]",
        r"She NP ran (S[dcl]\NP)/PP out (S\NP)\(S\NP) of PP/NP string N",
    ),
    "raised object": (
        r"[She:NP [flies:(S[dcl]\NP)/NP [=(S[X]\NP)\((S[X]\NP)/NP) [=NP kites:N]]]]",
        r"She NP flies (S[dcl]\NP)/NP kites N",
    ),
    "reflexive": (
        r"[She:NP [sees:(S[dcl]\NP)/NP herself:(S[dcl]\NP)\((S[dcl]\NP)/NP)]]",
        r"She NP sees (S[dcl]\NP)/NP herself NP",
    ),
    "full stop below the root": (
        r"[She:NP [flies:(S[dcl]\NP)/NP [[=NP kites:N] .:.]]]",
        r"She NP flies (S[dcl]\NP)/NP kites N . .",
    ),
    "marks written as modifiers": (
        r'[[":S[dcl]/S[dcl] [[She:NP flies:S[dcl]\NP] .:S[dcl]\S[dcl]]] ":RRB]',
        r'" LQU She NP flies S[dcl]\NP . . " RQU',
    ),
    "comma that coordinates": (
        r"[[=NP [kites:N [,:conj [kettles:N [and:conj tunes:N]]]]] please:S[dcl]\NP]",
        r"kites N , , kettles N and conj tunes N please S[dcl]\NP",
    ),
    "joined name": (
        r"[[=NP New~Kettle~City:N] sleeps:S[dcl]\NP]",
        r"New N/N Kettle N/N City N sleeps S[dcl]\NP",
    ),
    "joined name with of": (
        r"[[=NP Bank~of~Kites:N] sleeps:S[dcl]\NP]",
        r"Bank N of (NP\NP)/NP Kites N sleeps S[dcl]\NP",
    ),
    "joined title with structure of its own": (
        r"[She:NP [reads:(S[dcl]\NP)/NP [=NP The~Old~Kettle~and~the~Kite:N]]]",
        r"She NP reads (S[dcl]\NP)/NP The NP/N Old N/N Kettle N and conj the NP/N Kite N",
    ),
    "joined title with a preposition": (
        r"[She:NP [reads:(S[dcl]\NP)/NP [=NP Gone~with~the~Kite:N]]]",
        r"She NP reads (S[dcl]\NP)/NP Gone N with (NP\NP)/NP the NP/N Kite N",
    ),
    "joined title after its noun": (
        r"[She:NP [saw:(S[dcl]\NP)/NP [the:NP/N [[old:N/N film:N] Kite~Fever:N\N]]]]",
        r"She NP saw (S[dcl]\NP)/NP the NP/N old N/N film N/N Kite N/N Fever N",
    ),
    "joined adverb with of": (
        r"[all~of~a~sudden:S[dcl]/S[dcl] [she:NP sings:S[dcl]\NP]]",
        r"all (S/S)/PP of PP/NP a NP/N sudden N she NP sings S[dcl]\NP",
    ),
    "joined adverb with two prepositions": (
        r"[She:NP [sings:S[dcl]\NP from~time~to~time:(S[dcl]\NP)\(S[dcl]\NP)]]",
        r"She NP sings S[dcl]\NP from (((S\NP)\(S\NP))/PP)/NP time N to PP/NP time N",
    ),
    "joined number": (
        r"[[=NP [two~hundred:N/N kites:N]] flew:S[dcl]\NP]",
        r"two (N/N)/(N/N) hundred N/N kites N flew S[dcl]\NP",
    ),
    "joined number with a conjunction": (
        r"[[=NP [two~and~a~half:N/N kites:N]] flew:S[dcl]\NP]",
        r"two N/N and conj a (N/N)/N half N kites N flew S[dcl]\NP",
    ),
    "joined number with an article": (
        r"[[=NP [half~a~million:N/N kites:N]] flew:S[dcl]\NP]",
        r"half (N/N)/(N/N) a (N/N)/N million N kites N flew S[dcl]\NP",
    ),
    "joined number with a conjunction after hundreds": (
        r"[[=NP [two~hundred~and~six:N/N kites:N]] flew:S[dcl]\NP]",
        r"two (N/N)/(N/N) hundred N/N and conj six N/N kites N flew S[dcl]\NP",
    ),
    "at least": (
        r"[[=NP [[at~least:(N/N)/(N/N) ten:N/N] kites:N]] flew:S[dcl]\NP]",
        r"at ((N/N)/(N/N))/(S[asup]\NP) least S[asup]\NP ten N/N kites N flew S[dcl]\NP",
    ),
    "more than": (
        r"[[=NP [[more~than:(N/N)/(N/N) ten:N/N] kites:N]] flew:S[dcl]\NP]",
        r"more S[adj]\NP than ((N/N)/(N/N))\(S[adj]\NP) ten N/N kites N flew S[dcl]\NP",
    ),
    "idiom with a preposition": (
        r"[She:NP [sings:S[dcl]\NP in~public:(S[dcl]\NP)\(S[dcl]\NP)]]",
        r"She NP sings S[dcl]\NP in ((S\NP)\(S\NP))/NP public N",
    ),
    "each other": (
        r"[They:NP [see:(S[dcl]\NP)/NP [=NP each~other:N]]]",
        r"They NP see (S[dcl]\NP)/NP each NP/N other N",
    ),
    "prefix": (
        r"[He:NP [is:(S[dcl]\NP)/(S[adj]\NP) [dis:(S[adj]\NP)/(S[adj]\NP) honest:S[adj]\NP]]]",
        r"He NP is (S[dcl]\NP)/(S[adj]\NP) dishonest S[adj]\NP",
    ),
    "what is": (
        r"[What:S[wq]/(S[dcl]\NP) [is:(S[dcl]\NP)/NP [your:NP/(N/PP) name:N/PP]]]",
        r"What S[wq]/(S[q]/NP) is (S[q]/NP)/NP your NP/N name N",
    ),
    "who sings stays a subject question": (
        r"[Who:S[wq]/(S[dcl]\NP) sings:S[dcl]\NP]",
        r"Who S[wq]/(S[dcl]\NP) sings S[dcl]\NP",
    ),
    "where is": (
        r"[Where:S[wq]/(S[q]/PP) [is:(S[q]/PP)/NP [the:NP/N kettle:N]]]",
        r"Where S[wq]/(S[q]/NP) is (S[q]/NP)/NP the NP/N kettle N",
    ),
    "where was X born": (
        r"[Where:S[wq]/(S[q]/PP) [[was:(S[q]/(S[pss]\NP))/NP [=NP Ana:N]] born:(S[pss]\NP)/PP]]",
        r"Where S[wq]/S[q] was (S[q]/(S[pss]\NP))/NP Ana N born S[pss]\NP",
    ),
    "in which": (
        r"[[In:(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP)) [which:(S[wq]/(S[q]/NP))/N town:N]]"
        r" [[was:(S[q]/(S[pss]\NP))/NP [=NP Ana:N]] born:(S[pss]\NP)/PP]]",
        r"In (S[wq]/S[q])/NP which NP/N town N was (S[q]/(S[pss]\NP))/NP Ana N born S[pss]\NP",
    ),
    "for whom": (
        r"[[For:(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP)) whom:S[wq]/(S[q]/NP)]"
        r" [[did:(S[q]/(S[b]\NP))/NP she:NP] sing:(S[b]\NP)/PP]]",
        r"For (S[wq]/S[q])/NP whom NP did (S[q]/(S[b]\NP))/NP she NP sing S[b]\NP",
    ),
    "how many": (
        r"[[How:(S[wq]/(S[dcl]\NP))/N [many:N/N kites:N]] flew:S[dcl]\NP]",
        r"How ((S[wq]/(S[dcl]\NP))/N)/(NP/N) many NP/N kites N flew S[dcl]\NP",
    ),
    "relative clause": (
        r"[[the:NP/N [kite:N [that:(N\N)/(S[dcl]\NP) flew:S[dcl]\NP]]] fell:S[dcl]\NP]",
        r"the NP/N kite N that (NP\NP)/(S[dcl]\NP) flew S[dcl]\NP fell S[dcl]\NP",
    ),
    "relative clause of a modified noun": (
        r"[the:NP/N [red:N/N [kite:N [that:(N\N)/(S[dcl]\NP) flew:S[dcl]\NP]]]]",
        r"the NP/N red N/N kite N that (NP\NP)/(S[dcl]\NP) flew S[dcl]\NP",
    ),
    "gerund": (
        r"[[Flying:NP/NP [=NP kites:N]] pleases:S[dcl]\NP]",
        r"Flying (S[ng]\NP)/NP kites N pleases S[dcl]\NP",
    ),
    "degree": (
        r"[[=NP [[very:(N/N)/(S[adj]\NP) old:S[adj]\NP] kites:N]] fell:S[dcl]\NP]",
        r"very (N/N)/(N/N) old N/N kites N fell S[dcl]\NP",
    ),
    "half an hour": (
        r"[[[=NP/N half:N/N an:NP\N] hour:N] passed:S[dcl]\NP]",
        r"half NP/NP an NP/N hour N passed S[dcl]\NP",
    ),
    "three years old": (
        r"[She:NP [is:(S[dcl]\NP)/(S[adj]\NP) [[three:N/N years:N] old:(S[adj]\NP)\N]]]",
        r"She NP is (S[dcl]\NP)/(S[adj]\NP) three N/N years N old (S[adj]\NP)\NP",
    ),
    "there is": (
        r"[There:NP[thr] [[is:((S[dcl]\NP[thr])/PP)/NP [a:NP/N kite:N]] [in:PP/NP [the:NP/N tree:N]]]]",
        r"There NP[thr] is (S[dcl]\NP[thr])/NP a NP/N kite N in ((S\NP)\(S\NP))/NP the NP/N tree N",
    ),
    "features of modifiers": (
        r"[She:NP [sings:S[dcl]\NP [at:((S[dcl]\NP)\(S[dcl]\NP))/NP [=NP night:N]]]]",
        r"She NP sings S[dcl]\NP at ((S\NP)\(S\NP))/NP night N",
    ),
    "already CCGbank's": (
        r"[[[the:NP/N lid:N] [of:(NP\NP)/NP [the:NP/N kettle:N]]] rattles:S[dcl]\NP]",
        r"the NP/N lid N of (NP\NP)/NP the NP/N kettle N rattles S[dcl]\NP",
    ),
}


def tags(derivation: Derivation) -> str:
    return " ".join(f"{leaf.word} {leaf.category}" for leaf in derivation.leaves())


@pytest.mark.parametrize("name", CASES)
def test_each_construction_comes_out_as_in_ccgbank(name: str) -> None:
    before, after = CASES[name]
    result = normalise(Sentence("1", derive(before)))
    assert tags(result.derivation) == after
    assert dict(result.fields)[DIALECT] == CCGBANK


@pytest.mark.parametrize("name", CASES)
def test_every_rewritten_node_is_licensed(name: str) -> None:
    result, _, failed = rewrite(derive(CASES[name][0]))
    assert not failed
    assert all(licensed(node, ENGLISH) and node.rule is not None for node in result.postorder())


@pytest.mark.parametrize("name", CASES)
def test_normalising_again_changes_nothing(name: str) -> None:
    once, _, _ = rewrite(derive(CASES[name][0]))
    twice, tally, failed = rewrite(once)
    assert twice == once
    assert not +tally and not failed


@pytest.mark.parametrize(
    "name",
    ["noun complement", "particle before the object", "raised object", "what is", "relative clause", "there is"],
)
def test_the_same_words_depend_on_one_another_before_and_after(name: str) -> None:
    before = derive(CASES[name][0])
    after, _, _ = rewrite(before)
    assert _links(before) <= _links(after)


def _links(derivation: Derivation) -> set[frozenset[int]]:
    return {frozenset((d.head, d.argument)) for d in extract(derivation)}


def test_the_final_mark_hangs_from_the_root() -> None:
    result, tally, _ = rewrite(derive(CASES["full stop below the root"][0]))
    assert tally["final mark raised to the root"] == 1
    assert isinstance(result.children[-1], Leaf) and result.children[-1].word == "."


def test_what_cannot_be_rewritten_is_marked_with_the_reason() -> None:
    sentence = Sentence("1", derive(r"[=NP as~it~were:N]"), fields=(("PARSER", "GOLD"),))
    assert dict(normalise(sentence).fields)[DIALECT] == PMB  # no structure is known, and a chain of modifiers is none
    verb = Sentence("1", derive(r"[She:NP kicked~off:S[dcl]\NP]"), fields=(("PARSER", "GOLD"),))
    fields = dict(normalise(verb).fields)
    assert fields == {"PARSER": "GOLD", DIALECT: PMB, "KEPT": "joined-token"}


@pytest.mark.parametrize(
    "text", [r"also~known~as:(S\NP)\(S\NP)", r"and~so~on:(S\NP)\(S\NP)", r"what's~more:(S\NP)\(S\NP)"]
)
def test_a_joined_expression_never_becomes_a_chain_of_modifiers(text: str) -> None:
    sentence = Sentence("1", derive(rf"[She:NP [sings:S[dcl]\NP {text}]]"))
    assert dict(normalise(sentence).fields)["KEPT"] == "joined-token"


def test_an_unlicensed_derivation_is_left_as_it_is_and_marked() -> None:
    odd = derive(r"[=NP kites:S[dcl]\NP]")
    result = normalise(Sentence("1", odd))
    assert result.derivation == odd
    assert dict(result.fields) == {DIALECT: PMB, "KEPT": "unlicensed"}


def test_the_report_counts_rules_sentences_and_reasons() -> None:
    report = Report()
    texts = [CASES["possessive pronoun"][0], CASES["noun complement"][0], r"[She:NP kicked~off:S[dcl]\NP]"]
    list(normalise_all((Sentence(str(i), derive(text)) for i, text in enumerate(texts)), report))
    assert report.sentences == 3
    assert report.rules["possessive made a plain determiner"] == 1
    assert report.rules["noun without its complement"] == 2
    assert report.kept == Counter({"joined-token": 1})


def test_retyping_refuses_what_a_phrase_cannot_be() -> None:
    phrase = derive(r"[the:NP/N kite:N]")
    assert retype(phrase, Category.parse("PP")).category is Category.parse("PP")  # the determiner takes the blame
    with pytest.raises(UnlicensedError):
        retype(derive(r"[=NP kites:N]"), Category.parse("PP"))
    with pytest.raises(UnlicensedError):
        join(phrase, phrase)


@given(derivations())
@examples(200)
def test_no_tree_makes_the_normaliser_stumble(derivation: Derivation) -> None:
    result = normalise(Sentence("1", derivation))
    assert dict(result.fields)[DIALECT] in (CCGBANK, PMB)


@given(categories())
@examples(200)
def test_the_maps_on_categories_need_no_second_go(category: Category) -> None:
    once = without_complements(category)
    assert without_complements(once) is once
    plain = plain_modifiers(category)
    assert plain_modifiers(plain) is plain


def test_a_mark_that_takes_arguments_keeps_its_sentence_out_of_ccgbanks_dialect() -> None:
    tag = derive(r"[[Ana:NP sings:S[dcl]\NP] [,:(S[dcl]\S[dcl])/NP [=NP songs:N]]]")
    assert (DIALECT, PMB) in normalise(Sentence("a", tag)).fields


def test_the_apostrophe_of_a_possessive_is_no_mark() -> None:
    possessive = derive(r"[[[=NP girls:N] ':(NP/N)\NP] kites:N]")
    assert (DIALECT, CCGBANK) in normalise(Sentence("a", possessive)).fields


def test_a_question_derived_as_a_noun_phrase_is_left_out() -> None:
    misread = derive(r"[[What:NP/(S[dcl]\NP) [is:(S[dcl]\NP)/NP [[=NP Bo:N] [=NP\NP singing:S[ng]\NP]]]] ?:.]")
    assert ("KEPT", "question") in normalise(Sentence("a", misread)).fields
