"""What the parser gives back: pleasant to hold, to print, to match, to show in a notebook and to send elsewhere."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

import starccg
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.errors import StarccgError
from starccg.formats.registry import FORMATS
from starccg.outcome import BackedOff, Failed, Parsed
from starccg.search.options import Limits
from tests.parser.english import SENTENCES, parsed, parser


def test_an_outcome_is_true_if_there_is_a_parse_and_can_be_iterated_over() -> None:
    good, bad = parser().parse(["It works.", ""])
    assert good and not bad
    assert len(good) == len(list(good)) == 1
    assert len(bad) == len(list(bad)) == len(bad.parses) == 0


def test_outcomes_match_as_what_they_are() -> None:
    def kind(outcome: starccg.ParseOutcome) -> str:
        match outcome:
            case BackedOff(reason=why):
                return why
            case Parsed(parses=(best, *_)):
                match best:
                    case Binary(category, (Leaf(_, word), Derivation())):
                        return f"{word}: {category}"
            case Failed(reason=why):
                return why
        return "something else"

    limited = parser().parse(SENTENCES[1], options=replace(parser().options, limits=Limits(words=5)))
    outcomes = [*parser().parse(["It works", ""]), limited]
    assert [kind(outcome) for outcome in outcomes] == [
        "It: S[dcl]",
        "there are no words",
        "the sentence has 8 words, and the limit is 5",
    ]


def test_names_are_short_and_strings_are_drawings() -> None:
    outcome = parsed("It works.")
    assert repr(outcome).startswith("Parsed('It works .', S[dcl], score -")
    assert repr(outcome).endswith(", proved best over all tags)")
    assert repr(outcome.best).startswith("ParsedDerivation(S[dcl], 'It works .', score -")
    assert repr(outcome.best.children[0]) == "Binary(S[dcl], 'It works')"
    assert repr(parser()) == "Parser('en', decoder='global', threads=1)"
    assert str(outcome.best) == outcome.best.draw() == starccg.draw(outcome.best)
    assert str(outcome) == f"{outcome.best.draw()}\n{outcome.best.proof}"
    assert repr(parser().parse("")) == "Failed('', there are no words)"
    assert str(parser().parse("")) == "no parse of '': there are no words"


def test_a_parse_holds_all_there_is_to_know_of_it() -> None:
    best = parsed("The report that she wrote surprised everyone.").best
    assert best.words == ["The", "report", "that", "she", "wrote", "surprised", "everyone", "."]
    assert len(best) == len(best.supertags) == len(list(best.leaves())) == 8
    assert best.dependencies == starccg.extract(best)
    assert list(best) == list(best.postorder())
    assert best.certificate.optimal and best.score == best.certificate.score
    assert best.rank == 1


@pytest.mark.parametrize("text", ["Rain", "It works", "It works."])
def test_a_parse_is_a_derivation(text: str) -> None:
    best = parsed(text).best
    assert isinstance(best, Derivation)
    auto = FORMATS["auto"]
    (again,) = [sentence.derivation for sentence in auto.read(auto.write([starccg.Sentence("1", best)]))]
    assert again == best and hash(again) == hash(best)
    assert not isinstance(again, starccg.ParsedDerivation)
    copied = pickle.loads(pickle.dumps(best))
    assert (copied, copied.certificate, copied.rank) == (best, best.certificate, best.rank)


def test_changing_a_parse_keeps_its_certificate() -> None:
    best = parsed("It works.").best
    assert isinstance(best, Binary)
    other = replace(best, head=1 - best.head)
    assert other != best
    assert isinstance(other, starccg.ParsedDerivation) and other.certificate is best.certificate


def test_words_know_their_place_in_the_text() -> None:
    text = "It rains.  Don't go out!"
    for outcome in [*parser().parse_text(text), parser().parse(text)]:
        assert outcome.offsets is not None
        assert [text[start:end] for start, end in outcome.offsets] == list(outcome.words)
    (sentence, _) = starccg.sentences(text)
    assert list(parser().parse(sentence)) == list(parser().parse_text(text)[0])
    assert parser().parse_words(["It", "rains"]).offsets is None
    assert parser().parse("").offsets == ()


def test_a_list_that_a_limit_cut_short_is_no_back_off() -> None:
    options = replace(parser().options, nbest=2000, limits=Limits(agenda=300))
    outcome = parser().parse("Time flies like an arrow in the old garden.", options=options)
    assert type(outcome) is Parsed
    assert outcome.nbest == 2000 and 0 < outcome.proved == len(outcome.parses) < 2000
    assert outcome.reason == "the agenda reached its limit of 300 items"
    assert outcome.remark == f"{outcome.proved} of 2000 parses: {outcome.reason}"
    assert str(outcome).endswith(outcome.remark) and outcome.remark in outcome._repr_html_()
    assert all(parse.certificate.decoder == "global" for parse in outcome)


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.writer])
def test_a_parse_is_written_in_every_format(name: str) -> None:
    best = parsed(SENTENCES[0]).best
    assert "flies" in best.to(name)


def test_a_format_has_its_options_and_an_unknown_one_is_told() -> None:
    best = parsed(SENTENCES[0]).best
    assert "[1] =" in best.to("deriv", width=20)
    with pytest.raises(StarccgError, match="unknown format 'word'; the formats are auto"):
        best.to("word")


def test_notebooks_show_pictures() -> None:
    outcome = parsed("Fruit flies like bananas.", nbest=2)
    page = outcome._repr_html_()
    assert page.count("<svg") == 2
    assert page.count("<figcaption>score -") == 2
    assert outcome.best._repr_svg_().startswith("<svg")
    assert outcome.best._repr_html_().count("<svg") == 1
    assert parser().parse("")._repr_html_() == '<p role="note">No parse of &#x27;&#x27;: there are no words</p>'


def deep(words: int) -> Derivation:
    category = starccg.Category.parse
    tree: Derivation = Leaf(category("N"), "old")
    for _ in range(words - 1):
        tree = Unary(category("N"), Binary(category("N"), Leaf(category("N/N"), "very"), tree, head=1))
    return tree


def test_comparing_hashing_and_pickling_do_not_exhaust_the_stack() -> None:
    one, other, shorter = deep(3000), deep(3000), deep(2999)
    assert one == other and hash(one) == hash(other)
    assert one not in (shorter, "old")
    assert pickle.loads(pickle.dumps(one)) == one
    assert repr(one).endswith("…')")


def test_derivations_differ_if_anything_in_them_does() -> None:
    noun, category = starccg.Category.parse("N"), starccg.Category.parse("S")
    leaves = [
        Leaf(noun, "a"),
        Leaf(category, "a"),
        Leaf(noun, "b"),
        Leaf(noun, "a", "NN"),
        Leaf(noun, "a", indexed="N_1"),
    ]
    rule = starccg.Rule.TYPE_CHANGE
    trees: list[Derivation] = [*leaves, Unary(noun, leaves[0]), Unary(noun, leaves[0], rule), Unary(noun, leaves[2])]
    trees += [
        Binary(noun, leaves[0], leaves[2]),
        Binary(noun, leaves[0], leaves[2], head=1),
        Binary(noun, leaves[2], leaves[0]),
    ]
    assert len(set(trees)) == len(trees)
    assert all(pickle.loads(pickle.dumps(tree)) == tree for tree in trees)


def test_outcomes_travel_between_processes() -> None:
    outcomes = parser().parse(["It works.", ""])
    again = pickle.loads(pickle.dumps(outcomes))
    assert again == outcomes
