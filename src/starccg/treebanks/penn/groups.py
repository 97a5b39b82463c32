"""Coordination: conjuncts and conjunctions that stand in a larger phrase become a phrase of their own."""

from __future__ import annotations

from starccg.treebanks.penn.empties import PASSIVE
from starccg.treebanks.penn.labels import ADVERBIAL_TAGS, BE, CONJUNCTIONS, HAVE, VERBS, content, kind
from starccg.treebanks.penn.trees import Node, is_mark, is_possessive, phrase_of, split_edges

COORDINATION = "+COORD"
"""The tag of a phrase whose children are conjuncts, conjunctions and marks."""

_SEPARATORS = frozenset({",", ";", ":"})
_NOMINAL = frozenset({"NP", "NML", "NAC", "WHNP", "NX", "QP", "LST"})
_DETERMINERS = frozenset({"DT", "PRP$", "WP$", "PDT", "WDT"})
_BOTH = frozenset({"both", "either", "neither", "not"})


def stands_apart(node: Node) -> bool:
    """Whether it is a conjunct with its conjunction, apart from what it is joined to: *... , but without him*."""
    return node.label == "NAC" and bool(node.children) and node.children[0].label in CONJUNCTIONS


def group_conjuncts(root: Node) -> None:
    """Group the conjuncts of every phrase, in place."""
    for node in reversed(list(root.nodes())):
        if node.is_leaf or node.empty or node.label in CONJUNCTIONS:
            continue
        _lift_conjunctions(node)
        _lower_both(node)
        _share_auxiliary(node)
        _group(node)


def _lower_both(node: Node) -> None:
    """``(PP in (CC both) (NP cats and dogs))``: the word belongs to the noun phrase."""
    for position, child in enumerate(node.children[1:-1], 1):
        after = node.children[position + 1]
        if node.label in {"PP", "VP"} and child.label == "CC" and child.word.lower() in _BOTH and after.label == "NP":
            node.children[position : position + 2] = [
                Node("NP", after.tags - {COORDINATION}, after.index, [child, after])
            ]
            return


def _lift_conjunctions(node: Node) -> None:
    """``(VP (VP ...) (VP (CC and) (VP ...)))``: the conjunction stands between the two verb phrases."""
    for position, child in reversed(list(enumerate(node.children))):
        first = child.children[0] if len(child.children) > 1 and child.label not in CONJUNCTIONS else child
        begins = first.label in CONJUNCTIONS and first.word.lower() not in _BOTH
        before = node.children[position - 1] if position else child
        alone = before.label not in CONJUNCTIONS and first is not child
        if begins and alone and any(child.label == other.label for other in node.children[:position]):
            conjunction = child.children.pop(0)
            inner = child.children[0]
            if len(child.children) == 1 and inner.label == child.label:
                inner.tags |= child.tags
                node.children[position : position + 1] = [conjunction, inner]
            else:
                node.children[position : position + 1] = [conjunction, child]


def _share_auxiliary(node: Node) -> None:
    """``(VP (VP was (VP lost)) and (VP found))``: the auxiliary takes both participles."""
    first, *others = content(node) or [node]
    if node.label != "VP" or first.label != "VP" or not others or node.children[0] is not first:
        return
    if any(other.label != "VP" or not _is_bare_participle(other) for other in others):
        return
    passive = [PASSIVE in other.tags for other in others]
    active = not any(passive) and all(verb.label != "VBD" for other in others for verb in other.children)
    holder: Node | None = None
    phrase = first
    while phrase.children and phrase.children[-1].label == "VP":
        auxiliary = next((child for child in phrase.children if child.is_leaf and child.label in VERBS), None)
        if auxiliary is None:
            break
        inner = phrase.children[-1]
        form = auxiliary.word.lower()
        if _is_bare_participle(inner) and (all(passive) if form in BE else form in HAVE and active):
            holder = phrase
        phrase = inner
    if holder is None:
        return
    shared = Node("VP", children=[holder.children[-1], *node.children[1:]])
    holder.children[-1] = shared
    node.children, node.tags = first.children, node.tags | first.tags
    _group(shared)


def _is_bare_participle(phrase: Node) -> bool:
    """Whether a verb phrase is a past participle with what belongs to it, without an auxiliary."""
    verbs = [child for child in phrase.children if child.is_leaf and child.label in VERBS]
    inner = [child for child in phrase.children if child.label == "VP"]
    if COORDINATION in phrase.tags:
        return bool(inner) and all(_is_bare_participle(child) for child in inner)
    if len(verbs) != 1 or inner or verbs[0].word.lower() in BE:
        return False
    before = phrase.children[: phrase.children.index(verbs[0])]
    return verbs[0].label in {"VBN", "VBD"} and all(child.label != "NP" for child in before)


def _group(node: Node) -> None:
    children = node.children
    joins = [
        position
        for position, child in enumerate(children)
        if child.label in CONJUNCTIONS
        and child.word.lower() not in _BOTH - {"not"}
        and any(not is_mark(other) for other in children[:position])
    ]
    if not joins:
        leading, inside, _ = split_edges(children)
        start, end = len(leading), len(leading) + len(inside)
        if end - start > 2 and "ETC" in children[end - 1].tags:  # *Lee , Ray , et al.*
            end -= 2
        colon = next((place for place in range(start, end) if children[place].word == ":"), end)
        if _is_list(children[start:end], node.label):
            _wrap(node, start, end - 1)
        elif node.label == "S" and _is_list(children[colon + 1 : end], node.label):
            _wrap(node, colon + 1, end - 1)  # *there are two rules : ask first ; be kind*
        return
    if node.label in _NOMINAL and _group_nouns(node, joins):
        return
    first = joins[0]
    start = _before(children, first)
    last = _after(children, joins[-1], kind(children[start]))
    if last is None or "SBJ" in children[start].tags:
        return
    wanted = kind(children[start])
    position = start
    while (before := _before(children, position)) >= 0 and _separated(children, before, position):
        other = kind(children[before])
        if other != wanted and not (node.label in {"UCP", "ADJP", "NML"} and {other, wanted} <= {"NP", "ADJP", "V"}):
            break
        position = start = before
    _wrap(node, start, last)


def _separated(children: list[Node], before: int, after: int) -> bool:
    between = children[before + 1 : after]
    return bool(between) and any(child.word in _SEPARATORS or child.label in CONJUNCTIONS for child in between)


def _before(children: list[Node], position: int) -> int:
    """The conjunct before a place: the last phrase there that is not a parenthesis or an adverb."""
    found = -1
    for index in range(position - 1, -1, -1):
        child = children[index]
        if is_mark(child):
            if found >= 0:
                break
            continue
        if found < 0:
            found = index
        if child.label not in {"PRN", "ADVP", "RB"}:
            return index
    return found


def _after(children: list[Node], position: int, wanted: str) -> int | None:
    """The conjunct after the last conjunction: one of the same kind, else whatever phrase comes first."""
    first: int | None = None
    for index in range(position + 1, len(children)):
        child = children[index]
        if is_mark(child) or child.empty:
            continue
        if kind(child) == wanted:
            return index
        if first is None:
            first = index
    return first


def _is_list(children: list[Node], label: str) -> bool:
    """Whether commas or semicolons alone join the parts: three noun phrases, or two phrases of another kind."""
    phrases = [child for child in children if not is_mark(child) and child.label != "PRN"]
    inner = [child.word for child in children[1:-1] if is_mark(child) and child.word in (",", ";")]
    if len(phrases) < 2 or len(inner) < len(phrases) - 1:
        return False
    kinds = {kind(child) for child in phrases}
    if phrases[0].tags & ADVERBIAL_TAGS and not phrases[-1].tags & ADVERBIAL_TAGS:
        return False  # *to be sure , we asked*
    if label == "UCP" and kinds <= {"NP", "ADJP"}:
        return True  # before a noun
    if len(kinds) != 1:
        return False
    same, bracketed = kinds.pop(), label in {"PRN", "FRAG"}
    if any(child.is_leaf for child in phrases):
        names = {"NNP"} if len(phrases) > 2 else set[str]()  # *Paris , France* is no list
        plain = {"CD", "LS", "NN", "NNS"} | names
        return same == "NP" and label in _NOMINAL | {"PRN"} and all(child.label in plain for child in phrases)
    if same == "NP":
        return (len(phrases) > 2 or ";" in inner or label == "PRN") and label in _NOMINAL | {"UCP", "FRAG", "PRN"}
    return same in {"VP", "S", "ADJP", "PP"} and (bracketed or kind(Node(label)) == same)


def _group_nouns(node: Node, joins: list[int]) -> bool:
    """Flat coordination of nouns: a determiner before the first belongs to all, other words to their own noun."""
    children = node.children
    if any(
        child.label in _NOMINAL - {"QP"} and not child.is_leaf and not is_possessive(child)
        for child in children[: joins[0]]
    ) and any(child.label == "NP" and not is_possessive(child) for child in children):
        return False
    before = [child for child in children[: joins[0]] if not is_mark(child)]
    after = [child for child in children[joins[-1] + 1 :] if not is_mark(child)]
    if not before or not after or node.label == "QP":
        return False
    if not _noun(before[-1]) or not any(_noun(child) for child in after):
        return False
    start = 0
    while start < joins[0] - 1 and (
        children[start].label in _DETERMINERS or is_possessive(children[start]) or children[start].word.lower() in _BOTH
    ):
        start += 1
    if any(child.label in _DETERMINERS for child in after):
        start = 0
    end = len(children) - 1
    while end > joins[-1] and not _noun(children[end]):
        end -= 1
    _wrap(
        node,
        start,
        end,
        label="NP" if start == 0 and node.label in {"NP", "WHNP"} and end == len(children) - 1 else "NML",
    )
    return True


def _noun(node: Node) -> bool:
    return (
        node.label.startswith("NN")
        or node.label in {"NML", "CD", "FW", "NX", "SYM", "PRP", "LS"}
        or (node.label in {"NP", "QP"} and not is_possessive(node))
    )


def _wrap(node: Node, start: int, end: int, label: str | None = None) -> None:
    """Make one phrase of the children from ``start`` to ``end``, each conjunct with what belongs to it."""
    inside = node.children[start : end + 1]
    conjuncts: list[Node] = []
    unit: list[Node] = []
    name = label or _label(node, inside)

    def close() -> None:
        if unit:
            conjuncts.append(phrase_of(name, list(unit)))
            unit.clear()

    for position, child in enumerate(inside):
        last = position == len(inside) - 1
        if (child.label in CONJUNCTIONS and position and not last) or (
            child.word in _SEPARATORS and is_mark(child) and unit and not last and _splits(inside, position, node.label)
        ):
            close()
            conjuncts.append(child)
        elif child.word in _SEPARATORS and is_mark(child) and not unit:
            conjuncts.append(child)
        else:
            unit.append(child)
    close()
    if sum(not is_mark(child) and child.label not in CONJUNCTIONS for child in conjuncts) < 2:
        return
    if start == 0 and end == len(node.children) - 1 and label in (None, node.label):
        node.children = conjuncts
        node.tags |= {COORDINATION}
        return
    node.children[start : end + 1] = [Node(name, frozenset({COORDINATION}), children=conjuncts)]


def _splits(inside: list[Node], position: int, label: str) -> bool:
    """Whether a comma inside the group separates conjuncts: what follows up to the next separator is of their kind."""
    following = []
    for child in inside[position + 1 :]:
        if child.label in CONJUNCTIONS or (is_mark(child) and child.word in _SEPARATORS):
            break
        following.append(child)
    if not following:
        return True
    wanted = {kind(inside[-1])} | ({kind(inside[0])} if label == "UCP" else set())
    return any(kind(child) in wanted for child in following)


def _label(node: Node, inside: list[Node]) -> str:
    words = [child for child in inside if not is_mark(child)]
    first = next((child for child in words if child.word.lower() not in _BOTH), words[0])
    if not first.is_leaf:
        return first.label if first.label != "PRN" else node.label
    return {"V": "V", "ADJP": "ADJP", "NP": "NML", "ADVP": "ADVP", "P": "P"}.get(kind(first), node.label)
