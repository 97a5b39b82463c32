r"""Prolog: a term for each derivation, as Boxer and LangPro read them.

::

    ccg(1,
     ba(s:dcl,
      t(np, 'It', 'it', 'PRP', 'XX', 'O'),
      t(s:dcl\np, 'works', 'work', 'VBZ', 'XX', 'O'))).

Rules are functors over the category and the children: ``fa ba fc bc fxc bxc gfc gbc gfxc gbxc``, ``lp`` and ``rp`` for
punctuation, ``ltc`` and ``rtc`` where a mark changes the type, ``tr`` for type raising. ``conj`` names what it conjoins
after its category, ``lx`` the category that it changes. ``t(category, word, lemma, pos, chunk, entity)`` is a word.
Where no lemma is known, it is the word in lower case: LangPro knows words by their lemmas, and one placeholder for all
would make them one word. Such a lemma is read as not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from starccg.ccg.category import VARIABLE, Atom, Category, Functor
from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.candc import NO_CHUNK, NO_ENTITY, rule_name
from starccg.formats.errors import WriteError
from starccg.formats.nbest import outcome_comments, parses_by_sentence

HEADER = (
    ":- encoding(utf8).",
    ":- op(601, xfx, (/)).",
    r":- op(601, xfx, (\)).",
    ":- multifile ccg/2, id/2.",
    ":- discontiguous ccg/2, id/2.",
)

_RENAMED = {"fx": "fxc", "bx": "bxc", "gfx": "gfxc", "gbx": "gbxc", "lex": "lx"}
"""Rules whose name in Boxer differs from that in the C&C tools."""

_MARKS = {".": "period", ",": "comma", ":": "colon", ";": "semicolon"}
_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*|0|[1-9][0-9]*")
_ESCAPED = re.compile(r"[\\'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_MOST_BLANKS = 40


def write_prolog(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a Prolog file, one term per sentence; :class:`WriteError` for an unpaired surrogate.

    Names that are numbers stay numbers, and all others are atoms. Several parses of a sentence have the same name.
    """
    yield from HEADER
    for name, parses in parses_by_sentence(sentences):
        key = name if name == "0" or re.fullmatch("[1-9][0-9]*", name) else quoted(name)
        for parse in parses:
            try:
                lines = ["", *outcome_comments(parse, "%"), f"ccg({key},", *_term(parse.derivation)]
                "".join(lines).encode()
            except UnicodeEncodeError as error:
                raise WriteError(ascii(name), "Prolog cannot contain an unpaired surrogate") from error
            yield from lines


def _term(derivation: Derivation) -> Iterator[str]:
    """One line per node. A line is written when the next begins, when the number of closing brackets is known."""
    line = ""
    for depth, node in derivation.brackets():
        if node is None:
            line += ")"
            continue
        if line:
            yield f"{line},"
        line = " " * min(depth + 1, _MOST_BLANKS) + _opening(node)
    yield f"{line})."


def _opening(node: Derivation) -> str:
    """The opening of a node, or a whole leaf."""
    category = category_term(node.category)
    if isinstance(node, Leaf):
        annotations = (node.word, node.lemma or node.word.lower(), node.pos, NO_CHUNK, NO_ENTITY)
        return f"t({category}, {', '.join(map(quoted, annotations))})"
    name = rule_name(node)
    functor = _RENAMED.get(name, name)
    if functor == "lx":
        return f"lx({category}, {category_term(node.children[0].category)}"
    if functor == "conj" and isinstance(node.category, Functor):
        return f"conj({category}, {category_term(node.category.argument)}"
    return f"{functor}({category}"


@lru_cache(maxsize=8192)
def category_term(category: Category) -> str:
    r"""``(S[dcl]\NP)/NP`` as ``(s:dcl\np)/np``: names in lower case, ``S[X]`` as ``s:_``."""
    if isinstance(category, Functor):
        sides = (category.result, category.argument)
        result, argument = (f"({category_term(c)})" if isinstance(c, Functor) else category_term(c) for c in sides)
        return f"{result}{category.slash}{argument}"
    assert isinstance(category, Atom)
    name = _MARKS.get(category.name) or _atom(category.name.lower())
    if category.feature is None:
        return name
    return f"{name}:{'_' if category.feature == VARIABLE else _atom(category.feature)}"


def _atom(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """A quoted and escaped atom."""
    return f"'{_ESCAPED.sub(_escape, text)}'"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in "\\'" else f"\\x{ord(character):x}\\"
