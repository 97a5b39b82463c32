"""What a training tells people: a bar while it works, a line when there is something to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starccg.training.globalmodel.trainer import Progress as GlobalProgress
    from starccg.training.tagger.trainer import Progress as TaggerProgress

Bar = Callable[[str, int, int], None]
"""Shows a label, what is done, and of how much."""
Say = Callable[[str], None]


def no_bar(label: str, done: int, total: int) -> None:
    """Shows nothing."""


def watch_tagger(say: Say, bar: Bar = no_bar, name: str = "") -> Callable[..., None]:
    """A watcher of a tagger's training; its second argument, if any, is added to the name."""

    def watch(step: TaggerProgress, more: str = "") -> None:
        label = f"{name}{more} epoch {step.epoch}/{step.epochs} loss {step.loss:.3f}".strip()
        bar(label, step.batch, step.batches)
        if step.metrics is not None:
            dev = "".join(
                f"  {key} {100 * value:.2f}"
                for key, value in step.metrics.items()
                if key not in ("epoch", "loss", "seconds")
            )
            say(f"{label}{dev}  {step.metrics['seconds']:.1f} s")

    return watch


def watch_global(say: Say, bar: Bar = no_bar) -> Callable[[GlobalProgress], None]:
    """A watcher of a global model's training."""
    said = ""

    def watch(progress: GlobalProgress) -> None:
        nonlocal said
        line = progress.line
        if line is not None and line["event"] == "train":
            said = f"{line['times']['sentences_per_second']:.0f}/s  violations {line['violations']:.1f}"
        bar(f"epoch {progress.epoch}/{progress.epochs}  {said}", progress.position, progress.sentences)
        if line is not None:
            say(describe(line))

    return watch


def describe(line: dict[str, Any]) -> str:
    """A line of a global model's metrics for people."""
    times = line["times"]
    if line["event"] == "train":
        spent = sum(value for name, value in times.items() if name.endswith("_seconds")) or 1.0
        parts = "/".join(f"{100 * times[f'{part}_seconds'] / spent:.0f}" for part in ("encode", "search", "replay"))
        return (
            f"{line['sentences']:>8}  {times['sentences_per_second']:.0f} sentences/s (encode/search/replay {parts}%)  "
            f"violations {line['violations']:.1f}  gold found {100 * line['gold_found']:.1f}%  "
            f"explored {line['explored']:.0f}"
        )
    name = "tags alone" if line["event"] == "baseline" else f"{line['sentences']:>8}"
    return (
        f"{name}  dev F1 {line['f1']:.2f}  optimal {100 * line['optimal']:.1f}%  explored {line['explored']:.1f}  "
        f"({times['seconds']:.1f} s)"
    )
