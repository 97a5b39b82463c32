"""Training runs: they learn, they stop, and a run that was killed ends in the same numbers as one that was not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from starccg.errors import StarccgError
from starccg.globalmodel import Dimensions
from starccg.globalmodel.parameters import initial
from starccg.globalmodel.vocabulary import build_vocabulary
from starccg.model_folder.global_model import load_global_model
from starccg.training.data import Example
from starccg.training.globalmodel.config import AdamOptions, Config, Development, Learning
from starccg.training.globalmodel.learner import Learner
from starccg.training.globalmodel.trainer import BEST, Trainer
from starccg.training.progress import Progress
from tests.training import toy

SMALL = Dimensions(words=8, categories=4, cells=12)


def learner(config: Config, examples: list[Example]) -> Learner:
    vocabulary, trained = build_vocabulary((example.words for example in examples), least=1)
    categories = len(toy.table().categories) + 1
    arrays = initial(config.model, len(vocabulary), categories, config.learning.seed)
    return Learner(config, toy.table(), vocabulary, trained, arrays, threads=1)


@pytest.mark.parametrize("loss", ["greedy", "max", "all"])
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"structure": "span"},
        {"leaves": "words"},
        {"leaves": "none"},
        {"output_reads_new_cell": True},
        {"inputs": "encoder"},
    ],
)
def test_every_loss_and_ablation_learns(loss: Any, change: dict[str, Any]) -> None:
    examples = toy.examples(10)
    if change.get("inputs") == "encoder":
        random = np.random.default_rng(0)
        examples = [replace(e, encoded=random.normal(size=(len(e.words), 8)).astype(np.float32)) for e in examples]
    config = Config(
        model=replace(SMALL, **change),
        learning=Learning(batch=5, dropout=0.1, loss=loss),
        adam=AdamOptions(learning_rate=5e-3),
    )
    learning = learner(config, examples)
    explored = []
    for _ in range(10):
        updates = [learning.update(examples[first : first + 5]) for first in range(0, 10, 5)]
        explored.append(sum(trace.explored for update in updates for trace in update.traces))
    assert explored[-1] < 0.8 * explored[0]


def test_a_batch_of_one_is_the_updates_of_the_paper() -> None:
    """Two sentences in a batch give the mean of the gradients they give alone."""
    examples = toy.examples(2)
    config = Config(model=SMALL, learning=Learning(batch=1, dropout=0.0), adam=AdamOptions(clip=1e9))

    def gradient(batch: list[Example]) -> Any:
        learning = learner(config, examples)
        found: list[Any] = []
        learning.adam.update = lambda *rest: found.append(learning.dense.gradient.clone()) or 0.0  # type: ignore
        learning.update(batch)
        return found[0]

    both, first, second = gradient(examples), gradient(examples[:1]), gradient(examples[1:])
    np.testing.assert_allclose(both.numpy(), (first + second).numpy() / 2, atol=2e-3, rtol=1e-3)


def run_config(**learning: Any) -> Config:
    return Config(
        model=SMALL,
        learning=Learning(**{"batch": 4, "epochs": 3, "threads": 1, **learning}),
        adam=AdamOptions(learning_rate=5e-3),
        development=Development(every=15, patience=0, checkpoint_seconds=0.0),
    )


class KilledError(Exception):
    """Stands for a kill."""


def kill_at(step: int) -> Callable[[Progress], None]:
    seen = 0

    def watch(progress: Progress) -> None:
        nonlocal seen
        seen += 1
        if seen == step:
            raise KilledError

    return watch


def train(folder: Path, config: Config, watch: Callable[[Progress], None] = lambda progress: None) -> Trainer:
    trainer = Trainer(config, toy.table(), toy.examples(30), toy.examples(12, seed=5), folder, watch=watch)
    trainer.run()
    return trainer


def numbers(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "times"} for line in lines]


@pytest.mark.parametrize("kills", [(1,), (2, 3), (7, 1, 9), (14,)])
def test_a_killed_run_goes_on_to_the_same_numbers(tmp_path: Path, kills: tuple[int, ...]) -> None:
    whole = train(tmp_path / "whole", run_config())
    for kill in kills:
        with pytest.raises(KilledError):
            train(tmp_path / "killed", run_config(), kill_at(kill))
    again = train(tmp_path / "killed", run_config())
    assert again.state.sentences == whole.state.sentences == 90
    assert numbers(tmp_path / "killed") == numbers(tmp_path / "whole")
    ours, theirs = (load_global_model(tmp_path / name / BEST) for name in ("killed", "whole"))
    for name, array in theirs.arrays.items():
        np.testing.assert_array_equal(ours.arrays[name], array, err_msg=name)


RUN = """
import sys
from pathlib import Path
from tests.training.globalmodel import test_training as here

here.train(Path(sys.argv[1]), here.run_config(epochs=8), watch=lambda progress: print("step", flush=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_process_killed_by_sigkill_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    """Not an exception that unwinds, but a process that is gone between two instructions, in the midst of a write."""
    whole = train(tmp_path / "whole", run_config(epochs=8))
    root = Path(__file__).parents[3]
    paths = [str(root), *sys.path]
    command, environment = (
        [sys.executable, "-c", RUN, tmp_path / "killed"],
        os.environ | {"PYTHONPATH": ":".join(paths)},
    )
    for steps in (5, 8):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root, env=environment) as process:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(steps)] == ["step\n"] * steps
            process.kill()
        assert process.returncode == -signal.SIGKILL
    again = train(tmp_path / "killed", run_config(epochs=8))
    assert again.state.sentences == whole.state.sentences
    assert numbers(tmp_path / "killed") == numbers(tmp_path / "whole")


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path) -> None:
    first = train(tmp_path, run_config(epochs=1))
    before = (tmp_path / "metrics.jsonl").read_bytes()
    second = train(tmp_path, run_config(epochs=1))
    assert second.state.best_f1 == first.state.best_f1
    assert (tmp_path / "metrics.jsonl").read_bytes() == before


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    train(tmp_path, run_config(epochs=1))
    with pytest.raises(StarccgError, match="another configuration"):
        train(tmp_path, run_config(epochs=1, dropout=0.2))


def test_a_damaged_checkpoint_is_refused_with_advice(tmp_path: Path) -> None:
    train(tmp_path, run_config(epochs=1))
    path = tmp_path / "checkpoint.safetensors"
    whole = path.read_bytes()
    flipped = whole[:-1] + bytes([whole[-1] ^ 1])
    other_state = whole.replace(b"best_f1", b"best_f2", 1)
    assert other_state != whole
    for damaged in (b"", whole[:100], whole[:-1], flipped, other_state, b"\xff" * 100):
        path.write_bytes(damaged)
        with pytest.raises(StarccgError, match="remove it to start again") as raised:
            train(tmp_path, run_config(epochs=1))
        assert str(raised.value).startswith(str(path))


def test_training_stops_when_dev_has_not_improved_for_long(tmp_path: Path) -> None:
    config = replace(run_config(epochs=30), development=Development(every=10, patience=2))
    config = replace(config, adam=AdamOptions(learning_rate=0.0, decay=0.0))
    trainer = Trainer(config, toy.table(), toy.examples(30), toy.examples(12, seed=5), tmp_path)
    result = trainer.run()
    assert result.sentences < 60
    assert result.best_sentences <= 12


def test_the_saved_model_has_the_f1_that_was_reported(tmp_path: Path) -> None:
    trainer = train(tmp_path, run_config())
    model = load_global_model(tmp_path / BEST)
    assert trainer.dev.evaluate(model, trainer.config.development.limits).f1 == trainer.state.best_f1
