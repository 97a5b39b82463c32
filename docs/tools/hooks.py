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
from mkdocs.structure.pages import Page

OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "README.md": "index.md"}
"""Pages that lie beside ``docs``, where people look for them, and what they are called in the site."""
NOTEBOOK = "tutorial.ipynb"
LINK = re.compile(r"\]\(\.\./([^)#:]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not Markdown files of ``docs``, and the files outside of it that pages link to."""
    docs = Path(config.docs_dir)
    for name, page in OUTSIDE.items():
        if page != "index.md":
            text = (docs.parent / name).read_text("utf-8")
            files.append(File.generated(config, page, content=text.replace("](docs/", "](")))
    text = notebook_markdown(json.loads((docs / NOTEBOOK).read_text("utf-8")))
    files.append(File.generated(config, NOTEBOOK.replace(".ipynb", ".md"), content=text))
    links = {name for page in docs.glob("*.md") for name in LINK.findall(page.read_text("utf-8"))}
    for name in sorted(links - set(OUTSIDE)):
        if (docs.parent / name).is_file():
            files.append(File.generated(config, name, abs_src_path=str(docs.parent / name)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links that lead out of ``docs``, or to the notebook, lead to what the site has in their place."""
    if "/" not in page.file.src_uri:
        markdown = LINK.sub(lambda link: f"]({OUTSIDE.get(link[1], link[1])})", markdown)
    return markdown.replace(f"]({NOTEBOOK})", "](tutorial.md)")


def notebook_markdown(notebook: dict[str, Any]) -> str:
    """The cells in order, code with what it gave."""
    parts = [f'<a href="{NOTEBOOK}" download>The notebook</a>, to run it yourself.\n']
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
