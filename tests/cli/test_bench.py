"""``starccg bench``: a table for people, JSON for programs, and the environment for the record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from starccg.cli import app
from starccg.cli.bench import SENTENCES, environment
from starccg.devices import available_cores
from starccg.text import sentences

ROOT = Path(__file__).parents[2]


def bench(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["bench", "--repeat", "1", "-t", "1", *map(str, arguments)])


@pytest.mark.slow
def test_the_speed_of_each_step_is_reported_for_every_decoder_and_number_of_threads() -> None:
    done = bench("--json", "--sentences", "12", "--decoder", "global", "--decoder", "supertag", "-t", "2")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    asked = [("global", 1), ("supertag", 1), ("global", 2), ("supertag", 2)]
    assert [(speed["decoder"], speed["threads"]) for speed in found["speeds"]] == asked
    assert all(speed[step] > 0 for speed in found["speeds"] for step in ("tagging", "search", "all"))
    assert all(speed["proved"] == 1 for speed in found["speeds"])
    assert found["environment"]["sentences"] == 12
    assert found["environment"]["words"] > 100


@pytest.mark.slow
def test_a_table_is_shown_to_people() -> None:
    shown = bench("--sentences", "3", "--decoder", "supertag").stdout
    for part in ("3 sentences", "tagging", "search", "all", "proved best", "supertag", "processor: ", "python: "):
        assert part in shown


def test_treebanks_and_texts_are_read_as_such(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("It works. It does.\n\nReally !\n")

    def counted(*arguments: str | Path) -> tuple[int, int]:
        around = json.loads(bench("--json", "--decoder", "supertag", *arguments).stdout)["environment"]
        return around["sentences"], around["words"]

    assert counted(ROOT / "examples" / "fruit_flies.auto") == (1, 5)
    assert counted(text) == (3, 8)
    assert counted(text, "--lines") == (2, 8)  # an empty line is no sentence to measure
    assert counted(text, "--tokenized") == (2, 6)


def test_the_built_in_sentences_are_complete_and_of_many_lengths() -> None:
    lengths = [len(sentence.words) for sentence in sentences(SENTENCES)]
    assert len(lengths) == 12
    assert min(lengths) == 3 and max(lengths) > 25


def test_the_environment_is_reported() -> None:
    found = environment()
    assert found["cores"] == available_cores() >= 1
    assert found["processor"] and found["python"] and found["numpy"] and found["onnxruntime"]
