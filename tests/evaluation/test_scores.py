"""Precision, recall and their company, on cases small enough to count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.dependencies import Dependency, Reach
from starccg.evaluation import Analysis, CcgbankExclusions, Scores, compare, count_relations, evaluate, relation_name
from tests.dependencies.notation import derive
from tests.strategies import categories, examples

SEEN = r"[Mary:NP [[saw:(S[dcl]\NP)/NP [the:NP/N man:N]] [with:((S\NP)\(S\NP))/NP telescopes:NP]]]"
OWNED = r"[Mary:NP [saw:(S[dcl]\NP)/NP [[the:NP/N man:N] [with:(NP\NP)/NP telescopes:NP]]]]"
SLEPT = r"[Mary:NP slept:S[dcl]\NP]"


def analysis(text: str, name: str = "1") -> Analysis:
    return Analysis.of_derivation(derive(text), name)


def test_the_gold_itself_is_perfect() -> None:
    gold = [analysis(SEEN, "1"), analysis(SLEPT, "2")]
    scores = evaluate(gold, gold)
    assert (scores.labelled.precision, scores.labelled.recall, scores.labelled.f1) == (1, 1, 1)
    assert (scores.unlabelled.f1, scores.supertag_accuracy, scores.coverage, scores.exact_match) == (1, 1, 1, 1)
    assert scores.intervals["labelled_f1"] == (1, 1)
    assert scores.sentences == 2


def test_a_wrong_attachment_is_counted_by_hand() -> None:
    """Five dependencies each; *with* differs in category, and its two with it."""
    scores = evaluate([analysis(SEEN)], [analysis(OWNED)])
    assert (scores.labelled.matched, scores.labelled.predicted, scores.labelled.gold) == (3, 5, 5)
    assert scores.labelled.f1 == pytest.approx(0.6)
    assert (scores.unlabelled.matched, scores.unlabelled.gold) == (4, 5)  # with-telescopes is the same pair
    assert scores.supertag_accuracy == pytest.approx(5 / 6)
    assert scores.exact_match == 0


def test_a_failed_parse_predicts_nothing_and_its_gold_counts() -> None:
    scores = evaluate([analysis(SEEN, "1"), analysis(SLEPT, "2")], [None, analysis(SLEPT, "2")])
    assert (scores.labelled.matched, scores.labelled.predicted, scores.labelled.gold) == (1, 1, 6)
    assert scores.labelled.precision == 1
    assert scores.coverage == 0.5
    assert scores.exact_match == 0.5
    assert scores.supertag_accuracy == pytest.approx(2 / 8)


def test_nothing_parsed_is_all_zeros_and_no_error() -> None:
    scores = evaluate([analysis(SEEN)], [None])
    assert (scores.labelled.f1, scores.unlabelled.f1, scores.supertag_accuracy, scores.coverage) == (0, 0, 0, 0)


def test_no_sentences_are_no_error() -> None:
    scores = evaluate([], [])
    assert (scores.sentences, scores.coverage, scores.intervals) == (0, 0, {})


def test_nb_and_reach_are_no_differences() -> None:
    gold = analysis(r"[the:NP[nb]/N man:N]")
    found = analysis(r"[the:NP/N man:N]")
    assert evaluate([gold], [found]).labelled.f1 == 1
    assert evaluate([gold], [found]).supertag_accuracy == 1
    near = Analysis("1", ("a", "b"), (Dependency(0, Category.parse("N/N"), 1, 1, Reach.LOCAL),))
    far = Analysis("1", ("a", "b"), (Dependency(0, Category.parse("N/N"), 1, 1, Reach.BOUNDED),))
    assert evaluate([near], [far]).labelled.f1 == 1


def test_without_supertags_there_is_no_accuracy_of_them() -> None:
    gold = Analysis("1", ("a", "b"), (Dependency(0, Category.parse("N/N"), 1, 1),))
    scores = evaluate([gold], [analysis("[a:N/N b:N]")])
    assert scores.supertag_accuracy is None
    assert "supertag_accuracy" not in scores.intervals
    assert scores.labelled.f1 == 1


def test_relations_add_up_to_the_whole_and_have_names() -> None:
    scores = evaluate([analysis(SEEN)], [analysis(OWNED)])
    for part in ("matched", "predicted", "gold"):
        assert sum(getattr(r.tally, part) for r in scores.relations) == getattr(scores.labelled, part)
        assert sum(getattr(t, part) for t in scores.by_name.values()) == getattr(scores.labelled, part)
    assert {"subject", "object", "determiner", "modifier of verb", "postmodifier of noun"} <= scores.by_name.keys()


@pytest.mark.parametrize(
    ("category", "slot", "name"),
    [
        (r"(S[dcl]\NP)/NP", 1, "subject"),
        (r"(S[dcl]\NP)/NP", 2, "object"),
        (r"((S[dcl]\NP)/NP)/NP", 2, "object"),
        (r"((S[dcl]\NP)/NP)/NP", 3, "indirect object"),
        (r"((S[dcl]\NP)/PP)/NP", 2, "prepositional complement"),
        (r"(S[q]/(S[b]\NP))/NP", 2, "subject"),
        (r"(S[q]/(S[b]\NP))/NP", 1, "verbal complement"),
        (r"(S[dcl]\NP)/(S[adj]\NP)", 2, "adjectival complement"),
        (r"(S[dcl]\NP)/S[em]", 2, "clausal complement"),
        (r"(S[dcl]\NP)/PR", 2, "particle"),
        ("NP[nb]/N", 1, "determiner"),
        ("N/N", 1, "modifier of noun"),
        ("N/PP", 1, "complement of noun"),
        (r"(NP\NP)/NP", 1, "postmodifier of noun"),
        (r"(NP\NP)/NP", 2, "object of preposition"),
        (r"((S\NP)\(S\NP))/NP", 2, "modifier of verb"),
        (r"((S\NP)\(S\NP))/NP", 3, "object of preposition"),
        (r"(S\NP)\(S\NP)", 2, "modifier of verb"),
        (r"(S[adj]\NP)/(S[adj]\NP)", 2, "modifier of adjective"),
        (r"(N/N)/(N/N)", 2, "modifier of modifier"),
        (r"(NP\NP)/(S[dcl]\NP)", 2, "relative clause"),
        (r"((S\NP)\(S\NP))/S[dcl]", 3, "clause of subordinator"),
        (r"(NP/N)\NP", 2, "possessor"),
        ("S[wq]/(S[q]/NP)", 1, "clause with a gap"),
        ("S/S", 1, "modifier of sentence"),
        ("N", 1, "no such slot"),
    ],
)
def test_relations_have_the_names_people_use(category: str, slot: int, name: str) -> None:
    assert relation_name(Category.parse(category), slot) == name


@given(categories(8))
@examples(200)
def test_every_slot_of_every_category_has_a_name(category: Category) -> None:
    names = [relation_name(category, slot) for slot in range(1, category.arity + 2)]
    assert names[-1] == "no such slot"
    assert "no such slot" not in names[:-1]


def test_misaligned_lists_are_refused() -> None:
    with pytest.raises(ValueError, match="align them first"):
        evaluate([analysis(SEEN)], [])


# --- CCGbank's exclusions ---

BE_SEEN = r"[John:NP [will:(S[dcl]\NP)/(S[b]\NP) [be:(S[b]\NP)/(S[pss]\NP) seen:S[pss]\NP]]]"
ASKED = r"[what:S[wq]/(S[q]/NP) [[did:(S[q]/(S[b]\NP))/NP Mary:NP] see:(S[b]\NP)/NP]]"


def test_slot_one_of_auxiliaries_is_left_out() -> None:
    scores = evaluate([analysis(BE_SEEN)], [analysis(BE_SEEN)], exclusions=CcgbankExclusions())
    assert scores.excluded == 1
    assert (scores.labelled.predicted, scores.labelled.gold, scores.labelled.f1) == (4, 4, 1)


def test_gold_dependencies_of_a_parg_file_are_all_kept() -> None:
    whole = analysis(BE_SEEN)
    parg = Analysis("1", whole.words, whole.dependencies, from_parg=True)
    scores = evaluate([parg], [whole], exclusions=CcgbankExclusions())
    assert (scores.labelled.predicted, scores.labelled.gold) == (4, 5)


def test_question_words_that_fill_their_own_gap_are_left_out() -> None:
    scores = evaluate([analysis(ASKED)], [analysis(ASKED)], exclusions=CcgbankExclusions())
    assert scores.excluded == 1


def test_a_dependency_of_a_word_on_itself_is_left_out() -> None:
    loop = Analysis("1", ("a", "b"), (Dependency(0, Category.parse("N/N"), 1, 0),), from_parg=True)
    scores = evaluate([loop], [loop], exclusions=CcgbankExclusions())
    assert (scores.excluded, scores.labelled.predicted, scores.labelled.gold) == (1, 0, 1)


def test_relations_rare_in_training_are_left_out_of_the_prediction_only() -> None:
    training = count_relations([analysis(SEEN)] * 9 + [analysis(SLEPT)] * 10)
    scores = evaluate(
        [analysis(SEEN, "1"), analysis(SLEPT, "2")],
        [analysis(SEEN, "1"), analysis(SLEPT, "2")],
        exclusions=CcgbankExclusions(training),
    )
    assert (scores.labelled.predicted, scores.labelled.gold) == (1, 6)


# --- how sure we are ---


def mixed(right: int, wrong: int) -> tuple[list[Analysis], list[Analysis | None]]:
    gold = [analysis(SEEN, str(index)) for index in range(right + wrong)]
    return gold, [*gold[:right], *[analysis(OWNED, str(index)) for index in range(wrong)]]


def test_intervals_hold_the_figure_and_depend_on_the_seed_alone() -> None:
    gold, predicted = mixed(60, 40)
    first, again, other = (evaluate(gold, predicted, seed=seed) for seed in (1, 1, 2))
    assert first.intervals == again.intervals != other.intervals
    low, high = first.intervals["labelled_f1"]
    assert low < first.labelled.f1 < high
    assert evaluate(gold, predicted, resamples=0).intervals == {}


def test_more_sentences_make_narrower_intervals() -> None:
    def width(scores: Scores) -> float:
        low, high = scores.intervals["labelled_f1"]
        return high - low

    few, many = evaluate(*mixed(6, 4)), evaluate(*mixed(600, 400))
    assert width(many) < width(few) / 5


def test_a_prediction_does_not_differ_from_itself() -> None:
    scores = evaluate(*mixed(5, 5))
    for comparison in compare(scores, scores, permutations=100):
        assert (comparison.difference, comparison.p_value) == (0, 1)
        assert not comparison.significant


def test_a_clear_difference_is_significant_and_signed() -> None:
    worse, better = evaluate(*mixed(20, 80)), evaluate(*mixed(90, 10))
    labelled = compare(worse, better, permutations=2000)[0]
    assert labelled.figure == "labelled_f1"
    assert labelled.difference == pytest.approx(better.labelled.f1 - worse.labelled.f1)
    assert labelled.difference > 0
    assert labelled.significant
    back = compare(better, worse, permutations=2000)[0]
    assert back.difference == pytest.approx(-labelled.difference)


def test_one_sentence_more_is_no_significant_difference() -> None:
    assert not compare(evaluate(*mixed(50, 50)), evaluate(*mixed(51, 49)), permutations=2000)[0].significant


@given(st.lists(st.sampled_from(["right", "wrong", "failed"]), min_size=1, max_size=12))
@examples(30)
def test_shares_stay_between_zero_and_one_and_f1_between_precision_and_recall(outcomes: list[str]) -> None:
    gold = [analysis(SEEN, str(index)) for index in range(len(outcomes))]
    kinds: dict[str, Analysis | None] = {"right": analysis(SEEN), "wrong": analysis(OWNED), "failed": None}
    scores = evaluate(gold, [kinds[outcome] for outcome in outcomes], resamples=20)
    for tally in (scores.labelled, scores.unlabelled):
        assert 0 <= min(tally.precision, tally.recall) - 1e-12 <= tally.f1 or tally.f1 == 0
        assert tally.f1 <= max(tally.precision, tally.recall) + 1e-12 <= 1 + 1e-9
    assert scores.unlabelled.f1 >= scores.labelled.f1
    assert 0 <= scores.exact_match <= scores.coverage <= 1
