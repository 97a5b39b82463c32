"""Every message that a user can see is listed in ``tests/messages.txt`` and follows the rules of plain English.

The messages are read from the source: the texts of exceptions, of ``typer.echo`` and of our own functions that report.
After a message was added or changed, ``python -m tests.test_messages`` writes the file again; its diff is for the
reviewer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "starccg"
LISTING = Path(__file__).with_name("messages.txt")

REPORTS = frozenset("echo warn fail _fail _say failed report ApiError Failed BadParameter".split())  # noqa: SIM905
"""Functions and classes whose arguments are messages, besides the exceptions that are raised."""

RETURNS = frozenset("describe summary proof remark install_extra stop_reason _gap _report_usage".split())  # noqa: SIM905
"""Functions that return messages."""

BANNED = re.compile(
    r"\b(told|tells|at hand|so many|whoever|nobody|somebody|half a character|blanks?|(is|not) whole|of ours|by lot"
    r"|passed over|comes near|for ever|please|sorry|oops|I|we|our|us|my)\b|!(?!=)"
)
"""Riddles, politeness, the first person and exclamation marks."""

NAMES = re.compile(r"[A-Z]+\b|[A-Z]\w*[A-Z&]|U\+|(Prolog|Content-(Type|Length)|Lazy scoring)\b")
"""Words that keep their capital at the beginning of a message."""


def messages(path: Path) -> Iterator[str]:
    """The messages of a module in the order of the source; what is filled in later stands in braces."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _reports(node)]
    calls += [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    given = [each for call in set(calls) for each in (*call.args, *(keyword.value for keyword in call.keywords))]
    given += [_assigned(tree, each) for each in given if isinstance(each, ast.Name)]
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in RETURNS:
            given += [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    for argument in sorted(given, key=lambda each: (each.lineno, each.col_offset)):
        for text in _texts(argument):
            if re.search(r"[a-z]{2,} [a-z]", text):
                yield text


def _assigned(tree: ast.Module, name: ast.Name) -> ast.expr:
    """What was assigned last, above the call, to a variable that is then reported."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and node.lineno < name.lineno
        and any(isinstance(target, ast.Name) and target.id == name.id for target in node.targets)
    ]
    return max(found, key=lambda node: node.lineno).value if found else name


def _reports(call: ast.Call) -> bool:
    function = call.func
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) in REPORTS


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str() as text):
            yield " ".join(text.split())
        case ast.JoinedStr(parts):
            yield " ".join("".join(map(_part, parts)).split())
        case ast.IfExp(_, first, second):
            yield from _texts(first)
            yield from _texts(second)
        case ast.BinOp(left, ast.Add(), right):
            yield from _texts(left)
            yield from _texts(right)


def _part(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(getattr(part, 'value', part))}}}"


def listing() -> str:
    """All messages by module."""
    blocks = []
    for path in sorted(SOURCE.rglob("*.py")):
        found = list(dict.fromkeys(messages(path)))
        if found:
            blocks.append("\n".join([path.relative_to(SOURCE).as_posix(), *(f"    {text}" for text in found)]))
    return "\n".join(blocks) + "\n"


def faults(text: str) -> list[str]:
    """The rules that a message breaks."""
    plain = re.sub(r"\{[^{}]*\}|'[^']*'", "…", text)
    found = [f"contains {banned[0]!r}" for banned in [BANNED.search(plain)] if banned]
    if re.match(r"[A-Z]", plain) and not NAMES.match(plain):
        found.append("begins with a capital")
    if re.search(r"[^.]\.$", plain):
        found.append("ends with a full stop")
    return found


def test_every_message_is_listed_and_plain_english() -> None:
    found = listing()
    assert found == LISTING.read_text(encoding="utf-8"), "run python -m tests.test_messages and review the diff"
    texts = [line.strip() for line in found.splitlines() if line.startswith(" ")]
    assert texts
    assert {text: broken for text in texts if (broken := faults(text))} == {}


@pytest.mark.parametrize(
    "text", ["Please try again", "we cannot read it", "The file is bad", "it is bad.", "half a character", "no file!"]
)
def test_the_rules_refuse(text: str) -> None:
    assert faults(text)


if __name__ == "__main__":
    LISTING.write_text(listing(), encoding="utf-8")
