"""The steps from teachers to students: taggers that learn from what stronger ones say of text.

Teachers learn from the treebanks. Their tags of the treebanks and of raw text, averaged, are in ``soft/``. A student
learns from those and from the gold tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from starccg.training.pipeline.pipeline import Pipeline
from starccg.training.pipeline.steps import Result, Step
from starccg.training.tagger.config import TaggerConfig
from starccg.training.tagger.run import run_distil, run_training, soft_path

SOFT = "soft"


def teacher_names(teachers: Sequence[TaggerConfig]) -> list[str]:
    """The folders that the teachers are trained in."""
    return [f"teacher-{number}" for number in range(1, len(teachers) + 1)]


def distil(pipeline: Pipeline, students: Sequence[TaggerConfig], teachers: Sequence[TaggerConfig]) -> Result:
    """Write the teachers' tags of all that the students learn from."""
    folders = [pipeline.out / name for name in teacher_names(teachers)]
    target = pipeline.out / SOFT
    paths = sorted({entry.path for student in students for entry in student.corpora()})
    outputs = [soft_path(target, path) for path in paths]

    def work() -> Result:
        for student in students:
            run_distil(
                student, folders, pipeline.data, target, pipeline.resources.device, watch=pipeline.watch("distil")
            )
        return {"files": [path.name for path in outputs]}

    inputs = [*(folder / "best.safetensors" for folder in folders), *(pipeline.data / path for path in paths)]
    return pipeline.run(Step("distil", work, inputs, [asdict(student)["distil"] for student in students], outputs))


def train_student(
    pipeline: Pipeline, config: TaggerConfig, teachers: Sequence[TaggerConfig], name: str, start: int = 0
) -> Result:
    """Train a tagger in the folder ``name`` on gold tags and on the teachers' tags.

    ``start``: the teacher, counted from 1, whose weights it begins with.
    """
    folder, soft = pipeline.out / name, pipeline.out / SOFT
    names = teacher_names(teachers)
    first: Path | None = pipeline.out / names[start - 1] if start else None

    def work() -> Result:
        return run_training(
            config, pipeline.data, folder, pipeline.resources.device, watch=pipeline.watch(name),
            soft=soft, teacher=pipeline.out / names[0], start=first,
        )  # fmt: skip

    taught = [soft_path(soft, entry.path) for entry in config.corpora()]
    inputs = [*pipeline.files_of(config), *taught, *([first / "best.safetensors"] if first else [])]
    return pipeline.run(Step(name, work, inputs, asdict(config), [folder / "best.safetensors"], folder))
