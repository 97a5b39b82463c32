r"""C&C XML: the tree as nested elements, as the C&C parser and depccg write it.

::

    <candc>
      <ccg sentence="1" id="1">
        <rule type="ba" cat="S[dcl]" head="1">
          <lf start="0" span="1" word="It" lemma="it" pos="PRP" chunk="XX" entity="O" cat="NP"/>
          <lf start="1" span="1" word="works" lemma="work" pos="VBZ" chunk="XX" entity="O" cat="S[dcl]\NP"/>
        </rule>
      </ccg>
    </candc>

A sentence has one ``ccg`` element per parse, numbered by ``id``. C&C itself writes no attributes there. ``head`` is an
extension of ours, which other tools ignore. ``lemma="XX"``: unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from starccg.ccg.derivation import UNKNOWN_POS, Binary, Derivation, Leaf, Sentence
from starccg.formats.building import build_node
from starccg.formats.candc import NO_CHUNK, NO_ENTITY, NO_LEMMA, known_lemma, rule_name
from starccg.formats.errors import FormatError, Misread, Source, report
from starccg.formats.nbest import names_of_parses, outcome_of, parses_by_sentence
from starccg.formats.xml import DECLARATION, Element, events, indentation, tag


def write_candc_xml(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a C&C XML file; :class:`WriteError` for characters that XML cannot contain."""
    yield DECLARATION
    yield "<candc>"
    for name, parses in parses_by_sentence(sentences):
        for rank, parse in enumerate(parses, 1):
            yield f"  {tag(name, 'ccg', {'sentence': name, 'id': rank, **outcome_of(parse)})}"
            yield from _tree(parse)
            yield "  </ccg>"
    yield "</candc>"


def _tree(sentence: Sentence) -> Iterator[str]:
    position = 0
    for depth, node in sentence.derivation.brackets():
        space = indentation(depth + 2)
        if node is None:
            yield f"{space}</rule>"
        elif isinstance(node, Leaf):
            attributes: dict[str, str | int] = {"start": position, "span": 1, "word": node.word}
            attributes |= {"lemma": node.lemma or NO_LEMMA, "pos": node.pos, "chunk": NO_CHUNK, "entity": NO_ENTITY}
            yield space + tag(sentence.id, "lf", {**attributes, "cat": str(node.category)}, close=True)
            position += 1
        else:
            head = {"head": node.head} if isinstance(node, Binary) else {}
            yield space + tag(sentence.id, "rule", {"type": rule_name(node), "cat": str(node.category), **head})


@dataclass(slots=True)
class _Open:
    """An element whose children are being read."""

    element: Element
    children: list[Derivation] = field(default_factory=list)


@dataclass(slots=True)
class _Parse:
    sentence: str | None
    rank: str
    derivation: Derivation


def read_candc_xml(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The parses of a C&C XML file in order.

    An element that is not a derivation raises :class:`FormatError`; with ``bad`` given, it is added to that list and
    the parse is skipped. Text that is not XML always raises.
    """
    count = 0
    group: list[_Parse] = []
    for parse in _parses(source, bad):
        if group and (
            parse.sentence is None or parse.sentence != group[0].sentence or parse.rank != str(len(group) + 1)
        ):
            count += 1
            yield from _named(group, count)
            group = []
        group.append(parse)
    if group:
        yield from _named(group, count + 1)


def _named(group: list[_Parse], count: int) -> Iterator[Sentence]:
    names = names_of_parses(group[0].sentence or str(count), [parse.rank for parse in group])
    return (Sentence(name, parse.derivation) for name, parse in zip(names, group, strict=True))


def _parses(source: Source, bad: list[FormatError] | None) -> Iterator[_Parse]:
    stack: list[_Open] = []  # from <ccg> downwards; elements outside are skipped
    spoilt = False
    for name, element in events(source, "candc"):
        if element is not None:
            if stack or element.name == "ccg":
                stack.append(_Open(element))
            continue
        if not stack:
            continue
        closed = stack.pop()
        try:
            if not spoilt:
                if not stack:
                    yield _parse(closed)
                else:
                    stack[-1].children.append(_built(closed))
        except Misread as error:
            report(error.located(name), bad)
            spoilt = True
        spoilt = spoilt and bool(stack)


def _parse(ccg: _Open) -> _Parse:
    if len(ccg.children) != 1:
        ccg.element.fail(f"<ccg> must contain one derivation, not {len(ccg.children)}")
    sentence, number = ccg.element.get("sentence"), ccg.element.get("id")
    if sentence is None:  # then the ID is not a rank
        return _Parse(number, "1", ccg.children[0])
    return _Parse(sentence, number or "1", ccg.children[0])


def _built(node: _Open) -> Derivation:
    element = node.element
    category = element.category(element.need("cat"))
    if element.name == "lf":
        if node.children:
            element.fail("<lf> must not have children")
        pos = element.get("pos") or UNKNOWN_POS
        return Leaf(category, element.need("word"), pos, pos, lemma=known_lemma(element.get("lemma")))
    if element.name != "rule":
        element.fail(f"expected <rule> or <lf>, found <{element.name}>")
    return build_node(category, node.children, element.fail, element.head())
