"""Write docs/gallery.md: ten sentences that a linguist would try first, parsed by the English model of the package.

python docs/tools/gallery.py    (again after a new model; read the page before you commit it)
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import starccg

SENTENCES: dict[str, tuple[str, dict[str, str]]] = {
    "She gave the dog a bone.": ("A verb with two objects.", {"gave": r"((S[dcl]\NP)/NP)/NP"}),
    "The report that she wrote surprised everyone.": (
        "A relative clause: *report* is the object of *wrote*.",
        {"that": r"(NP\NP)/(S[dcl]/NP)", "wrote": r"(S[dcl]\NP)/NP"},
    ),
    "John likes and Mary hates the old song.": (
        "Right node raising: both verbs should share the object *song*.",
        {"likes": r"(S[dcl]\NP)/NP", "hates": r"(S[dcl]\NP)/NP"},
    ),
    "What did she give him?": (
        "A question: the gap of *give* is passed up by composition.",
        {"What": "S[wq]/(S[q]/NP)", "give": r"((S[b]\NP)/NP)/NP"},
    ),
    "He wants to leave.": (
        "Control: *he* is the subject of *wants* and of *leave*.",
        {"wants": r"(S[dcl]\NP)/(S[to]\NP)"},
    ),
    "The cake was eaten by the children.": ("A passive.", {"eaten": r"S[pss]\NP"}),
    "Alice sang and Bob danced.": ("Coordination of sentences.", {"sang": r"S[dcl]\NP", "danced": r"S[dcl]\NP"}),
    "She saw the man with the telescope.": ("An ambiguous attachment; `--nbest 3` shows the others.", {}),
    "I know who you met.": ("An embedded question.", {"know": r"(S[dcl]\NP)/S[qem]", "met": r"(S[dcl]\NP)/NP"}),
    "It was raining when the train arrived.": ("An adverbial clause.", {"arrived": r"S[dcl]\NP"}),
}
"""What each shows, and the categories of words in the right reading."""


def page(parser: starccg.Parser) -> str:
    """The page under a model. It has no scores, which change with every model."""
    lines = [
        "# Gallery",
        "",
        "Ten sentences that a linguist would try first, as the English model of the package parses them. The best\n"
        "parse under the model is not always the right one; where it is wrong, the caption says so. The links open\n"
        "a sentence in [the explorer](explorer.md) of a running `starccg serve`. `python docs/tools/gallery.py`\n"
        "writes this page.",
        "",
    ]
    for number, (text, (caption, right)) in enumerate(SENTENCES.items(), 1):
        best = parser.parse(text).best
        found = dict(zip(best.words, map(str, best.supertags), strict=True))
        wrong = "" if right.items() <= found.items() else " **The model gets this one wrong.**"
        link = f"http://localhost:8000/?{urlencode({'s': text})}"
        lines += [f"## {number}. {text}", "", f"{caption}{wrong}", f"[Open it]({link}).", ""]
        lines += ["```text", best.draw(110), best.proof.partition(", ")[2], "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Write the page."""
    Path(__file__).parents[1].joinpath("gallery.md").write_text(page(starccg.load()), encoding="utf-8")


if __name__ == "__main__":
    main()
