r"""Jigg XML: tokens, then the tree as spans that name their children, as in Jigg, depccg and ccg2lambda.

::

    <root>
      <document>
        <sentences>
          <sentence id="s0" name="1">
            <tokens>
              <token id="s0_0" start="0" surf="It" base="it" pos="PRP" chunk="XX" entity="O" cat="NP"/>
              <token id="s0_1" start="1" surf="works" base="work" pos="VBZ" chunk="XX" entity="O" cat="S[dcl]\NP"/>
            </tokens>
            <ccg id="s0_ccg0" root="s0_sp0">
              <span id="s0_sp0" category="S[dcl=true]" begin="0" end="2" child="s0_sp1 s0_sp2" rule="ba" head="1" .../>
              <span id="s0_sp1" category="NP" begin="0" end="1" terminal="s0_0"/>
              <span id="s0_sp2" category="S[dcl=true]\NP" begin="1" end="2" terminal="s0_1"/>
            </ccg>
          </sentence>
        </sentences>
      </document>
    </root>

A feature has the value ``true``, as ccg2lambda's templates want it. ``base`` is the lemma; ``*``, where none is known,
tells ccg2lambda to take the word. A sentence has as many ``ccg`` elements as parses. ``name`` and ``head`` are ours.
What is read may also use the names of later versions of Jigg: ``form``, ``symbol``, ``children``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from starccg.ccg.derivation import UNKNOWN_POS, Binary, Derivation, Leaf, Sentence
from starccg.formats.building import build_node
from starccg.formats.candc import NO_CHUNK, NO_ENTITY, known_lemma, rule_name
from starccg.formats.errors import FormatError, Misread, Source, report
from starccg.formats.nbest import names_of_parses, outcome_of, parses_by_sentence
from starccg.formats.xml import DECLARATION, Element, events, tag

WORD_IS_LEMMA = "*"
_FEATURE = re.compile(r"\[([^\[\]=]+)\]")
_TRUE = re.compile(r"=true(?=[\],])")


def write_jigg_xml(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a Jigg XML file; :class:`WriteError` for characters that XML cannot contain."""
    yield from (DECLARATION, "<root>", "  <document>", "    <sentences>")
    for number, (name, parses) in enumerate(parses_by_sentence(sentences)):
        yield f"      {tag(name, 'sentence', {'id': f's{number}', 'name': name})}"
        yield "        <tokens>"
        for start, leaf in enumerate(parses[0].derivation.leaves()):
            attributes: dict[str, str | int] = {"id": f"s{number}_{start}", "start": start, "surf": leaf.word}
            attributes |= {"base": leaf.lemma or WORD_IS_LEMMA, "pos": leaf.pos, "chunk": NO_CHUNK, "entity": NO_ENTITY}
            yield f"          {tag(name, 'token', {**attributes, 'cat': str(leaf.category)}, close=True)}"
        yield "        </tokens>"
        spans = 0
        for rank, parse in enumerate(parses):
            ids = {"id": f"s{number}_ccg{rank}", "root": f"s{number}_sp{spans}", **outcome_of(parse)}
            yield f"        {tag(name, 'ccg', ids)}"
            for attributes in _spans(parse.derivation, number, spans):
                yield f"          {tag(name, 'span', attributes, close=True)}"
                spans += 1
            yield "        </ccg>"
        yield "      </sentence>"
    yield from ("    </sentences>", "  </document>", "</root>")


def _spans(derivation: Derivation, number: int, first: int) -> list[dict[str, str | int]]:
    """The attributes of each node, parents before children, left before right."""
    found: list[dict[str, str | int]] = []
    parents: list[dict[str, str | int]] = []
    position = 0
    for _, node in derivation.brackets():
        if node is None:
            parents.pop()["end"] = position
            continue
        name = f"s{number}_sp{first + len(found)}"
        category = _FEATURE.sub(r"[\1=true]", str(node.category))
        attributes: dict[str, str | int] = {"id": name, "category": category, "begin": position, "end": position + 1}
        if parents:
            parents[-1]["child"] = f"{parents[-1]['child']} {name}".lstrip()
        else:
            attributes["root"] = "true"
        if isinstance(node, Leaf):
            attributes["terminal"] = f"s{number}_{position}"
            position += 1
        else:
            attributes |= {"child": "", "rule": rule_name(node)}
            if isinstance(node, Binary):
                attributes["head"] = node.head
            parents.append(attributes)
        found.append(attributes)
    return found


@dataclass(slots=True)
class _Sentence:
    """A sentence while it is being read: its tokens by ID, and the spans of each parse."""

    element: Element
    tokens: dict[str, Element] = field(default_factory=dict)
    parses: list[tuple[Element, list[Element]]] = field(default_factory=list)
    duplicate: Element | None = None
    """The first token with a duplicate ID."""


def read_jigg_xml(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The parses of a Jigg XML file in order.

    A parse that is not a derivation raises :class:`FormatError`; with ``bad`` given, it is added to that list and
    skipped. Text that is not XML always raises.
    """
    count = 0
    depth = 0  # below the sentence
    sentence: _Sentence | None = None
    for name, element in events(source, "root"):
        if sentence is None:
            if element is not None and element.name == "sentence":
                sentence, depth = _Sentence(element), 0
        elif element is None and depth:
            depth -= 1
        elif element is None:
            count += 1
            yield from _parses(sentence, name, count, bad)
            sentence = None
        else:
            depth += 1
            if element.name == "token":
                if sentence.tokens.setdefault(element.attributes.get("id", ""), element) is not element:
                    sentence.duplicate = sentence.duplicate or element
            elif element.name == "ccg":
                sentence.parses.append((element, []))
            elif element.name == "span" and sentence.parses:
                sentence.parses[-1][1].append(element)


def _parses(sentence: _Sentence, source: str, count: int, bad: list[FormatError] | None) -> Iterator[Sentence]:
    name = sentence.element.get("name", "id") or str(count)
    names = names_of_parses(name, range(1, len(sentence.parses) + 1))
    for own, (ccg, spans) in zip(names, sentence.parses, strict=True):
        try:
            if sentence.duplicate is not None:
                sentence.duplicate.fail(f"two tokens have the id {sentence.duplicate.attributes.get('id', '')!r}")
            yield Sentence(own, _derivation(ccg, spans, sentence.tokens))
        except Misread as error:
            report(error.located(source), bad)


def _derivation(ccg: Element, spans: list[Element], tokens: dict[str, Element]) -> Derivation:
    """Build the spans from the root down, each at most once, so that a cycle is an error."""
    by_id: dict[str, Element] = {}
    for each in spans:
        if by_id.setdefault(each.attributes.get("id", ""), each) is not each:
            each.fail(f"two spans have the id {each.attributes.get('id', '')!r}")
    root = next((span for span in spans if span.attributes.get("root") == "true"), None)
    name = ccg.get("root") or (root.need("id") if root is not None else ccg.fail("<ccg> has no root"))
    built: list[Derivation] = []
    terminals: list[str] = []
    seen: set[str] = set()
    stack = [(ccg, name, False)]  # the parent, the name of the span, whether its children are built
    while stack:
        parent, name, ready = stack.pop()
        span = by_id.get(name)
        if span is None:
            parent.fail(f"there is no span {name!r} in this <ccg>")
        text = _TRUE.sub("", span.need("category", "symbol"))
        children = (span.get("child", "children") or "").split()
        terminal = span.get("terminal") or (children[0] if len(children) == 1 and children[0] not in by_id else None)
        if terminal is not None:
            built.append(_leaf(span, text, terminal, tokens))
            terminals.append(terminal)
        elif ready:
            first = len(built) - len(children)
            built[first:] = [build_node(span.category(text), built[first:], span.fail, span.head())]
        else:
            if name in seen:
                span.fail(f"span {name!r} has two parents")
            seen.add(name)
            stack.append((parent, name, True))
            stack.extend((span, child, False) for child in reversed(children))
    if terminals != list(tokens):
        ccg.fail(f"the words of <ccg> must be the {len(tokens)} tokens of its sentence, in order")
    return built.pop()


def _leaf(span: Element, category: str, terminal: str, tokens: dict[str, Element]) -> Leaf:
    token = tokens.get(terminal)
    if token is None:
        span.fail(f"there is no token {terminal!r} in this sentence")
    pos, base = token.get("pos") or UNKNOWN_POS, token.get("base", "lemma")
    lemma = None if base == WORD_IS_LEMMA else known_lemma(base)
    return Leaf(span.category(category), token.need("surf", "word", "form"), pos, pos, lemma=lemma)
