"""Every text that a user can see is listed in ``tests/messages.txt`` and follows the rules of plain English.

The texts are read from the source: messages of the Python modules and of the native core, and all that the page shows.
After one was added or changed, ``python -m tests.test_messages`` writes the file again; its diff is for the reviewer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.messages.native import native_texts
from tests.messages.page import html_texts, script_texts, style_texts
from tests.messages.python import python_texts

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "starccg"
LISTING = Path(__file__).with_name("messages.txt")

PLACES: tuple[tuple[Path, Path, str, Callable[[str], Iterable[str]]], ...] = (
    (SOURCE, SOURCE, "*.py", python_texts),
    (SOURCE, SOURCE / "server" / "static", "*.html", html_texts),
    (SOURCE, SOURCE / "server" / "static", "*.js", script_texts),
    (SOURCE, SOURCE / "server" / "static", "*.css", style_texts),
    (ROOT, ROOT / "native", "*.[ch]pp", native_texts),
)
"""Where texts are: what their listed path is relative to, the folder, its files, and how to read them."""

SENTENCES = ("server/static/", "server/describe.py", "server/recorded.py")
"""Where texts may be whole sentences, with a capital and a full stop: what the page shows."""

BANNED = re.compile(
    r"\b(told|tells|at hand|so many|whoever|nobody|somebody|half a character|blanks?|(is|not) whole|of ours|by lot"
    r"|passed over|comes near|for ever|falls? for|made up|in (its|their) place|into no|as deep as"
    r"|[Pp]lease|[Ss]orry|[Oo]ops|I|[Ww]e|[Oo]ur|us|[Mm]y)\b|!(?!=)"
)
"""Riddles, politeness, the first person and exclamation marks."""

NAMES = re.compile(
    r"[A-Z]+\b|[A-Z]\w*[A-Z&]|U\+|(Jigg|Penn|Prolog|Universal Dependencies|Content-(Type|Length)|Lazy scoring)\b"
)
"""Words that keep their capital at the beginning of a message."""


def listing() -> str:
    """All texts by file."""
    blocks = []
    for base, folder, files, texts in PLACES:
        for path in sorted(folder.rglob(files)):
            if folder.name == "native" and path.parent != folder:
                continue  # its tests
            found = list(dict.fromkeys(texts(path.read_text(encoding="utf-8"))))
            if found:
                blocks.append("\n".join([path.relative_to(base).as_posix(), *(f"    {text}" for text in found)]))
    return "\n".join(blocks) + "\n"


def faults(text: str, *, sentence: bool = False) -> list[str]:
    """The rules that a text breaks; one that may be a sentence begins and ends as it likes, if it ends all alike."""
    plain = re.sub(r"\{[^{}]*\}|“[^”]*”" if sentence else r"\{[^{}]*\}|'[^']*'", "…", text)
    found = [f"contains {banned[0]!r}" for banned in [BANNED.search(plain)] if banned]
    if sentence:
        if re.search(r"[a-z…)]{2}[.?] [A-Z]", plain) and not re.search(r"[.?:…]$", plain):
            found.append("does not end as its first sentence does")
        return found
    if re.match(r"[A-Z]", plain) and not NAMES.match(plain):
        found.append("begins with a capital")
    if re.search(r"[^.]\.$", plain):
        found.append("ends with a full stop")
    return found


def listed(listing: str) -> list[tuple[str, str]]:
    """The files and texts of a listing."""
    found, path = [], ""
    for line in listing.splitlines():
        if line.startswith(" "):
            found.append((path, line.strip()))
        else:
            path = line
    return found


def test_every_message_is_listed_and_plain_english() -> None:
    found = listing()
    assert found == LISTING.read_text(encoding="utf-8"), "run python -m tests.test_messages and review the diff"
    texts = listed(found)
    assert len(texts) > 900
    assert [
        (path, text, broken) for path, text in texts if (broken := faults(text, sentence=path.startswith(SENTENCES)))
    ] == []


@pytest.mark.parametrize(
    "text", ["Please try again", "we cannot read it", "The file is bad", "it is bad.", "half a character", "no file!"]
)
def test_the_rules_refuse(text: str) -> None:
    assert faults(text)


@pytest.mark.parametrize(
    "text", ["The model falls for this one.", "It is late. Try again", "Copied!", "Our server is busy."]
)
def test_the_rules_refuse_on_the_page(text: str) -> None:
    assert faults(text, sentence=True)


SCRIPT = r"""
import { make } from "./planted/path.js"; // "planted comment"
/* "planted comment" */
const kind = name === "planted name" ? "shown after a comparison" : `shown, with ${plural(n, "shown inside")} of ${n}`;
const parts = text.split(/["'`]planted regex/), ratio = a / b / "shown after a division".length;
switch (kind) { case "planted case": place.textContent = "shown as text"; }
make("planted-tag", { class: `planted ${on ? "planted-class" : ""}`, id: "planted", title: "shown as title",
  "aria-label": busy ? "shown to screen readers" : null, click: () => announce("shown on click") }, "shown as child");
button.setAttribute("class", "planted"), button.setAttribute("aria-label", "shown as label");
document.querySelector("[data-planted]").addEventListener("planted", () => { throw new Error("shown as error"); });
const TITLES = { planted: "shown by key", "planted key": `shown: ${{ a: "shown in braces" }[key]}` };
context.fillStyle = dark ? "planted" : "#fff";
context.fillText("shown \u201con\u201d canvas \
and on", 0, 0);
"""
HTML = """<!doctype html><title>shown title</title><meta name="description" content="shown description">
<meta name="viewport" content="planted"><style>.planted {}</style><script>"planted"</script><!-- planted -->
<p class="planted" title="shown tooltip">shown <kbd>key</kbd> &amp; all</p><button id="planted">shown button</button>
<input placeholder="shown hint" value="planted"><template><i aria-label="shown in a template"></i></template>"""
NATIVE = r"""
#include "planted include.hpp"  // "planted comment"
void f() {
    if (bad) throw std::invalid_argument("shown: word " + std::to_string(word) + " has (no) tag, not " +
                                         std::string(name) + ")");
    check(count > 1 ? "shown one" : "shown another one", "planted");
}
"""


def test_every_text_of_a_script_is_found_and_no_name() -> None:
    found = list(script_texts(SCRIPT))
    assert [text for text in found if "planted" in text] == []
    assert found == [
        "shown after a comparison",
        "shown, with {…} of {n}",
        "shown inside",
        "shown after a division",
        "shown as text",
        "shown as title",
        "shown to screen readers",
        "shown on click",
        "shown as child",
        "shown as label",
        "shown as error",
        "shown by key",
        "shown: {…}",
        "shown in braces",
        "shown “on” canvas and on",
    ]


def test_every_text_of_a_page_is_found_and_no_name() -> None:
    assert html_texts(HTML) == [
        "shown title",
        "shown description",
        "shown tooltip",
        "shown key & all",
        "shown button",
        "shown hint",
        "shown in a template",
    ]


def test_every_text_of_a_style_sheet_is_found() -> None:
    style = ".planted::before { content: 'shown before'; } .after { justify-content: start; content: \"\"; }"
    assert style_texts(style) == ["shown before"]


def test_every_message_of_the_core_is_found() -> None:
    assert list(native_texts(NATIVE)) == [
        "shown: word {word} has (no) tag, not {name})",
        "shown one",
        "shown another one",
    ]


if __name__ == "__main__":
    LISTING.write_text(listing(), encoding="utf-8")
