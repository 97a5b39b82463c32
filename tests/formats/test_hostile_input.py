"""Files that try to cost too much, or to be read wrongly: each is refused or read, quickly and in bounded memory."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import resource
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.derivation import Leaf, Sentence
from starccg.errors import ModelError, StarccgError
from starccg.formats.errors import FormatError, WriteError
from starccg.formats.json import dumps, from_json, read_jsonl, to_json, write_jsonl
from starccg.formats.registry import FORMATS
from starccg.outcome import Parsed
from starccg.outcome_json import outcome_from_json, outcome_to_json
from starccg.parsed_derivation import ParsedDerivation
from starccg.search.options import Decoder
from starccg.search.types import Certificate
from tests.strategies import examples

NOUN = Category.parse("N")
SLEEP = Sentence("1", Leaf(NOUN, "sleep"))
WORDS = st.text(st.characters(exclude_categories=()) | st.sampled_from("\r\n\u2028\ud800\udfff\0\ufeff"), min_size=1)


@given(WORDS)
@examples(300)
def test_json_reads_every_word_that_it_writes(word: str) -> None:
    sentence = Sentence("1", Leaf(NOUN, word))
    (line,) = write_jsonl([sentence])
    assert "\n" not in line and "\r" not in line
    line.encode()  # UTF-8 can hold it
    assert list(read_jsonl([line])) == [sentence]
    assert from_json(json.loads(json.dumps(to_json(sentence)))) == sentence


@pytest.mark.parametrize("word", ["a\nb", "a\r", "\ud800", "\udfff\ud800"])
def test_outcomes_hold_every_word(word: str) -> None:
    certificate = Certificate(True, 0.0, 0.0, 0.0, 0, 0, 0, Decoder.GLOBAL, 0.0)
    outcome = Parsed((word,), (ParsedDerivation.of(Leaf(NOUN, word), certificate),), certificate)
    text = dumps(outcome_to_json(outcome))
    text.encode()
    assert outcome_from_json(json.loads(text)) == outcome


def test_json_reads_annotations_that_are_empty() -> None:
    sentence = Sentence("", Leaf(NOUN, "a", "", "", "", ""))
    assert list(read_jsonl(write_jsonl([sentence]))) == [sentence]
    with pytest.raises(FormatError, match="'word' must be a text that is not empty"):
        list(read_jsonl(write_jsonl([Sentence("1", Leaf(NOUN, ""))])))


@pytest.mark.parametrize(
    "error",
    [
        CategoryError("(", 0, "a bracket is not closed"),
        FormatError("x.auto", 3, 4, "a node is missing"),
        WriteError("1", "a word is missing"),
        ModelError("x is no model"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_back_from_other_processes(error: StarccgError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), back.args, vars(back)) == (type(error), str(error), error.args, vars(error))
    assert copy.copy(error).args == error.args


ESCAPES = "\x1b]0;title\x07\x9b31m"


def test_messages_cannot_control_the_terminal() -> None:
    with pytest.raises(FormatError) as cut:
        list(FORMATS["parg"].read([f'<s id="{ESCAPES}"> 1', "1 0 N/N 1 a b"]))
    with pytest.raises(WriteError) as refused:
        list(FORMATS["candc_xml"].write([Sentence(ESCAPES, SLEEP.derivation)]))
    for error in (cut.value, refused.value, StarccgError(f"one\ntwo {ESCAPES}"), StarccgError("x" * 10**6)):
        assert str(error).isprintable()
        assert len(str(error)) < 1100


def read(form: str, text: str, folder: Path) -> list[FormatError]:
    """What is wrong with a file."""
    path = folder / "file"
    path.write_text(text)
    bad: list[FormatError] = []
    try:
        list(FORMATS[form].read(path, bad))
    except FormatError as error:
        bad.append(error)
    return bad


UNCLOSED = {
    "prolog quote": ("prolog", "ccg(1, t(n, '" + "a" * 4_000_000),
    "prolog escapes": ("prolog", 'ccg(1, t(n, "' + "a\\'" * 1_000_000),
    "prolog brackets": ("prolog", "ccg(1, " + "f(" * 250_000),
    "ptb brackets": ("ptb", "(" * 400_000),
    "ptb labels": ("ptb", "(N " * 100_000),
    "auto": ("auto", "(<T N 0 1> " * 50_000),
    "xml attribute": ("candc_xml", '<candc a="' + "x\n" * 1_000_000),
    "xml comment": ("jigg_xml", "<root><!--" + "x\n" * 1_000_000),
    "json": ("jsonl", '{"tokens": ' + "[" * 200_000),
    "auto words": ("auto", "(<L N X X " + "a " * 1_000_000 + "N"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UNCLOSED)
def test_an_unclosed_file_is_refused_in_time_that_is_linear_in_its_size(name: str, tmp_path: Path) -> None:
    form, text = UNCLOSED[name]
    began = time.process_time()
    bad = read(form, text, tmp_path)
    assert time.process_time() - began < 8.0  # about 1 s each; a quadratic reader takes minutes
    assert bad
    assert all(len(str(error)) < 1000 + len(str(tmp_path)) for error in bad)


WRONG = {
    "json": ("json", "[" + "1," * 200_000 + "1]"),
    "json lines": ("jsonl", "1\n" * 200_000),
    "ptb": ("ptb", ")" * 200_000),
    "parg": ("parg", "<\\s>\n" * 200_000),
    "auto": ("auto", "x\n" * 200_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_file_in_which_everything_is_wrong_is_refused_in_bounded_time_and_memory(name: str, tmp_path: Path) -> None:
    form, text = WRONG[name]
    began = time.process_time()
    bad = read(form, text, tmp_path)
    assert time.process_time() - began < 8.0
    assert len(bad) == 100_001 and "there are 100,000 errors before this one" in str(bad[-1])
    if form == "json":
        assert (bad[-1].line, bad[-1].column) == (1, 200_002)


def test_a_dependency_file_names_no_sentence_of_a_million_words(tmp_path: Path) -> None:
    (error,) = read("parg", '<s id="1"> 999999\n<\\s>\n', tmp_path)
    assert 'expected <s id="NAME"> and the index of the last word' in str(error)
    assert read("parg", '<s id="1"> 9999\n<\\s>\n', tmp_path) == []


@pytest.mark.parametrize("name", ["prolog quote", "prolog escapes"])
def test_an_unclosed_quotation_costs_little_memory(name: str) -> None:
    form, text = UNCLOSED[name]
    bad: list[FormatError] = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    list(FORMATS[form].read([text], bad))
    assert "is not closed" in str(bad[0])
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < 20 * len(text)


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.reader])
def test_messages_do_not_repeat_a_megabyte(form: str, tmp_path: Path) -> None:
    for text in ("(" + "x" * 1_000_000, "x" * 1_000_000, "<" + "x" * 1_000_000 + ">", '{"' + "x" * 1_000_000 + '": 1}'):
        assert all(len(str(error)) < 1000 + len(str(tmp_path)) for error in read(form, text, tmp_path))


@pytest.mark.parametrize("form", ["auto", "conllu", "jsonl", "candc_xml"])
def test_a_gzip_file_that_is_made_to_fill_the_memory_is_refused(form: str, tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    with gzip.open(path, "wb", 1) as file:
        for _ in range(100):
            file.write(b"(" * 1_000_000)
    with pytest.raises(StarccgError, match="cannot be read: it is unpacked to more than 100 times its size"):
        list(FORMATS[form].read(path))


def test_a_large_gzip_file_of_text_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starccg.files.UNPACKED_BYTES", 1000)
    line = dumps(to_json(Sentence("1", Leaf(NOUN, "a")))) + "\n"
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress((line * 50).encode(), 0))
    assert len(list(FORMATS["jsonl"].read(path))) == 50


@pytest.mark.parametrize("form", ["prolog", "parg", "latex", "dot"])
@pytest.mark.parametrize("end", ["\n", "\r", "\v", "\x85", "\u2028"])
def test_an_outcome_cannot_end_its_comment_and_go_on_as_code(form: str, end: str) -> None:
    (sentence,) = read_jsonl([dumps({**to_json(SLEEP), "fields": [["OUTCOME", f"x{end}:- shell(ls)."]]})])
    assert isinstance(sentence, Sentence)
    with pytest.raises(WriteError, match="a comment cannot contain the spaces of the outcome"):
        list(FORMATS[form].write([sentence]))


@pytest.mark.parametrize("depth", [300, 1000, 50_000])
def test_penn_trees_that_would_exhaust_the_stack_are_refused(depth: int, tmp_path: Path) -> None:
    text = "(S " * depth + "(NN a)" + ")" * depth + "\n( (NN a) )\n"
    (error,) = read("penn", text, tmp_path)
    assert "levels deep; at most 200 are read" in str(error)
    assert read("penn", "(S " * 150 + "(NN a)" + ")" * 150, tmp_path) == []


def test_penn_trees_of_very_many_brackets_are_refused(tmp_path: Path) -> None:
    text = "(S " + "(-LRB- -LRB-) " * 10_000 + "(-RRB- -RRB-) " * 10_000 + ")"
    (error,) = read("penn", text, tmp_path)
    assert "tokens; at most 20,000 are read" in str(error)


def test_an_empty_file_is_named_in_its_error(tmp_path: Path) -> None:
    for form in ("candc_xml", "jigg_xml", "json"):
        (error,) = read(form, "", tmp_path)
        assert str(tmp_path) in str(error)


JIGG = """<root><document><sentences><sentence id="s0"><tokens>
<token id="{first}" surf="It" pos="X"/><token id="t1" surf="works" pos="X"/></tokens>
<ccg root="a"><span id="a" category="S[dcl=true]" child="b c"/><span id="b" category="NP" terminal="t0"/>
<span id="{span}" category="S[dcl=true]\\NP" terminal="t1"/></ccg></sentence></sentences></document></root>"""


def test_jigg_refuses_two_things_with_one_id(tmp_path: Path) -> None:
    for first, span, reason in (("t1", "c", "two tokens have the id 't1'"), ("t0", "b", "two spans have the id 'b'")):
        (error,) = read("jigg_xml", JIGG.format(first=first, span=span), tmp_path)
        assert reason in str(error)
    assert read("jigg_xml", JIGG.format(first="t0", span="c"), tmp_path) == []


ROWS = [
    "# text = It does n't work",
    "1\tIt\tit\tPRON\tPRP\t_\t4\tnsubj\t_\t_",
    "2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_",
    "2\tdoes\tdo\tAUX\tVBZ\t_\t4\taux\t_\t_",
    "3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_",
    "4\twork\twork\tVERB\tVB\t_\t0\troot\t_\t_",
]


def test_conllu_that_was_cut_off_is_no_shorter_sentence(tmp_path: Path) -> None:
    assert read("conllu", "\n".join([*ROWS, "", ""]), tmp_path) == []
    cut = [ROWS[0], "1\tIt\tit\tPRON\tPRP\t_\t0\troot\t_\t_"]
    (error,) = read("conllu", "\n".join([*cut, ""]), tmp_path)
    assert "the sentence ends before its text: the file may be cut off" in str(error)


def test_conllu_refuses_numbers_of_any_length(tmp_path: Path) -> None:
    huge = ROWS[1].replace("\t4\t", f"\t{'4' * 5000}\t")
    (error,) = read("conllu", "\n".join([huge, *ROWS[2:], ""]), tmp_path)
    assert "is not a word of this sentence" in str(error)
    assert len(str(error)) < 300 + len(str(tmp_path))
