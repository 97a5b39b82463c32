"""``starccg eval`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from starccg.ccg.derivation import Sentence
from starccg.cli import app
from starccg.formats.files import write
from tests.dependencies.notation import derive
from tests.evaluation.test_scores import OWNED, SEEN, SLEPT


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)])


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    made = {
        "gold": {"a": SEEN, "b": SLEPT},
        "wrong": {"a": OWNED, "b": SLEPT},
        "failed": {"b": SLEPT},
        "stranger": {"z": SLEPT},
    }
    paths: dict[str, Path] = {}
    for name, sentences in made.items():
        for form in ("auto", "parg"):
            path = tmp_path / f"{name}.{form}"
            write(path, [Sentence(key, derive(text)) for key, text in sentences.items()])
            paths[name if form == "auto" else f"{name}.parg"] = path
    return paths


def test_the_table_is_for_people_and_in_percentages(files: dict[str, Path]) -> None:
    shown = run("--gold", files["gold"], "--predicted", files["wrong"])
    assert shown.exit_code == 0, shown.output
    assert "66.67" in shown.output  # four of six labelled dependencies
    assert "determiner" in shown.output


def test_json_has_the_promised_keys_and_shares(files: dict[str, Path]) -> None:
    shown = run("--gold", files["gold"], "--predicted", files["failed"], "--json")
    value = json.loads(shown.stdout)
    assert value["labelled"]["recall"] == pytest.approx(1 / 6)
    assert value["labelled"]["precision"] == 1
    assert {"precision", "recall", "f1"} <= value["unlabelled"].keys()
    assert (value["coverage"], value["exact_match"], value["sentences"]) == (0.5, 0.5, 2)
    assert value["supertag_accuracy"] == pytest.approx(2 / 8)
    assert value["confidence"]["level"] == 0.95
    assert len(value["confidence"]["labelled_f1"]) == 2
    assert value["by_name"]["subject"]["gold"] == 2
    assert {"category", "slot", "name", "f1"} <= value["by_relation"][0].keys()


def test_derivations_and_their_parg_give_the_same_dependencies(files: dict[str, Path]) -> None:
    for gold in ("gold", "gold.parg"):
        for predicted in ("gold", "gold.parg"):
            value = json.loads(run("--gold", files[gold], "--predicted", files[predicted], "--json").stdout)
            assert value["labelled"]["f1"] == 1
            assert (value["supertag_accuracy"] is None) == ("parg" in gold + predicted)


def test_two_predictions_are_compared(files: dict[str, Path]) -> None:
    both = ("--predicted", files["failed"], "--predicted", files["gold"], "--permutations", "50")
    value = json.loads(run("--gold", files["gold"], *both, "--json").stdout)
    assert value["comparison"]["labelled_f1"]["difference"] > 0
    assert 0 < value["comparison"]["labelled_f1"]["p_value"] <= 1
    assert [prediction["coverage"] for prediction in value["predictions"]] == [0.5, 1]
    shown = run("--gold", files["gold"], *both)
    assert "Second against first" in shown.output


def test_the_same_seed_gives_the_same_output(files: dict[str, Path]) -> None:
    outputs = {
        run("--gold", files["gold"], "--predicted", files["wrong"], "--json", "--seed", "3").stdout for _ in "ab"
    }
    assert len(outputs) == 1


def test_exclusions_are_counted(files: dict[str, Path]) -> None:
    options = ("--gold", files["gold"], "--predicted", files["gold"], "--ccgbank-exclusions", "--json")
    assert json.loads(run(*options).stdout)["excluded"] == 0
    assert json.loads(run(*options, "--training", files["gold"]).stdout)["excluded"] == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--gold", "{gold}", "--predicted", "{stranger}"), "sentence 'z' is not in the gold file"),
        (("--gold", "{gold}", "--predicted", "nowhere.auto"), "cannot be read"),
        (("--gold", "{gold}", "--predicted", "{gold}", "--training", "{gold}"), "needs --ccgbank-exclusions"),
        (("--gold", "{gold}", *("--predicted", "{gold}") * 3), "one or two files"),
    ],
)
def test_mistakes_are_told_in_a_line(files: dict[str, Path], arguments: tuple[str, ...], message: str) -> None:
    shown = run(*(argument.format(**files) for argument in arguments))
    assert shown.exit_code in (1, 2)
    assert message in " ".join(shown.output.split())
    assert "Traceback" not in shown.output


def test_a_gold_file_without_sentences_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    empty = tmp_path / "empty.auto"
    empty.write_text("")
    shown = run("--gold", empty, "--predicted", files["gold"])
    assert shown.exit_code == 1
    assert "no sentences" in shown.output


def test_malformed_predictions_may_be_counted_as_failures(files: dict[str, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.auto"
    broken.write_text(files["failed"].read_text() + "ID=a\n(<T S[dcl] 0 2> )\n")
    assert run("--gold", files["gold"], "--predicted", broken).exit_code == 1
    shown = run("--gold", files["gold"], "--predicted", broken, "--skip-bad", "--json")
    assert shown.exit_code == 0
    assert json.loads(shown.stdout)["coverage"] == 0.5
    assert "malformed sentences counted as failed parses: 1" in shown.stderr


def test_a_failed_sentence_of_a_parg_file_is_a_failed_parse(files: dict[str, Path]) -> None:
    """What ``starccg parse`` writes for a failed sentence, and an empty block of the right length."""
    good = files["gold.parg"].read_text()
    first, second = (f"{block}<\\s>\n" for block in good.split("<\\s>\n")[:2])
    for empty in ('<s id="a"> 0\n<\\s>\n', first.splitlines()[0] + "\n<\\s>\n"):
        files["failed.parg"].write_text(empty + second)
        shown = run("--gold", files["gold"], "--predicted", files["failed.parg"], "--json")
        assert shown.exit_code == 0, shown.output
        value = json.loads(shown.stdout)
        assert value["coverage"] == 0.5
        assert value["labelled"]["precision"] == 1
        assert value["labelled"]["recall"] == pytest.approx(1 / 6)
