"""The messages in Python modules: the texts of exceptions, of ``typer.echo`` and of our own functions that report."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

REPORTS = frozenset("echo warn fail _fail _say failed report ApiError Failed BadParameter".split())  # noqa: SIM905
"""Functions and classes whose arguments are messages, besides the exceptions that are raised."""

RETURNS = frozenset(
    "describe summary proof remark install_extra stop_reason _gap _report_usage difference unknown_format".split()  # noqa: SIM905
)
"""Functions that return messages."""

TABLES = frozenset("DECODERS FORMATS UNRECORDED UNSEARCHED NO_DERIVATION REWORDED _LIMITS".split())  # noqa: SIM905
"""Constants with texts that are reported or shown elsewhere."""


def python_texts(source: str) -> Iterator[str]:
    """The messages of a module in the order of the source; what is filled in later stands in braces."""
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _reports(node)]
    calls += [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    given = [each for call in set(calls) for each in (*call.args, *(keyword.value for keyword in call.keywords))]
    given += [_assigned(tree, each) for each in given if isinstance(each, ast.Name)]
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in RETURNS:
            given += [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    constants = _constants(tree)
    used = {node.id for each in given for node in ast.walk(each) if isinstance(node, ast.Name)}
    given += [value for name, value in constants.items() if name in used | TABLES]
    for argument in sorted(given, key=lambda each: (each.lineno, each.col_offset)):
        for text in _texts(argument):
            if re.search(r"[a-z]{2,} [a-z]", text):
                yield text


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """The constants of a module."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                if name.isupper():
                    found[name] = value
    return found


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
    """Whether it reports, or makes an error (which may be returned and raised elsewhere)."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in REPORTS or name.endswith("Error")


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
        case ast.Dict(_, values):
            for value in values:
                yield from _texts(value)
        case ast.DictComp(generators=[ast.comprehension(iter=ast.Tuple(forms))]):
            for form in forms:
                yield from _texts(form)
        case ast.Call(ast.Name("Format"), arguments):
            for argument in arguments:
                yield from _texts(argument)
        case ast.Lambda(_, body):
            yield from _texts(body)


def _part(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(getattr(part, 'value', part))}}}"
