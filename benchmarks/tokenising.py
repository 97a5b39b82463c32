"""How well our tokens and sentences agree with a treebank's: ``python benchmarks/tokenising.py en_ewt-ud-dev.conllu``.

Tokens are compared on each ``# text`` line, sentences on paragraphs put together from those lines. Both count spans: a
span is right if the treebank has one with the same first and last letter (spaces are ignored).
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from starccg.text import sentences, tokenise


class Gold(NamedTuple):
    text: str
    forms: list[str]
    starts_paragraph: bool


def read(path: Path) -> list[Gold]:
    found = []
    text, forms, paragraph = "", [], False
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# text = "):
            text = line[9:]
        elif line.startswith(("# newpar", "# newdoc")):
            paragraph = True
        elif line and line[0] != "#":
            fields = line.split("\t")
            if fields[0].isdigit():
                forms.append(fields[1])
        elif not line and forms:
            found.append(Gold(text, forms, paragraph))
            text, forms, paragraph = "", [], False
    return found


def squeezed(pieces: list[str]) -> set[tuple[int, int]]:
    """Spans of the pieces in the text without spaces."""
    spans, position = set(), 0
    for piece in pieces:
        size = len("".join(piece.split()))
        spans.add((position, position + size))
        position += size
    return spans


def f1(right: int, predicted: int, gold: int) -> str:
    precision, recall = right / max(1, predicted), right / max(1, gold)
    score = 2 * precision * recall / max(1e-9, precision + recall)
    return f"precision {100 * precision:.2f}  recall {100 * recall:.2f}  F1 {100 * score:.2f}"


def main(path: Path, show: int) -> None:
    gold = read(path)
    right = predicted = total = skipped = 0
    errors: Counter[tuple[str, str]] = Counter()
    started = time.perf_counter()
    for sentence in gold:
        if "".join("".join(sentence.forms).split()) != "".join(sentence.text.split()):
            skipped += 1  # a form that is not a piece of the text
            continue
        ours = [token.text for token in tokenise(sentence.text, split_hyphens=True)]
        a, b = squeezed(ours), squeezed(sentence.forms)
        right, predicted, total = right + len(a & b), predicted + len(a), total + len(b)
        if show and a != b:
            flat = "".join(sentence.text.split())
            cuts = sorted({end for _, end in a} & {end for _, end in b})
            for first, last in zip([0, *cuts], cuts, strict=False):
                mine = " ".join(flat[s:e] for s, e in sorted(a) if first <= s and e <= last)
                theirs = " ".join(flat[s:e] for s, e in sorted(b) if first <= s and e <= last)
                if mine != theirs:
                    errors[mine, theirs] += 1
    seconds = time.perf_counter() - started
    print(f"tokens:    {f1(right, predicted, total)}  ({total} tokens, {skipped} sentences left out, {seconds:.1f} s)")
    right = predicted = total = 0
    for start, sentence in enumerate(gold):
        if start and not sentence.starts_paragraph:
            continue
        end = start + 1
        while end < len(gold) and not gold[end].starts_paragraph:
            end += 1
        texts = [entry.text for entry in gold[start:end]]
        whole = " ".join(texts)
        a = squeezed([whole[found.start : found.end] for found in sentences(whole, split_hyphens=True)])
        b = squeezed(texts)
        right, predicted, total = right + len(a & b), predicted + len(a), total + len(b)
    print(f"sentences: {f1(right, predicted, total)}  ({total} sentences)")
    for (mine, theirs), count in errors.most_common(show):
        print(f"{count:5}  ours: {mine}   treebank: {theirs}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
