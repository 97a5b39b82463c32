"""The page ``/docs``: the OpenAPI description as HTML. It is made here, so that it loads nothing from other servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

STYLE = """\
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { padding: .75rem; overflow-x: auto; border: 1px solid #8886; border-radius: .4rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884; }
h2 { margin-top: 2.5rem; }
.method { font-weight: bold; color: #446eb6; }
"""


def render(description: dict[str, Any]) -> str:
    """The page."""
    return "\n".join(_page(description))


def _page(description: dict[str, Any]) -> Iterator[str]:
    info = description["info"]
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<title>{escape(info["title"])}: HTTP</title><link rel="stylesheet" href="docs.css">'
    yield '<link rel="icon" href="static/favicon.svg" type="image/svg+xml"></head><body><main>'
    yield f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info.get('summary', ''))}. "
    yield '<a href="./">The page</a>, <a href="openapi.json">OpenAPI</a>.</p>'
    used: set[str] = set()
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield from _operation(path, method, operation, used)
    yield "<h2>Schemas</h2>"
    for name, schema in description["components"]["schemas"].items():
        if name not in ("HTTPValidationError", "ValidationError"):
            yield from _schema(name, schema)
    yield "</main></body></html>"


def _operation(path: str, method: str, operation: dict[str, Any], used: set[str]) -> Iterator[str]:
    yield f'<h2><span class="method">{method.upper()}</span> <code>{escape(path)}</code></h2>'
    yield f"<p>{escape(operation.get('description', ''))}</p>"
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        yield f"<p>Body: {_type(body)}</p>"
    yield "<table><thead><tr><th>status</th><th>answer</th><th></th></tr></thead><tbody>"
    for status, answer in operation["responses"].items():
        kinds = [
            _type(media["schema"]) if media.get("schema") else f"<code>{escape(kind)}</code>"
            for kind, media in answer.get("content", {}).items()
        ]
        yield f"<tr><td>{status}</td><td>{' or '.join(kinds)}</td><td>{escape(answer['description'])}</td></tr>"
    yield "</tbody></table>"


def _schema(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{escape(name)}"><code>{escape(name)}</code></h3><p>{escape(schema.get("description", ""))}</p>'
    yield "<table><thead><tr><th>field</th><th>type</th><th></th></tr></thead><tbody>"
    required = schema.get("required", [])
    for field, kind in schema.get("properties", {}).items():
        notes = [kind.get("description", "")]
        if field in required and "Request" in name:
            notes.append("Required.")
        elif kind.get("default") is not None:
            notes.append(f"Default: {json.dumps(kind['default'])}.")
        described = escape(" ".join(filter(None, notes)))
        yield f"<tr><td><code>{escape(field)}</code></td><td>{_type(kind)}</td><td>{described}</td></tr>"
    yield "</tbody></table>"
    for example in schema.get("examples", []):
        yield f"<pre>{escape(json.dumps(example, ensure_ascii=False))}</pre>"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}"><code>{name}</code></a>'
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(part) for part in schema[key])
    if "enum" in schema or "const" in schema:
        return " or ".join(
            f"<code>{escape(json.dumps(value))}</code>" for value in schema.get("enum", [schema.get("const")])
        )
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("type", "any")))
