"""``starccg reproduce`` on a generated treebank in CCGbank's layout, with all of its quirks."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("torch")

from starccg.ccg.english import EASYSRL
from starccg.ccg.induction import count
from starccg.cli import app
from starccg.errors import StarccgError
from starccg.experiments.presets import OURS, PAPER, settings_table
from starccg.experiments.reproduce import Reproduction, variant_of
from starccg.globalmodel import Vectors
from starccg.training.globalmodel.config import Config
from starccg.training.pipeline.global_training import Resources
from starccg.training.pipeline.vectors import read_vectors, write_vectors
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES, draw_sentences
from tests.treebanks.generated import write_ccgbank

TAGGER = """
kind = "lstm"
min_count = 2
source = [{ path = "set by the command" }]
dev = [{ name = "dev", path = "set by the command" }]
schedule = { epochs = 5, batch = 512, learning_rate = 2e-2 }
lstm = { affix = 6, cells = 16, layers = 1, hidden = 24, dropout = 0.1 }
"""
GLOBAL = """
model = { words = 8, categories = 4, cells = 8 }
learning = { batch = 8, epochs = 1, threads = 1 }
[development]
per_epoch = 1
limits = { forest = 2000, agenda = 100000, recursive_units = 2000, seconds = 100.0 }
"""


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reproduce")
    write_ccgbank(folder / "bank", train=120, dev=4, test=4)
    (folder / "tagger.toml").write_text(TAGGER)
    (folder / "global.toml").write_text(GLOBAL)
    words = ["the", "Karl", "Linda", "*UNKNOWN*", "saw"]
    rows = np.random.default_rng(3).normal(size=(len(words), 8))
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in row)}\n" for word, row in zip(words, rows, strict=True)]
    (folder / "turian.txt").write_text("".join(lines))
    return folder


def run(folder: Path, *arguments: str | Path) -> Result:
    given = ["--ccgbank", folder / "bank", "--tagger", folder / "tagger.toml", "--global", folder / "global.toml"]
    fixed = ["--device", "cpu", "--jobs", "1", "--sentences", "10", *arguments]
    return CliRunner().invoke(app, ["reproduce", *map(str, (*given, *fixed))])


def figures(out: Path) -> dict[str, Any]:
    """The figures of all reports but for times."""
    found = {path.stem: json.loads(path.read_text())["data"] for path in sorted((out / "reports").glob("*.json"))}

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(own) for key, own in value.items() if "second" not in key}
        return value

    return {name: plain(data) for name, data in found.items()}


@pytest.mark.timeout(300)
def test_the_command_goes_from_a_quirky_treebank_to_every_published_row(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(folder, "--out", folder / "whole", "--vectors", folder / "turian.txt")
    assert done.exit_code == 0, done.output
    text = (folder / "whole" / "report.md").read_text()
    for wanted in (
        "| C&C (Clark and Curran, 2007) |", "| Vaswani et al. (2016) |", "| Supertag-factored, with costs |",
        "## Ablations (Table 3)", "| - lexical context |", "## Updates (Table 4)", "## Decoders (Table 5)",
        "| 8-best beam search |", "## Lazy scoring", "## Garden paths (Figure 4)", "## Learning curves (Figure 5)",
        "Supertag accuracy is not significantly different", "27.1", "190.2", "99.9%", "88.7",
        "| tags: beam | 1e-06 | 1e-06 |", "| word vectors | **turian.txt, 8 dimensions** |", "epochs of the tagger 5",
        r"`category ((S[b]\NP)/NP)/ read as (S[b]\NP)/NP`", "| dev, CCGbank's exclusions |", "Temperature 1;",
        "| train | 135 | 39,604 | ",
        "| tagger: affix, cell, hidden dimensions, layers | **6, 16, 24, 1** | 32, 128, 64, 2 |",
        "| tagger: `schedule.patience` | **10** | 30 |", "+0.6 test F1", "| tagger: dropout | **0.1** | 0.5 |",
    ):  # fmt: skip
        assert wanted in text, wanted
    test = text.partition("**test, 10 sentences**")[2].partition("**The searches")[0]
    assert "| 88.7 |" in test and "88.4" not in test, "the figures of section 23 beside those of section 23"
    of_test = text.partition("**The searches, test**")[2].partition("\n\n10 sentences")[0]
    assert "| 99.9% |" in of_test and "| 190.2 |" in of_test and "| 27.1 |" in of_test
    curve = json.loads((folder / "whole" / "reports" / "learning-curves.json").read_text())["data"]["curves"]
    assert [point["epoch"] for point in curve["Greedy"]] == [1.0]
    assert (
        len(json.loads((folder / "whole" / "reports" / "garden-path.json").read_text())["data"]["partial_parses"])
        <= 1000
    )
    assert "repaired wsj_0001." in done.stderr
    assert str(folder) not in text, "a report names files without their folders"
    assert len((folder / "whole" / "data" / "skipped.txt").read_text().splitlines()) == 15

    class KilledError(BaseException):
        pass

    stops = iter(("gold derivations of train", "tags ...", "global model greedy", "Best-first ..."))
    stop = next(stops)

    def say(text: str) -> None:
        nonlocal stop
        if stop and text.startswith(stop):
            stop = next(stops, "")
            raise KilledError

    from starccg.training.globalmodel.config import load_config as load_global  # noqa: PLC0415
    from starccg.training.tagger.config import load_config as load_tagger  # noqa: PLC0415

    tagger = replace(load_tagger(folder / "tagger.toml"), source=PAPER.tagger.source, dev=PAPER.tagger.dev)
    settings = replace(PAPER, tagger=tagger, model=load_global(folder / "global.toml"), sentences=10)
    for attempt in range(5):
        resources = Resources("cpu", say=say)
        work = Reproduction(folder / "bank", folder / "killed", settings, resources, folder / "turian.txt")
        try:
            work.run()
        except KilledError:
            assert attempt < 4
    assert figures(folder / "killed") == figures(folder / "whole"), "killed four times, it comes to the same figures"


@pytest.mark.timeout(300)
def test_a_global_model_reads_the_states_of_a_tagger_with_an_encoder(folder: Path, tmp_path: Path) -> None:
    from tests.tagger.models import write_data  # noqa: PLC0415 - needs torch

    write_data(tmp_path / "encoder")
    table = 'weights = "encoder.safetensors"\nwordpieces = "pieces.txt"\nheads = 3\nhead_rate = 1.0\n'
    tagger = TAGGER.replace('"lstm"', '"encoder"').split("lstm =")[0] + f"[encoder]\n{table}"
    (tmp_path / "tagger.toml").write_text(tagger)
    (tmp_path / "global.toml").write_text(GLOBAL.replace("words = 8", 'inputs = "encoder", words = 24'))
    given = ("--tagger", tmp_path / "tagger.toml", "--pretrained", tmp_path / "encoder", "--only-full")
    done = run(folder, "--out", tmp_path / "out", *given, "--global", tmp_path / "global.toml")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "out" / "report.md").read_text()
    assert "| global model: inputs of the leaves | **encoder** | words |" in text
    assert "## Garden paths (Figure 4)" in text
    model = json.loads((tmp_path / "out" / "global-all-1" / "best" / "model.json").read_text())
    assert (model["dimensions"]["inputs"], model["dimensions"]["words"]) == ("encoder", 24)


def test_another_treebank_in_the_same_folder_is_not_taken_for_the_first(folder: Path, tmp_path: Path) -> None:
    counts = []
    for size in (20, 40):
        write_ccgbank(tmp_path / f"bank{size}", train=size, dev=1, test=1)
        work = Reproduction(tmp_path / f"bank{size}", tmp_path / "out", PAPER, Resources("cpu"))
        counts.append(work.treebank()["splits"]["train"]["sentences"])
    assert counts[0] < counts[1]


def test_what_is_missing_is_said_before_anything_is_trained(folder: Path, tmp_path: Path) -> None:
    encoder = tmp_path / "encoder.toml"
    encoder.write_text(
        TAGGER.replace('"lstm"', '"encoder"').split("lstm =")[0]
        + '[encoder]\nweights = "w.safetensors"\nwordpieces = "v.txt"\n'
    )
    started = tmp_path / "started.toml"
    started.write_text(encoder.read_text().partition("[encoder]")[0] + '[encoder]\nstart = "model/tagger"\n')
    for arguments, said in (
        (("--tagger", encoder, "--pretrained", tmp_path), f"{tmp_path}/w.safetensors"),
        (("--tagger", started, "--pretrained", tmp_path), f"{tmp_path}/model/tagger/tagger.onnx"),
        (("--preset", "theirs"), "one of paper, ours"),
    ):
        done = run(folder, "--out", tmp_path / "out", *arguments)
        assert done.exit_code != 0
        assert said in done.stderr.replace("\n", " ")
    states = Config(model=replace(Config().model, inputs="encoder"))
    with pytest.raises(StarccgError, match="needs a tagger with an encoder"):
        Reproduction(folder / "bank", tmp_path / "out", replace(PAPER, model=states))
    spans = Config(model=replace(Config().model, structure="span"))
    with pytest.raises(StarccgError, match="the global model must be the full one"):
        Reproduction(folder / "bank", tmp_path / "out", replace(PAPER, model=spans))
    with pytest.raises(StarccgError, match="the paper has no model"):
        variant_of(Config(), "sideways")


def test_a_tagger_starts_from_any_encoder_folder(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    pytest.importorskip("tokenizers")
    from tests.training.tagger.encoders import write_encoder  # noqa: PLC0415

    shipped = Path(__file__).parents[2] / "configs" / "tagger-encoder.toml"
    (tmp_path / "tagger.toml").write_text(f'base = "{shipped}"\nmin_count = 2\nschedule = {{ epochs = 1 }}\n')
    given = ("--tagger", tmp_path / "tagger.toml", "--pretrained", write_encoder(tmp_path / "bert", "bert-cased"))
    done = run(folder, "--out", tmp_path / "out", "--only-full", *given)
    assert done.exit_code == 0, done.output
    text = (tmp_path / "out" / "report.md").read_text()
    assert "| tagger | **encoder** | lstm |" in text
    assert "| tagger: `encoder.folder` | **bert** |  |" in text
    assert str(tmp_path) not in text


def test_a_folder_of_an_encoder_without_a_tagger_that_reads_it_is_refused(folder: Path, tmp_path: Path) -> None:
    given = ["reproduce", "--ccgbank", folder / "bank", "--out", tmp_path / "out", "--pretrained", tmp_path]
    done = CliRunner().invoke(app, list(map(str, given)))
    assert done.exit_code == 2
    assert "needs --tagger" in done.stderr


def test_skipped_are_the_sentences_that_the_files_name_and_that_are_not_used(tmp_path: Path) -> None:
    write_ccgbank(tmp_path / "bank", train=20, dev=3, test=3)
    data = tmp_path / "bank" / "data"

    def counts() -> dict[str, int]:
        split = Reproduction(tmp_path / "bank", tmp_path / "out", PAPER, Resources("cpu")).treebank()["splits"]["dev"]
        return {name: split[name] for name in ("sentences", "skipped")}

    assert counts() == {"sentences": 23, "skipped": 3}
    parg = data / "PARG" / "00" / "wsj_0001.parg"
    parg.write_text(parg.read_text().replace("0 \t", "x \t", 1))
    (data / "AUTO" / "00" / "._wsj_0001.auto").write_bytes(b"\x00\x05\x16\x07")
    assert counts() == {"sentences": 22, "skipped": 4}, "one sentence with a malformed line is one sentence"


def test_the_settings_of_the_paper_are_the_default_and_ours_are_marked() -> None:
    assert PAPER.model.learning.batch == 1
    assert PAPER.jackknife is None
    differ = {row[0] for row in settings_table(PAPER, "random").rows if row[1].startswith("**")}
    assert differ == {"word vectors", "pairs of categories"}
    for chosen in (PAPER.gold.seen, PAPER.grammar.seen):
        grammar = chosen.grammar(count([own.derivation for own in draw_sentences(CONSTRUCTIONS, PHRASES, each=1)]))
        assert (grammar.unary, grammar.roots) == (EASYSRL.unary, EASYSRL.roots)
    marked = {row[0] for row in settings_table(OURS, "random").rows if row[1].startswith("**")}
    assert {"global model: sentences per update", "tags of the training sentences", "tags: calibrated"} <= marked


def test_word_vectors_are_read_as_they_are_distributed(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt.gz"
    with gzip.open(path, "wt") as file:
        file.write("3 2\nThe 1 2\nthe 3 4\n*UNKNOWN* 0.5 -1e-3 \n")
    words, rows = read_vectors(path)
    assert words == ["the", "*unknown*"]
    np.testing.assert_allclose(rows, [[1, 2], [0.5, -0.001]], atol=1e-6)
    path.write_bytes(gzip.compress(b"the 1 2\n\xc2\x85 3 4\n. . . 5 6\nna\xefve 7 8\n\n"))
    words, rows = read_vectors(path)
    assert words == ["the", "\x85", ". . ."], "words may hold spaces and other line ends; Latin-1 is no word of a text"
    write_vectors(tmp_path / "folder", words, rows)
    assert Vectors(tmp_path / "folder").words == words
    for wrong, message in (("a 1 2\nb 1\n", ":2: 1 numbers"), ("a b c\n", ":1: expected a word"), ("", "no word vec")):
        (tmp_path / "wrong.txt").write_text(wrong)
        with pytest.raises(StarccgError, match=message):
            read_vectors(tmp_path / "wrong.txt")
