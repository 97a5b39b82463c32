r"""JSON: derivations for other programs, as one array (``.json``) or one sentence on each line (``.jsonl``).

A derivation is flat, so that deep trees need no recursion. The tokens come first; each node then refers to its children
by number. Tokens are numbered from 0, nodes continue after the last token, and the last node is the root::

    {"id": "1",
     "tokens": [{"word": "It", "category": "NP", "pos": "PRP"},
                {"word": "works", "category": "S[dcl]\\NP", "pos": "VBZ"}],
     "nodes": [{"category": "S[dcl]", "rule": "<", "children": [0, 1], "head": 1}]}

Keys whose value is the default are left out: ``fields`` (``[]``), ``conj_suffix`` (false), and of a token
``pos`` and ``original_pos`` (``X``, unknown), ``indexed`` and ``lemma`` (null).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.derivation import UNKNOWN_POS, Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.rules import RULE_BY_LABEL, Rule
from starccg.formats.errors import FormatError, Misread, Source, name_of, numbered_lines, report

_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANKS = " \t\r\n"


def dumps(value: Any) -> str:
    """The JSON of a value in one line; an unpaired surrogate, which UTF-8 cannot encode, is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or not _SURROGATE.search(text) else json.dumps(value)


def write_jsonl(sentences: Iterable[Sentence]) -> Iterator[str]:
    """A line for each sentence."""
    for sentence in sentences:
        yield dumps(to_json(sentence))


def write_json(sentences: Iterable[Sentence]) -> Iterator[str]:
    """One array, one sentence per line."""
    before = "["
    for line in write_jsonl(sentences):
        yield before
        yield line
        before = ","
    yield "[]" if before == "[" else "]"


def read_jsonl(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences in order; a malformed line raises :class:`FormatError` or, with ``bad`` given, is added to it."""
    for name, number, line in numbered_lines(source, bad):
        if line.strip(_BLANKS):
            try:
                yield from map(from_json, _parses(_decode(line, name, number)))
            except Misread as error:
                report(error.located(name, number), bad)
            except FormatError as error:
                report(error, bad)


def read_json(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of an array, or of objects one after the other, as ``starccg parse`` writes them.

    The error of a malformed one has the position where it begins.
    """
    name = name_of(source)
    text = "\n".join(line for _, _, line in numbered_lines(source))
    line, begin, counted = 1, 0, 0  # lines are counted on from the last error, since every element can be wrong
    for offset, value in _elements(text, name):
        try:
            yield from map(from_json, _parses(value))
        except Misread as error:
            line += text.count("\n", counted, offset)
            begin, counted = max(begin, text.rfind("\n", counted, offset) + 1), offset
            report(FormatError(name, line, offset - begin + 1, error.reason), bad)


def _parses(value: Any) -> list[Any]:
    """The derivations of an object: the object itself or, for an outcome of ``starccg parse``, its parses."""
    if isinstance(value, dict) and "outcome" in value:
        return _list(value, "parses", "the sentence") if "parses" in value else []
    return [value]


def to_json(sentence: Sentence) -> dict[str, Any]:
    """A plain value for :func:`json.dump`."""
    tokens: list[dict[str, Any]] = []
    nodes: list[dict[str, Any]] = []

    def number(node: Derivation, children: list[int]) -> int:
        """The number of a node: ~k for node k, because the number of tokens is not known yet."""
        if isinstance(node, Leaf):
            tokens.append(_token(node))
            return len(tokens) - 1
        label = None if node.rule is None else node.rule.label
        value: dict[str, Any] = {"category": str(node.category), "rule": label, "children": children}
        nodes.append({**value, "head": node.head} if isinstance(node, Binary) else value)
        return ~(len(nodes) - 1)

    sentence.derivation.fold(number)
    for value in nodes:
        value["children"] = [child if child >= 0 else len(tokens) + ~child for child in value["children"]]
    header: dict[str, Any] = {"id": sentence.id}
    if sentence.fields:
        header["fields"] = [list(pair) for pair in sentence.fields]
    if sentence.conj_suffix:
        header["conj_suffix"] = True
    return {**header, "tokens": tokens, "nodes": nodes}


def _token(leaf: Leaf) -> dict[str, Any]:
    token: dict[str, Any] = {"word": leaf.word, "category": str(leaf.category)}
    for key in ("pos", "original_pos"):
        if (value := getattr(leaf, key)) != UNKNOWN_POS:
            token[key] = value
    if leaf.indexed is not None:
        token["indexed"] = leaf.indexed
    if leaf.lemma is not None:
        token["lemma"] = leaf.lemma
    return token


def from_json(value: Any) -> Sentence:
    """Read what :func:`to_json` wrote; keys it does not know are skipped."""
    tokens = _list(value, "tokens", "the sentence")
    built: list[tuple[int, int, Derivation]] = []
    for index, token in enumerate(tokens):
        built.append((index, index + 1, _leaf(token, f"tokens[{index}]")))
    free = set(range(len(tokens)))
    for index, node in enumerate(_list(value, "nodes", "the sentence")):
        where = f"nodes[{index}]"
        children = _list(node, "children", where)
        for child in children:
            if type(child) is not int or child not in free:
                _fail(f"{where}: child {_short(child)} is not a token or earlier node without a parent")
            free.remove(child)
        free.add(len(built))
        built.append(_node(node, [built[child] for child in children], where))
    if len(free) != 1:
        _fail("there are no tokens" if not free else f"{len(free)} nodes have no parent; only the root may have none")
    fields = _list(value, "fields", "the sentence") if "fields" in value else []
    for pair in fields:
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)):
            _fail(f"fields: expected pairs of texts, found {_short(pair)}")
    conj_suffix = value.get("conj_suffix", False)
    if not isinstance(conj_suffix, bool):
        _fail(f"conj_suffix: expected true or false, found {_short(conj_suffix)}")
    derivation = built[free.pop()][2]
    name = _text(value, "id", "the sentence")
    return Sentence(name, derivation, tuple((key, text) for key, text in fields), conj_suffix)


def _fail(reason: str) -> NoReturn:
    raise Misread(1, reason)


def _leaf(token: Any, where: str) -> Leaf:
    return Leaf(
        _category(token, where),
        _text(token, "word", where) or _fail(f"{where}: 'word' must be a text that is not empty"),
        _text(token, "pos", where) if "pos" in token else UNKNOWN_POS,
        _text(token, "original_pos", where) if "original_pos" in token else UNKNOWN_POS,
        _text(token, "indexed", where) if token.get("indexed") is not None else None,
        _text(token, "lemma", where) if token.get("lemma") is not None else None,
    )


def _node(node: Any, children: list[tuple[int, int, Derivation]], where: str) -> tuple[int, int, Derivation]:
    category = _category(node, where)
    rule: Rule | None = None
    if node.get("rule") is not None:
        label = _text(node, "rule", where)
        if label not in RULE_BY_LABEL:
            _fail(f"{where}: unknown rule {_short(label)}; the rules are {' '.join(RULE_BY_LABEL)}")
        rule = RULE_BY_LABEL[label]
    match children:
        case [(start, end, child)]:
            return start, end, Unary(category, child, rule)
        case [(start, middle, left), (after, end, right)]:
            if middle != after:
                _fail(f"{where}: its children are not adjacent")
            head = node.get("head", 0)
            if type(head) is not int or head not in (0, 1):
                _fail(f"{where}: the head must be 0 or 1, not {_short(head)}")
            return start, end, Binary(category, left, right, rule, head)
        case _:
            _fail(f"{where}: a node must have one or two children, not {len(children)}")


def _category(value: Any, where: str) -> Category:
    try:
        return Category.parse(_text(value, "category", where))
    except CategoryError as error:
        _fail(f"{where}: {error}")


def _get(value: Any, key: str, where: str) -> Any:
    if not isinstance(value, dict):
        _fail(f"{where}: expected an object, found {_short(value)}")
    if key not in value:
        _fail(f"{where}: {key!r} is missing")
    return value[key]


def _list(value: Any, key: str, where: str) -> list[Any]:
    found = _get(value, key, where)
    if not isinstance(found, list):
        _fail(f"{where}: {key!r} must be a list, not {_short(found)}")
    return found


def _text(value: Any, key: str, where: str) -> str:
    """A text. Any character is allowed, so everything that :func:`to_json` writes can be read."""
    found = _get(value, key, where)
    if not isinstance(found, str):
        _fail(f"{where}: {key!r} must be a text, not {_short(found)}")
    return found


def _short(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _decode(text: str, name: str, number: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(name, number, error.pos + 1, f"not JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(name, number, 1, f"JSON that cannot be read: {error}") from error


def _elements(text: str, name: str) -> Iterator[tuple[int, Any]]:
    """The elements of an array with the position of each, which the standard library does not report."""
    decoder = json.JSONDecoder()

    def skip(position: int) -> int:
        while position < len(text) and text[position] in _BLANKS:
            position += 1
        return position

    def fail(position: int, reason: str) -> NoReturn:
        raise FormatError(name, *_place(text, position), f"not JSON: {reason}")

    position = skip(0)
    in_array = text.startswith("[", position)
    if in_array:
        position = skip(position + 1)
    elif not text.startswith("{", position):
        fail(position, "expected an array of sentences, '['")
    while not text.startswith("]", position) if in_array else position < len(text):
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            fail(error.pos, error.msg)
        except (ValueError, RecursionError) as error:
            fail(position, str(error))
        yield position, value
        position = skip(end)
        if not in_array or text.startswith("]", position):
            continue
        if not text.startswith(",", position):
            fail(position, "expected ',' or ']'")
        position = skip(position + 1)
        if text.startswith("]", position):
            fail(position, "a sentence is missing after the comma")
    if in_array and skip(position + 1) < len(text):
        fail(skip(position + 1), "unexpected text after the end of the array")


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
