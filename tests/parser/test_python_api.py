"""The Python API: what may be given, what comes back, and that no sentence raises an exception."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import starccg
from starccg.errors import StarccgError
from starccg.model_folder.find import VARIABLE, available, find
from starccg.outcome import BackedOff, Failed, Parsed
from starccg.parser import Parser
from starccg.search.options import Bound, Decoder, Limits, Options
from starccg.search.types import Certificate
from starccg.stop_reasons import MAX_WORDS, NO_DERIVATION, stop_reason
from tests.parser.english import SENTENCES, parsed, parser
from tests.strategies import examples

MODEL = Path(starccg.__file__).parent / "pretrained" / "en"


def quick(seconds: float = 1.0) -> starccg.Options:
    return replace(parser().options, limits=Limits(seconds=seconds))


# --- what may be given ---


def test_keywords_say_the_same_as_options() -> None:
    short = parsed("Fruit flies like bananas.", nbest=5, decoder="supertag")
    long = parsed("Fruit flies like bananas.", options=Options(decoder=Decoder.SUPERTAG, nbest=5))
    assert list(short) == list(long)
    assert len(short) == 5
    assert short.certificate.decoder is Decoder.SUPERTAG


@pytest.mark.parametrize("decoder", list(Decoder))
def test_options_of_a_decoder_mean_what_the_keyword_means(decoder: Decoder) -> None:
    """Answers, costs, limits and bound: ``parse(decoder=X)`` and ``Options(decoder=X)`` differ in nothing."""
    keyword = parser().parse(SENTENCES, decoder=decoder, nbest=3)
    named = Options(decoder=decoder.value, nbest=3)  # type: ignore[arg-type]
    assert named == Options(decoder=decoder, nbest=3)
    options = parser().parse(SENTENCES, options=named)
    for one, other in zip(keyword, options, strict=True):
        assert type(one) is type(other) and one.parses == other.parses
        assert [untimed(parse.certificate) for parse in one.parses] == [
            untimed(each.certificate) for each in other.parses
        ]
    resolved = Options(decoder=decoder).resolved()
    assert resolved.limits == Limits() and resolved.limits.seconds == 60
    by_tags = not decoder.needs_model
    assert (resolved.unary_cost, resolved.distance_cost) == ((0.1, 1e-5) if by_tags else (0, 0))
    assert resolved.bound is (Bound.GRAMMAR if decoder is Decoder.GLOBAL else Bound.TAGS)


def untimed(certificate: Certificate) -> Certificate:
    return replace(certificate, seconds=0.0)


def test_keywords_keep_what_the_options_say_of_the_rest() -> None:
    outcome = parser().parse(SENTENCES[1], nbest=2, options=replace(parser().options, limits=Limits(forest=3)))
    assert isinstance(outcome, BackedOff)


@pytest.mark.parametrize("decoder", ["magic", "", "GLOBAL"])
def test_an_unknown_decoder_is_refused_with_those_there_are(decoder: str) -> None:
    refusals = [
        lambda: parser().parse("It works.", decoder=decoder),
        lambda: parser().parse("It works.", options=Options(decoder=decoder)),  # type: ignore[arg-type]
        lambda: Decoder(decoder),
    ]
    for refused in refusals:
        with pytest.raises(StarccgError, match=r"^unknown decoder .*; choose one of supertag, .*global, beam, rerank$"):
            refused()


def test_fewer_than_one_parse_or_sentence_at_a_time_is_refused() -> None:
    with pytest.raises(TypeError, match="nbest must be a whole number, not '2'"):
        parser().parse("It works.", nbest="2")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="nbest must be at least 1, not 0"):
        parser().parse("It works.", nbest=0)
    with pytest.raises(ValueError, match="batch_size must be at least 1, not 0"):
        parser().pipe(["It works."], batch_size=0)


@pytest.mark.parametrize("thing", [5, None, b"It works.", {"text": "It works."}, 0.5, object()])
def test_what_cannot_be_a_sentence_is_the_callers_mistake(thing: Any) -> None:
    with pytest.raises(TypeError, match="parse takes a text, or a list"):
        parser().parse(thing)


def test_a_text_is_no_list_of_words_and_a_list_of_words_is_no_text() -> None:
    with pytest.raises(TypeError, match="parse_words takes a list of words"):
        parser().parse_words("It works .")
    with pytest.raises(TypeError, match="parse_text takes a string, not list"):
        parser().parse_text(["It works."])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="use parse or parse_text for a single text"):
        parser().pipe("It works.")


def test_a_string_is_one_sentence_and_parse_text_parts_it() -> None:
    text = "It works. Does it? Yes, Dr. Smith said so."
    assert parsed(text).words[-1] == "."
    assert [len(outcome.words) for outcome in parser().parse_text(text)] == [3, 3, 7]
    assert parser().parse_text("  \n ") == []
    assert [sentence.words for sentence in starccg.sentences(text)] == [
        list(outcome.words) for outcome in parser().parse_text(text)
    ]


def test_words_are_taken_as_they_are() -> None:
    words = ["Don't", "panic", "."]
    outcome = parser().parse_words(words)
    assert list(outcome.words) == words
    assert list(outcome) == list(parser().parse([words])[0])


def test_a_stream_is_read_only_as_far_as_the_outcomes_are() -> None:
    read = 0

    def stream() -> Any:
        nonlocal read
        while True:
            read += 1
            yield "It works."

    outcomes = parser().pipe(stream(), batch_size=4)
    assert read == 0
    assert isinstance(next(outcomes), Parsed)
    assert read == 4


def test_a_batch_that_a_caller_waits_for_is_answered_before_the_next_is_read() -> None:
    read = 0

    def batches() -> Any:
        nonlocal read
        for size in (1, 2, 4, 4, 4, 4, 4, 3):
            read += 1
            yield ["It works."] * size

    outcomes = starccg.load(threads=2).pipe_batches(batches(), ahead_from=4)
    assert [(len(next(outcomes)), read) for _ in range(2)] == [(1, 1), (2, 2)]
    assert (len(next(outcomes)), read) == (4, 6)  # twice as many batches as threads
    assert [len(batch) for batch in outcomes] == [4, 4, 4, 4, 3]


def test_anything_in_a_list_has_an_outcome_in_its_place() -> None:
    things: list[Any] = ["It works.", 5, None, b"x", ["a", 3], ["a", ""], [], {"a": 1}, ("It", "works"), float("nan")]
    outcomes = list(parser().pipe(things, batch_size=3))
    assert [bool(outcome) for outcome in outcomes] == [True] + [False] * 7 + [True, False]
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, Failed)]
    assert reasons[:4] == [
        "a sentence is a text or a list of words, not int: 5",
        "a sentence is a text or a list of words, not None",
        "a sentence is a text or a list of words, not bytes: b'x'",
        "word 2 is not a text but int: 3",
    ]


# --- no sentence raises an exception ---

SIGNS = st.one_of(st.characters(), st.sampled_from("\0\ud800\udfff\u202e\u200d\ufeff\U0010ffff  \t\n.,'\"()"))


@given(st.lists(st.one_of(st.text(SIGNS, max_size=30), st.lists(st.text(SIGNS, max_size=6), max_size=6)), max_size=4))
@examples(40)
def test_any_list_of_texts_and_words_has_as_many_outcomes_that_can_be_shown(texts: Any) -> None:
    outcomes = parser().parse(texts, options=quick())
    assert len(outcomes) == len(texts)
    for outcome in outcomes:
        assert isinstance(outcome, Parsed | Failed)
        assert repr(outcome) and str(outcome) and outcome._repr_html_()
        for parse in outcome:
            assert all(parse.to(name) for name in ("deriv", "svg", "html", "latex", "dot"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        " " * 10_000,
        "x" * 100_000,
        "\0" * 300,
        "\ud800" * 40,
        "the " * 3000,
        "( " * 400,
        "a" * 500 + " works .",
        "\u202e" * 50,
    ],
    ids=["blanks", "long", "NUL", "surrogates", "words", "brackets", "tail", "bidi"],
)
def test_huge_and_hostile_texts_have_an_outcome(text: str) -> None:
    outcome = parser().parse(text, options=quick(0.2))
    assert isinstance(outcome, Parsed | Failed)
    assert len(repr(outcome)) < 600


def test_a_sentence_that_breaks_the_search_does_not_spoil_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    analyse = Parser.analyse

    def fragile(self: Parser, sentences: Any, decoder: Decoder, **beam: Any) -> Any:
        if any("bomb" in words for words in sentences):
            raise MemoryError("no room")
        return analyse(self, sentences, decoder, **beam)

    monkeypatch.setattr(Parser, "analyse", fragile)
    outcomes = parser().parse(["It works.", "a bomb", "It works."])
    assert [type(outcome) for outcome in outcomes] == [Parsed, Failed, Parsed]
    assert isinstance(outcomes[1], Failed)
    assert outcomes[1].reason == "parsing failed: MemoryError: no room"


# --- reasons ---


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(words=5), "the sentence has 8 words, and the limit is 5"),
        (Limits(forest=3), "the forest reached its limit of 3 subtrees"),
        (Limits(agenda=20), "the agenda reached its limit of 20 items"),
        (Limits(recursive_units=3), "the search reached its limit of 3 recursive units"),
        (Limits(recursive_units=1), "the search reached its limit of 1 recursive unit"),
    ],
)
def test_a_back_off_says_which_limit_and_how_much_it_was(limits: Limits, reason: str) -> None:
    outcome = parser().parse(SENTENCES[1], options=replace(parser().options, limits=limits))
    assert isinstance(outcome, BackedOff)
    assert outcome.reason == reason
    assert reason in repr(outcome) and reason in str(outcome) and reason in outcome._repr_html_()


@pytest.mark.slow
def test_a_long_sentence_is_backed_off_with_the_limit_and_its_number() -> None:
    outcome = parser().parse("I think that " * 90 + "it works.")
    assert isinstance(outcome, BackedOff)
    assert outcome.reason == "the sentence has 273 words, and the limit is 250"


def proof(stopped: Any, upper_bound: float) -> Certificate:
    return Certificate(False, float("-inf"), upper_bound, 0.0, 1, 1, 1, Decoder.GLOBAL, 0.1, stopped)


def test_a_failure_after_a_back_off_has_the_true_reason() -> None:
    options = parser().options
    assert stop_reason(proof("words", float("-inf")), 300, options, parsed=False) == NO_DERIVATION
    assert stop_reason(proof("exhausted", float("-inf")), 3, options, parsed=False) == NO_DERIVATION
    assert stop_reason(proof("words", -3.0), 300, options, parsed=False) == (
        "the sentence has 300 words, and the limit is 250; "
        "the back-off found no parse within its limits of time and memory"
    )
    assert stop_reason(proof("words", -3.0), MAX_WORDS + 1, options, parsed=False) == (
        "the sentence has 4,096 words, and the limit is 4,095"
    )
    alone = replace(options, backoff=False)
    assert (
        stop_reason(proof("agenda", -3.0), 9, alone, parsed=False) == "the agenda reached its limit of 2,000,000 items"
    )
    assert stop_reason(proof("interrupted", -3.0), 9, options, parsed=False) == "the search was interrupted"
    assert stop_reason(proof("", -3.0), 9, options, parsed=True) == ""


def test_a_long_sentence_without_a_derivation_is_not_said_to_be_too_long() -> None:
    options = replace(parser().options, limits=Limits(words=1))
    tagger = parser().tagger
    alone = Parser(tagger, replace(parser().grammar, roots=frozenset()), parser().global_model)
    outcome = alone.parse("It works.", options=options)
    assert isinstance(outcome, Failed)
    assert outcome.reason == NO_DERIVATION


# --- threads, models, network, types ---


def test_threads_may_share_a_parser() -> None:
    texts = SENTENCES * 8
    alone = [parsed(text).best for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: parsed(text).best, texts))
    assert together == alone


def test_a_model_of_ones_own_is_loaded_by_its_folder_or_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    shutil.copytree(MODEL, tmp_path / "models" / "mine")
    assert starccg.load(tmp_path / "models" / "mine").name == "mine"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "models"))
    assert set(available()) >= {"mine", "en"}
    assert isinstance(starccg.load("mine").parse("It works."), Parsed)
    (tmp_path / "models" / "mine").rename(tmp_path / "models" / "en")
    assert find("en") == tmp_path / "models" / "en"


def test_a_folder_that_happens_to_be_called_as_a_model_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find("en") == MODEL
    assert find("./en") == Path("en")


def test_a_folder_that_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(StarccgError, match=str(tmp_path)):
        starccg.load(tmp_path)


OFFLINE = """
import sys
def forbid(event, arguments):
    if event.startswith("socket.") and event != "socket.gethostname":
        raise AssertionError(f"{event}{arguments}")
sys.addaudithook(forbid)
import starccg
parser = starccg.load(threads=2)
for outcome in parser.pipe(["It works.", "Fruit flies like bananas."], nbest=2):
    for name in ("auto", "svg", "html", "latex"):
        outcome.best.to(name)
print("offline")
"""


@pytest.mark.slow
def test_nothing_asks_for_the_network() -> None:
    done = subprocess.run([sys.executable, "-c", OFFLINE], capture_output=True, text=True, check=False)
    assert done.stdout == "offline\n", done.stderr


TYPED = """
import starccg
from starccg import BackedOff, Failed, Parsed
parser = starccg.load()
outcome = parser.parse("It works.")
if outcome:
    print(outcome.best.category, outcome.best.dependencies[0].slot)
else:
    print(outcome.reason)
if isinstance(outcome, Failed):
    raise SystemExit(outcome.reason)
reveal_type(outcome.best)
reveal_type(parser.parse(["It works."]))
reveal_type(parser.parse([["It", "works"]]))
words: list[list[str]] = [["It", "works"]]
parser.parse(words, nbest=2, decoder="supertag")
outcome.why
"""


@pytest.mark.slow
def test_the_types_are_known_to_those_who_use_them(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    assert (Path(starccg.__file__).parent / "py.typed").exists()
    (tmp_path / "use.py").write_text(TYPED)
    said, _, _ = api.run(
        ["--strict", "--config-file=", "--follow-imports=silent", "--ignore-missing-imports", str(tmp_path / "use.py")]
    )
    notes = [line.partition(" note: ")[2] for line in said.splitlines() if " note: Revealed" in line]
    assert notes == [
        'Revealed type is "starccg.parsed_derivation.ParsedDerivation"',
        *['Revealed type is "list[starccg.outcome.Parsed | starccg.outcome.BackedOff | starccg.outcome.Failed]"'] * 2,
    ]
    assert [line.partition(" error: ")[2] for line in said.splitlines() if " error: " in line] == [
        '"Parsed" has no attribute "why"  [attr-defined]'
    ]


def test_a_parser_pickles_by_loading_its_folder_again() -> None:
    own = starccg.load()
    own.options = replace(own.options, nbest=2)
    again = pickle.loads(pickle.dumps(own))
    text = "Fruit flies like bananas."
    assert list(again.parse(text)) == list(own.parse(text)) and len(again.parse(text)) == 2
    made = Parser(own.tagger, own.grammar)
    with pytest.raises(TypeError, match="was not loaded from a model folder"):
        pickle.dumps(made)


def test_a_stream_reports_its_progress() -> None:
    done: list[int] = []
    assert len(list(parser().pipe(["It works."] * 5, batch_size=2, progress=done.append))) == 5
    assert done == [2, 2, 1]


def test_an_unknown_keyword_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="unknown keyword argument 'best'; the keyword arguments are nbest"):
        parser().parse("It works.", best=3)  # type: ignore[call-overload]
