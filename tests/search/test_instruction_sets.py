"""The recursive unit is compiled once per instruction set; whichever runs, the numbers agree but for rounding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from starccg import _core

PROGRAM = """
import json
import numpy as np
from starccg import _core
from starccg.search.native import native_model
from starccg.search.types import TreeLstmWeights

rng = np.random.default_rng(5)
answers = []
for cells in (1, 16, 23, 64):
    types, embedding, categories = 3, 7, 5
    draw = lambda *shape: rng.normal(0, 0.3, shape).astype(np.float32)
    model = native_model(TreeLstmWeights(
        input_gate=draw(types, cells, 4 * cells + embedding), forget_gate=draw(types, cells, 4 * cells + embedding),
        output_gate=draw(types, cells, 3 * cells + embedding), candidate=draw(types, cells, 2 * cells + embedding),
        biases=draw(types, 4, cells), categories=draw(categories, embedding), unary_left=draw(2, cells),
        output=draw(cells), output_reads_new_cell=cells == 23))
    for rule in range(types):
        for left in (None, draw(2, cells)):
            state, score = model.unit(rule, rule + 1, left, draw(2, cells))
            answers.append([score, *state.ravel().tolist()])
print(json.dumps([_core.instruction_set, answers]))
"""

LEAVES = """
import numpy as np
from benchmarks.lazy import global_case

for cells in (1, 16, 23, 64):
    seen = set()
    for words in (2, 3, 4, 9):
        searcher, sentences = global_case(sentences=3, words=words, cells=cells)
        for sentence, result in zip(sentences, searcher.search_batch(sentences)):
            for node in result.parses[0].nodes if result.parses else ():
                if node.left < 0:
                    own = sentence.states[node.start]
                    assert searcher.unit(node.rule, node.category, own[:2], own[2:])[1] == node.global_score
                    seen.add(words)
    assert len(seen) >= 3, seen  # those four at a time, and those left over
"""


ROOT = Path(__file__).parents[2]


def run_with(instruction_set: str, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "benchmarks"), *sys.path])
    environment = os.environ | {"STARCCG_ISA": instruction_set, "PYTHONPATH": paths}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)


def units_of(instruction_set: str) -> tuple[str, list[list[float]]]:
    run = run_with(instruction_set)
    if "this machine runs" in run.stderr:
        pytest.skip(run.stderr.splitlines()[-1])
    name, answers = json.loads(run.stdout)
    return name, answers


@pytest.mark.slow
@pytest.mark.parametrize("instruction_set", ["baseline", "avx2", ""])
def test_leaves_whose_shares_are_computed_together_score_as_if_alone(instruction_set: str) -> None:
    units_of(instruction_set)  # or skip
    run = run_with(instruction_set, LEAVES)
    assert run.returncode == 0, run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("instruction_set", ["baseline", "avx2"])
def test_the_recursive_unit_gives_the_same_on_every_instruction_set(instruction_set: str) -> None:
    name, answers = units_of(instruction_set)
    assert name == instruction_set
    best, reference = units_of("")
    assert best == _core.instruction_set or "STARCCG_ISA" in os.environ
    assert len(answers) == len(reference)
    for own, other in zip(answers, reference, strict=True):
        np.testing.assert_allclose(own, other, rtol=0, atol=1e-5)


@pytest.mark.parametrize("instruction_set", ["avx1024", "AVX2", "baseline "])
def test_an_unknown_instruction_set_is_refused_with_those_there_are(instruction_set: str) -> None:
    run = run_with(instruction_set)
    assert run.returncode != 0
    assert f"STARCCG_ISA={instruction_set}: this machine runs" in run.stderr
    assert "baseline" in run.stderr.splitlines()[-1]
