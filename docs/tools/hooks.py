"""What the site needs beyond the pages: the notebook as a page, and the pages that lie outside ``docs``.

The notebook is turned into Markdown here, in a few lines: a plugin for it would bring all of Jupyter. Its outputs are
shown as they are stored; the tests see to it that its code runs.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

OUTSIDE = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Pages of the site that lie beside ``docs``, where people look for them."""
NOTEBOOK = "tutorial.ipynb"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not Markdown files of ``docs``."""
    docs = Path(config.docs_dir)
    for page, name in OUTSIDE.items():
        text = (docs.parent / name).read_text("utf-8")
        files.append(File.generated(config, page, content=text.replace("](docs/", "](")))
    text = notebook_markdown(json.loads((docs / NOTEBOOK).read_text("utf-8")))
    files.append(File.generated(config, NOTEBOOK.replace(".ipynb", ".md"), content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links that lead out of ``docs``, or to the notebook, lead to pages of the site here."""
    for page, name in OUTSIDE.items():
        markdown = markdown.replace(f"](../{name}", f"]({page}")
    return markdown.replace("](../README.md)", "](index.md)").replace(f"]({NOTEBOOK}", "](tutorial.md")


def notebook_markdown(notebook: dict[str, Any]) -> str:
    """The cells in order, code with what it gave."""
    parts = [f"[The notebook]({NOTEBOOK}?download) to run it yourself.\n"]
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{source}\n```")
            shown = [output_html(output) for output in cell["outputs"]]
            if shown:
                parts.append("\n".join(['<div class="notebook-output">', *shown, "</div>"]))
    title = parts.pop(1)
    return "\n\n".join([title, *parts]) + "\n"


def output_html(output: dict[str, Any]) -> str:
    """One output of a cell: as HTML or as a picture if it is one, else as text."""
    data = output.get("data", {})
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return re.sub(r"\n\s*\n", "\n", "".join(data[kind]))  # an empty line would end the block
    text = "".join(output.get("text", data.get("text/plain", "")))
    return f"<pre>{html.escape(text.rstrip(), quote=False)}</pre>".replace("\n\n", "\n&#8203;\n")
