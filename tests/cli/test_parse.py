"""``starccg parse``: what goes in, what comes out, in which order, and when."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import starccg
from starccg.cli import app
from starccg.cli.interrupts import raise_if_interrupted, remember_interrupts
from starccg.cli.parse import WRITTEN
from starccg.cli.reading import batches
from starccg.cli.root import BACKED_OFF, BROKEN_PIPE, INTERRUPTED, NO_PARSE, TERMINATED
from starccg.formats.registry import FORMATS
from tests.cli.conftest import ENVIRONMENT, PROGRAM, on_terminal, shell

LINES = "It works.\n\nTime flies.\n"


def parse(*arguments: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(app, ["parse", *map(str, arguments)], input=stdin)


def words(result: Result) -> list[list[str]]:
    return [json.loads(line)["words"] for line in result.stdout.splitlines()]


# ---- what goes in ----


def test_arguments_files_and_standard_input_are_read_in_order(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("It works. Time\nflies.\n\nNo full stop here\n\nand none here")
    second.write_text("\ufeffHe left.\r\n")
    found = parse("-f", "jsonl", "-i", first, "-i", "-", "-i", second, stdin="She stayed.")
    assert words(found) == [
        ["It", "works", "."],
        ["Time", "flies", "."],
        ["No", "full", "stop", "here"],
        ["and", "none", "here"],
        ["She", "stayed", "."],
        ["He", "left", "."],
    ]
    assert [json.loads(line)["id"] for line in found.stdout.splitlines()] == ["1", "2", "3", "4", "5", "6"]
    assert words(parse("-f", "jsonl", "It works. He left.", "She stayed."))[1:] == [
        ["He", "left", "."],
        ["She", "stayed", "."],
    ]
    assert words(parse("-f", "jsonl", "-", stdin="He left.")) == [["He", "left", "."]]


def test_a_line_is_a_sentence_on_request() -> None:
    text = "It works. Really\n\nMr. Smith doesn't .\n"
    plain = [["It", "works", ".", "Really"], [], ["Mr.", "Smith", "does", "n't", "."]]
    assert words(parse("--lines", "-f", "jsonl", stdin=text)) == plain
    split = [["It", "works.", "Really"], [], ["Mr.", "Smith", "doesn't", "."]]
    assert words(parse("--tokenized", "-f", "jsonl", stdin=text)) == split
    assert words(parse("--tokenized", "-f", "jsonl", text.rstrip())) == split


def test_text_that_names_a_file_is_parsed_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("It works.")
    assert f"to parse the file of that name, use -i {path}" in parse(path).stderr
    assert "to parse the file of that name, use -i missing.txt" in parse("missing.txt").stderr


def test_a_treebank_that_is_parsed_as_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "parses.auto"
    path.write_text("It works.")
    said = f"warning: {path} is parsed as text, not read as auto; starccg convert {path} draws its derivations\n"
    assert said in parse("-i", path).stderr
    (tmp_path / "text.txt").write_text("It works.")
    assert "warning" not in parse("-i", tmp_path / "text.txt").stderr


def test_batches_grow_so_that_the_first_answer_comes_first() -> None:
    events: list[str] = []
    stream = ([str(number)] for number in range(20))
    sizes = [len(batch) for batch in batches(stream, 8, lambda: events.append("more"))]
    assert sizes == [1, 2, 4, 8, 5]
    assert len(events) == len(sizes) + 1
    assert list(batches([], 8, lambda: None)) == []


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["--lines", "--tokenized"])
def test_a_pipe_is_answered_while_it_is_still_open(flag: str) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "parse", flag, "-f", "parg", "--batch-size", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
        text=True,
        bufsize=1,
    )
    assert process.stdin is not None and process.stdout is not None
    for number in (1, 2, 3):
        process.stdin.write("It works .\n" if number != 2 else "\n")  # a failure is an answer too
        process.stdin.flush()
        assert process.stdout.readline() == f'<s id="{number}"> {2 if number != 2 else 0}\n'
        while process.stdout.readline() != "<\\s>\n":
            pass
    process.stdin.close()
    assert process.stdout.read() == ""
    assert process.wait(30) == 0
    process.stdout.close()


# ---- what comes out ----


def test_every_format_that_can_be_written_is_offered() -> None:
    assert set(WRITTEN) == {name for name, form in FORMATS.items() if form.writer}


@pytest.mark.parametrize("form", [name for name in WRITTEN if FORMATS[name].reader])
def test_what_is_written_can_be_read_again(form: str, tmp_path: Path) -> None:
    done = parse("--lines", "-f", form, "-o", tmp_path / "parses", stdin=LINES)
    assert done.exit_code == 0
    assert done.stdout == ""
    found = list(FORMATS[form].read(str(tmp_path / "parses")))
    names = [sentence.id for sentence in found]
    if form == "ptb":  # it has no names
        assert len(names) == 2
    else:
        assert names == (["1", "2", "3"] if form == "parg" else ["1", "3"])


@pytest.mark.parametrize("form", ["candc_xml", "jigg_xml", "svg"])
def test_many_sentences_make_one_document(form: str) -> None:
    root = xml.etree.ElementTree.fromstring(parse("--lines", "-f", form, "-n", "2", stdin=LINES).stdout.encode())
    assert "works" in "".join(root.itertext()) or any("works" in node.attrib.values() for node in root.iter())


@pytest.mark.parametrize(("form", "opens"), [("html", "<html"), ("latex", r"\begin{document}"), ("prolog", ":- multi")])
def test_a_document_has_one_head(form: str, opens: str) -> None:
    assert parse("--lines", "-f", form, stdin=LINES).stdout.count(opens) == 1


@pytest.mark.parametrize(
    ("form", "place"),
    [
        ("auto", "ID=2 PARSER=starccg NUMPARSE=0\n"),
        ("auto_extended", "ID=2 PARSER=starccg NUMPARSE=0\n"),
        ("parg", '<s id="2"> 0\n<\\s>\n'),
        ("conll", "# ID=2\n\n"),
        ("jsonl", '"reason": "there are no words", "certificate": null, "confidence": null, "parses": []'),
    ],
)
def test_a_sentence_without_a_parse_keeps_its_place(form: str, place: str) -> None:
    done = parse("--lines", "-f", form, stdin=LINES)
    assert done.exit_code == 0
    before, _, after = done.stdout.partition(place)
    assert "works" in before and "flies" in after
    assert done.stderr.splitlines()[-1].startswith("3 sentences: 2 proved, 0 backed off, 1 failed; ")
    assert ("sentence 2: no parse: there are no words" in done.stderr) == (form != "jsonl")


def test_the_line_for_a_long_sentence_without_a_parse_is_shortened() -> None:
    said = parse("--tokenized", "-f", "auto", "--max-seconds", "0.001", stdin="( " * 600).stderr.splitlines()
    assert said[0].startswith("sentence 1: no parse: the sentence has 600 words, and the limit is 250; ")
    assert said[0].endswith(": " + "( " * 100 + " ... " + " (" * 100)


def test_a_missing_parse_is_an_exit_code_only_on_request() -> None:
    assert parse("--lines", stdin=LINES).exit_code == 0
    assert parse("--lines", "--strict", stdin=LINES).exit_code == NO_PARSE
    assert parse("--lines", "--strict", "It works.").exit_code == 0


def test_the_extension_of_the_file_decides_the_format(tmp_path: Path) -> None:
    for name, begins in (("a.auto", "ID=1"), ("a.parg", "<s id"), ("a.svg", "<svg"), ("a.txt", "It ")):
        parse("-o", tmp_path / name, "It works.")
        assert (tmp_path / name).read_text().startswith(begins)
    parse("-o", tmp_path / "a.auto", "-f", "parg", "It works.")
    assert (tmp_path / "a.auto").read_text().startswith("<s id")


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path, bad = tmp_path / "out.auto", tmp_path / "in.txt"
    path.write_text("before")
    bad.write_bytes(b"It works.\n\nIt w\xe9rks.\n")
    assert parse("-i", bad, "-o", path).exit_code == 1
    assert path.read_text() == "before"
    assert {entry.name for entry in tmp_path.iterdir()} == {path.name, f"{path.name}.partial", bad.name}


def test_the_best_parses_come_in_order_each_with_its_rank() -> None:
    drawn = parse("Fruit flies like bananas.", "-n", "2").stdout
    assert drawn.index("proved best") < drawn.index("proved number 2")
    named = parse("Fruit flies like bananas.", "-n", "2", "-f", "auto").stdout
    assert [line for line in named.splitlines() if line.startswith("ID")] == ["ID=1.1", "ID=1.2"]


def test_a_search_that_was_cut_short_says_why() -> None:
    long = " ".join(["the old man saw the dog near the house with the roof and"] * 11) + " left ."
    done = parse(long, "--max-agenda", "200")
    assert done.exit_code == 0
    assert "backed off: the agenda reached its limit of 200 items" in done.stdout
    assert "not proved best: at most" in done.stdout


def test_the_same_input_gives_the_same_output_however_it_comes(tmp_path: Path) -> None:
    text = "It works.\nTime flies like an arrow.\nThe old man left.\n" * 4
    path = tmp_path / "lines"
    path.write_text(text)
    assert parse("--lines", "-f", "auto", stdin=text).stdout == parse("--lines", "-f", "auto", "-i", path).stdout


# ---- terminals ----


@pytest.mark.slow
def test_a_terminal_gets_colours_and_a_pipe_gets_none() -> None:
    shown, _ = on_terminal("parse", "It works.")
    assert "\x1b[" in shown and "proved best" in shown
    assert "\x1b[" not in shell("starccg parse 'It works.'").stdout
    for environment, arguments in (({"NO_COLOR": "1"}, []), ({"TERM": "dumb"}, []), ({}, ["--no-color"])):
        shown, _ = on_terminal("parse", "It works.", *arguments, environment=environment)
        assert "\x1b[" not in shown
        assert shown.startswith("It ") and "proved best" in shown
    assert "\x1b[" in shell("starccg parse --color 'It works.'").stdout


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_and_never_mixes_with_the_results() -> None:
    text = "It works.\n" * 20
    shown, written = on_terminal("parse", "--lines", "-f", "auto", stdout=False, stdin=text)
    assert "20 sentences" in shown
    assert written.count("ID=") == 20 and "\x1b" not in written and "sentences" not in written
    assert "parsing" not in on_terminal("parse", "--lines", "-f", "auto", stdin=text)[0]
    assert on_terminal("parse", "--lines", "-f", "auto", "--no-progress", stdout=False, stdin=text)[0].count("\n") == 1
    assert shell("yes 'It works.' | head -20 | starccg parse --lines -f auto").stderr.count("\n") == 1


# ---- ends ----


@pytest.mark.slow
def test_a_broken_pipe_ends_the_run_without_a_message() -> None:
    done = shell("yes 'It works.' | head -3000 | starccg parse --lines -f auto | head -1")
    assert done.stdout == "ID=1\n"
    assert done.stderr == ""
    assert done.returncode == BROKEN_PIPE


def interrupted(number: signal.Signals, out: Path, after: float | None = None) -> tuple[int | None, str]:
    """The exit code and standard error of a run that a signal ends: once results are written, or ``after`` seconds.

    The seconds count from the moment when the program handles signals.
    """
    program = "import starccg.__main__ as m; m.exit_on_interrupt(); print(flush=True); m.main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "parse", "--lines", "--batch-size", "1", "-o", str(out)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdin and process.stdout and process.stderr
    with process:
        process.stdin.write(b"It works.\n" * 400)
        process.stdin.flush()
        process.stdout.readline()
        if after is not None:
            time.sleep(after)
        while after is None and process.poll() is None and not list(out.parent.glob("*.partial")):
            time.sleep(0.01)
        process.send_signal(number)
        code = process.wait(250)
        return code, process.stderr.read().decode()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, TERMINATED)])
def test_a_signal_keeps_the_results_so_far_and_leaves_no_other_file(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    out = tmp_path / "out.auto"
    found, said = interrupted(number, out, after=None)
    seconds = 1.0
    while said == "":  # it came before the first result
        found, said = interrupted(number, out, after=seconds)
        seconds *= 2
    assert found == code
    assert said == f"the run did not finish; {out}.partial has the results so far\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.auto.partial"]
    assert (tmp_path / "out.auto.partial").read_text().startswith("ID=1\n(<T S[dcl] ")


@pytest.mark.slow
def test_the_exit_code_is_the_same_at_whatever_moment_the_signal_comes(tmp_path: Path) -> None:
    generator = random.Random(1)
    for _ in range(12):
        code, said = interrupted(signal.SIGINT, tmp_path / "out.auto", generator.uniform(0.0, 1.0))
        assert code == INTERRUPTED
        assert said in ("", f"the run did not finish; {tmp_path}/out.auto.partial has the results so far\n")


def test_a_finished_run_removes_what_an_earlier_one_left(tmp_path: Path) -> None:
    (tmp_path / "out.auto.partial").write_text("old")
    assert parse("It works.", "-o", tmp_path / "out.auto").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.auto"]


@pytest.mark.parametrize("options", [(), ("--batch-size", "1"), ("--batch-size", "2", "--threads", "2")])
def test_a_line_that_is_not_utf8_ends_the_run_and_costs_no_result_before_it(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "in").write_bytes(b"It works.\n" * 12 + b"caf\xe9\nTime flies.\n")
    done = parse("--lines", "-i", tmp_path / "in", "-o", tmp_path / "out.auto", *options)
    assert done.exit_code == 1
    assert f"{tmp_path}/in:13:4: not UTF-8" in done.stderr
    assert (tmp_path / "out.auto.partial").read_text().count("ID=") == 12


def test_threads_change_no_result_and_no_order(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"".join(b"Number %d works.\n" % n for n in range(60)) + b"caf\xe9\n\n")
    command = ("--lines", "--skip-bad", "-i", tmp_path / "in", "-f", "auto", "--batch-size", "8")
    one, two = parse(*command), parse(*command, "--threads", "2")
    assert two.stdout == one.stdout
    assert two.stderr.splitlines()[:-1] == one.stderr.splitlines()[:-1]


def test_the_device_is_an_option() -> None:
    assert parse("It works.", "--device", "auto").exit_code == 0
    assert "unknown device 'gpu'" in parse("It works.", "--device", "gpu").stderr


@pytest.mark.parametrize("form", ["--lines", "--tokenized", "--plain"])
def test_with_skip_bad_such_a_line_fails_alone_in_its_place(form: str, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"It works .\ncaf\xe9\n\nTime flies .\n\xff")
    done = parse(form, "--skip-bad", "-i", tmp_path / "in", "-f", "jsonl")
    found = [(record["words"], record.get("reason") or "") for record in map(json.loads, done.stdout.splitlines())]
    lines = [
        (["It", "works", "."], ""),
        ([], f"{tmp_path}/in:2:4: not UTF-8"),
        ([], "there are no words"),
        (["Time", "flies", "."], ""),
        ([], f"{tmp_path}/in:5:1: not UTF-8"),
    ]
    assert found == (lines if form != "--plain" else lines[:2] + lines[3:])
    assert done.exit_code == 0


def test_an_interrupt_that_a_library_swallows_is_not_lost() -> None:
    def lines() -> Iterator[list[str]]:
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)  # the signal is heard here at the latest
        yield ["It", "works"]
        pytest.fail("it waits for more input after the interrupt")

    with pytest.raises(KeyboardInterrupt), remember_interrupts():
        for batch in batches(lines(), 1, raise_if_interrupted):
            assert batch == [["It", "works"]]


@pytest.mark.slow
def test_a_cold_start_is_cheap_and_loads_nothing_that_is_not_needed() -> None:
    script = (
        "import sys\nfrom starccg.cli import app\ntry: app(['parse', '-q', 'It works.'])\nexcept SystemExit: pass\n"
        "print({'rich', 'torch', 'onnx', 'spacy', 'nltk', 'fastapi'} & set(sys.modules), file=sys.stderr)"
    )

    def spent() -> float:
        began = os.times()
        done = subprocess.run(
            [sys.executable, "-c", script], env=ENVIRONMENT, capture_output=True, text=True, check=True
        )
        assert done.stderr == "set()\n"
        ended = os.times()  # processor time: other processes do not count
        return ended.children_user + ended.children_system - began.children_user - began.children_system

    assert min(spent() for _ in range(3)) < 2.0  # 0.7 where it was measured


def test_version_of_the_program_is_that_of_the_package() -> None:
    assert shell("starccg --version").stdout == f"starccg {starccg.__version__}\n"


# ---- the summary ----

LONG = " ".join(["the old man saw the dog near the house with the roof and"] * 7) + " left ."
LONGER = " ".join(["the old man saw the dog near the house with the roof and"] * 11) + " left ."


def test_the_last_line_of_standard_error_sums_up(tmp_path: Path) -> None:
    done = parse("--lines", "-o", tmp_path / "out.auto", "--max-units", "50", stdin=f"It works.\n\n{LONG}\n")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("3 sentences: 1 proved, 1 backed off, 1 failed; ")
    assert last.endswith(f" sentences/s; written to {tmp_path / 'out.auto'}")
    assert parse("It works.").stderr.startswith("1 sentence: 1 proved, 0 backed off, 0 failed; ")
    assert parse("--lines", "--quiet", stdin="It works.\n\n").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--max-units", "50"), "the search reached its limit of 50 recursive units"),
        (("--max-nodes", "50"), "the forest reached its limit of 50 subtrees"),
        (("--max-agenda", "90"), "the agenda reached its limit of 90 items"),
        (("--max-words", "20"), "the sentence has 93 words, and the limit is 20"),
    ],
)
def test_every_limit_has_an_option_and_a_back_off_names_it(arguments: tuple[str, ...], reason: str) -> None:
    done = parse(LONG, "-f", "auto", "--strict", *arguments)
    assert f"sentence 1: backed off: {reason}\n" in done.stderr
    assert done.exit_code == BACKED_OFF
    assert parse(LONG, "-f", "auto", *arguments).exit_code == 0


def test_the_limit_of_time_has_an_option_and_is_named() -> None:
    """On a busy machine the back-off may have no time either, and then the sentence fails."""
    done = parse(LONGER, "-f", "auto", "--strict", "--max-seconds", "0.001")
    assert "the search reached its time limit of 0.001 seconds" in done.stderr
    assert done.exit_code != 0


@pytest.mark.parametrize(
    ("form", "mark"),
    [
        ("auto", "ID=1 OUTCOME=BackedOff\n"),
        ("auto_extended", "ID=1 OUTCOME=BackedOff\n"),
        ("conll", "# OUTCOME=BackedOff\n"),
        ("parg", "# OUTCOME=BackedOff\n"),
        ("candc_xml", 'outcome="BackedOff"'),
        ("jigg_xml", 'outcome="BackedOff"'),
        ("prolog", "% OUTCOME=BackedOff\n"),
        ("jsonl", '"outcome": "BackedOff"'),
        ("html", "<h2>1 (outcome: BackedOff)</h2>"),
        ("latex", "% OUTCOME=BackedOff\n"),
        ("dot", "// OUTCOME=BackedOff\n"),
    ],
)
def test_formats_mark_a_back_off_and_can_still_be_read(form: str, mark: str, tmp_path: Path) -> None:
    done = parse(LONG, "-f", form, "-o", tmp_path / "out", "--max-units", "50")
    assert done.exit_code == 0
    assert mark in (tmp_path / "out").read_text()
    if FORMATS[form].reader:
        assert len(list(FORMATS[form].read(tmp_path / "out"))) == 1
    assert "BackedOff" not in parse("It works.", "-f", form).stdout


def test_markdown_is_known_by_the_name_of_the_file_or_by_the_option(tmp_path: Path) -> None:
    text = "# News\n\n* It *rained*.\n\n```\ncode\n\ncode\n```\nThe end\n"
    for name, arguments in (("a.md", ()), ("a.txt", ("--markdown",))):
        (tmp_path / name).write_text(text)
        found = parse("-f", "jsonl", "-i", tmp_path / name, *arguments)
        assert words(found) == [["News"], ["It", "rained", "."], ["The", "end"]]
        for line in found.stdout.splitlines():
            value = json.loads(line)
            assert [text[start:end] for start, end in value["offsets"]] == value["words"]
    assert words(parse("-f", "jsonl", "--plain", "-i", tmp_path / "a.md"))[0] == ["#", "News"]


def test_text_in_another_language_is_reported_once() -> None:
    german = "Der alte Mann saß auf der Bank und sah die Vögel, die in dem Baum waren, und er war nicht allein.\n" * 3
    said = parse("-f", "jsonl", "--lines", stdin=german).stderr
    assert said.count("warning: the text seems to be German; the model en parses English\n") == 1
    assert "warning" not in parse("-f", "jsonl", "The old man sat on the bench and saw the birds. " * 5).stderr


def test_the_cost_of_the_search_is_shown_on_request() -> None:
    assert "explored" not in parse("It works.").stdout
    assert "global, " in parse("It works.", "--verbose").stdout
    assert "right with probability over 0.99" in parse("It works.", "--confidence").stdout
    sure = json.loads(parse("It works.", "--confidence", "-f", "jsonl").stdout)["confidence"]
    assert 0.5 < sure["probability"] < 1.0


@pytest.mark.parametrize("beam", ["2", "-1", "best", "nan"])
def test_a_wrong_beam_is_refused(beam: str) -> None:
    done = parse("It works.", f"--beam={beam}")
    assert done.exit_code == 2
    assert "is not a number from 0 to 1, and not 'proved'" in done.stderr
    assert "over all tags" in parse("It works.", "--beam", "proved").stdout
