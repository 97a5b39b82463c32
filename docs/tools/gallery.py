"""Write docs/gallery.md: ten sentences that a linguist would try first, parsed by the English model of the package.

python docs/tools/gallery.py    (again after a new model; read the page before you commit it)
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import starccg

SENTENCES = {
    "She gave the dog a bone.": "A verb with two objects.",
    "The report that she wrote surprised everyone.": "A relative clause: *report* is the object of *wrote*.",
    "John likes and Mary hates the old song.": "Right node raising: both verbs should share the object *song*.",
    "What did she give him?": "A question: the gap of *give* is passed up by composition.",
    "He wants to leave.": "Control: *he* is the subject of *wants* and of *leave*.",
    "The cake was eaten by the children.": "A passive.",
    "Alice sang and Bob danced.": "Coordination of sentences.",
    "She saw the man with the telescope.": "An ambiguous attachment; `--nbest 3` shows the others.",
    "I know who you met.": "An embedded question.",
    "It was raining when the train arrived.": "An adverbial clause.",
}
WRONG = {"John likes and Mary hates the old song."}
"""Sentences that the model gets wrong now."""


def main() -> None:
    """Write the page."""
    parser = starccg.load()
    lines = [
        "# Gallery",
        "",
        "Ten sentences that a linguist would try first, as the English model of the package parses them. The best "
        "parse under the model is not always the right one; where it is wrong, the caption says so. The links open a "
        "sentence in [the explorer](explorer.md) of a running `starccg serve`. `python docs/tools/gallery.py` writes "
        "this page.",
        "",
    ]
    for number, (text, caption) in enumerate(SENTENCES.items(), 1):
        best = parser.parse(text).best
        link = f"http://localhost:8000/?{urlencode({'s': text})}"
        wrong = " **The model gets this one wrong.**" if text in WRONG else ""
        lines += [f"## {number}. {text}", "", f"{caption}{wrong} [Open it]({link}).", ""]
        lines += ["```text", best.draw(110), best.proof, "```", ""]
    Path(__file__).parents[1].joinpath("gallery.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
