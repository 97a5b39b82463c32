"""Run a notebook's code in order and store what it gives, as Jupyter would; Jupyter is not needed.

    python docs/tools/notebook.py docs/tutorial.ipynb

The tests run the tutorial with it too. What a cell's last line gives is stored as HTML where it has any, else as text.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


def run(notebook: Cell) -> Iterator[Cell]:
    """Run all code cells in one namespace; gives each of them, with its new outputs, once it has run."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["execution_count"] = number
            cell["outputs"] = outputs("".join(cell["source"]), namespace, number)
            yield cell


def outputs(source: str, namespace: dict[str, Any], number: int) -> list[Cell]:
    """What a cell prints, and what its last line gives."""
    body = ast.parse(source, f"cell {number}")
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with redirect_stdout(printed):
        exec(compile(body, f"cell {number}", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
    found: list[Cell] = []
    if text := printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": value._repr_html_().splitlines(keepends=True), **data}
        found.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return found


def main(path: Path) -> None:
    """Run it and write it back."""
    notebook = json.loads(path.read_text("utf-8"))
    for cell in run(notebook):
        print(f"cell {cell['execution_count']}: {len(cell['outputs'])} outputs", file=sys.stderr)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
