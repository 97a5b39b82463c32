"""Steps are done once; a damaged record of one is named, with what to do about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from starccg.errors import StarccgError
from starccg.training.pipeline.steps import Step, Steps

DAMAGE = {
    "empty": b"",
    "cut off": b'{"outputs": {}, "res',
    "not UTF-8": b"\xff\xfe",
    "nested too deep": b"[" * 100_000,
    "a list": b"[1]",
    "null": b"null",
    "no result": b'{"outputs": {}}',
    "a result that is a number": b'{"outputs": {}, "result": 3}',
    "outputs that are a list": b'{"outputs": [], "result": {}}',
}


def step(folder: Path, done: list[int]) -> Step:
    def work() -> dict[str, int]:
        done.append(1)
        (folder / "out").write_text("made")
        return {"made": len(done)}

    return Step("Make it", work, outputs=[folder / "out"])


def test_a_step_is_done_again_only_if_its_output_changed(tmp_path: Path) -> None:
    done: list[int] = []
    for _ in range(2):
        assert Steps(tmp_path).run(step(tmp_path, done)) == {"made": 1}
    (tmp_path / "out").write_text("changed")
    assert Steps(tmp_path).run(step(tmp_path, done)) == {"made": 2}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_record_is_named_and_the_step_is_done_again_without_it(name: str, tmp_path: Path) -> None:
    done: list[int] = []
    Steps(tmp_path).run(step(tmp_path, done))
    (record,) = (tmp_path / "steps").iterdir()
    assert json.loads(record.read_text())["result"] == {"made": 1}
    record.write_bytes(DAMAGE[name])
    with pytest.raises(StarccgError, match="remove it, and the step is done again") as raised:
        Steps(tmp_path).run(step(tmp_path, done))
    assert str(raised.value).startswith(f"{record} is damaged (")
    record.unlink()
    assert Steps(tmp_path).run(step(tmp_path, done)) == {"made": 2}
