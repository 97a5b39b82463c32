"""What kind of phrase a word heads, and what category such a phrase has by itself."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.verbs import CLAUSAL, auxiliaries, complementisers, own_category
from starccg.treebanks.ud.english.wh import is_wh
from starccg.treebanks.ud.lists import words


def is_clause(builder: Builder, head: int) -> bool:
    """Whether a word heads a clause or verb phrase."""
    word = builder.word(head)
    if head in builder.front:
        return True
    if builder.related(head, "nsubj", "csubj", "cop", "aux", "expl"):
        return True
    if word.universal == "discourse" and not builder.dependents(head):
        return False
    if word.upos in {"VERB", "AUX"}:
        if word.universal in CLAUSAL or builder.related(head, "xcomp", "ccomp"):
            return True
        if word.universal == "conj":
            return (
                bool(builder.related(head, "obj"))
                or is_clause(builder, word.head)
                or builder.word(word.head).universal in CLAUSAL
            )
        return bool(builder.related(head, "obj")) and word.universal not in {"amod", "compound"}
    if builder.related(head, "mark"):
        return word.universal in CLAUSAL | {"conj", "obl", "obj"}
    return False


def natural(builder: Builder, head: int) -> Category:
    """What a phrase is by itself."""
    word = builder.word(head)
    if is_clause(builder, head):
        front = builder.front.get(head)
        if any(subject < head for subject in builder.related(head, "nsubj:outer", "csubj:outer")):
            return tables.S_DCL
        if front is not None:
            top = word
            while top.universal == "conj" and top.head >= 0:
                top = builder.word(top.head)
            asks = top.universal in {"root", "parataxis", "list"} and (top is word or top.index in builder.front)
            own = own_category(builder, head)
            if word.universal == "root" and own is tables.S_DCL and _is_when(builder, head):
                return tables.BEFORE_CLAUSE  # *When the rain stopped.*
            inverted = own.target is tables.S_Q
            return tables.S_WQ if asks or inverted or _is_quoted(builder, head) else tables.S_QEM
        group = auxiliaries(builder, head)
        if group and group[0] > head:
            return _natural_fronted(builder, head)
        if builder.related(head, "nsubj:outer", "csubj:outer"):
            return tables.S_DCL
        marks = complementisers(builder, head)
        own = own_category(builder, head)
        if marks and word.universal in {"ccomp", "csubj", "xcomp", "conj", "root", "acl", "advcl", "parataxis"}:
            mark = builder.word(marks[0]).lower
            if mark == "for" and own.target.feature == "to":
                return tables.S_FOR
            if word.universal == "root" and own is tables.S_DCL and mark not in {"that", "whether"}:
                return tables.BEFORE_CLAUSE  # *Even if it rains.*
            return (
                tables.COMPLEMENTISERS.get(mark, tables.S_EM) if own.target.feature in {"dcl", "b", "to"} else tables.PP
            )
        return own
    if builder.related(head, "case"):
        return tables.PP
    if (word.upos in {"ADJ", "ADV"} or word.lower == "not") and not builder.related(head, "det", "nmod:poss"):
        return tables.ADJECTIVE
    if word.upos == "INTJ":
        return tables.S_INTJ
    if word.upos == "ADP":
        return tables.PP
    if word.upos == "PART" and word.lower == "to":
        return tables.VERB_PHRASE["to"]
    if word.upos in {"VERB", "AUX"}:
        return own_category(builder, head)
    return tables.NP


def _is_when(builder: Builder, head: int) -> bool:
    """Whether the clause says when and does not ask it."""
    asks = any(word.form.startswith("?") for word in builder.tree.words)
    return builder.word(builder.front[head].phrase).lower in {"when", "whenever"} and not asks


def _is_quoted(builder: Builder, head: int) -> bool:
    """Whether a question is spoken as it stands: *he asked, "Who cares?"*."""
    first = min(builder.span(head)[0], builder.span(builder.front[head].phrase)[0])
    return first > 0 and builder.mark(first - 1) == "LQU"


def _natural_fronted(builder: Builder, head: int) -> Category:
    before = [c for c in builder.dependents(head) if c < auxiliaries(builder, head)[0]]  # *here is what he said*
    asks = is_wh(builder.word(head)) or any(builder.word(c).lower in {"how", "what", "which", "whose"} for c in before)
    if not asks:
        return tables.S_DCL
    return tables.S_WQ if builder.word(head).universal in {"root", "parataxis"} else tables.S_QEM


LOOSE = words("parataxis list appos dep discourse vocative conj dislocated reparandum orphan ccomp")
"""Relations of phrases that stand beside others rather than belong to them."""


def enclosed(builder: Builder, child: int, asked: Category, mark: str) -> Category | None:
    r"""The category of a noun phrase or a whole clause that only the ``mark`` next to it makes a modifier."""
    word = builder.word(child)
    if not isinstance(asked, Functor) or not asked.is_modifier:
        return None
    if word.universal not in LOOSE and (mark != "LRB" or asked.slash == "/"):
        return None
    own = natural(builder, child)
    if mark == "." and (own.target.name != "S" or asked.slash == "/"):
        return None  # a stop inside joins the clause after it
    if own is tables.NP:
        return own if word.upos != "ADV" else None
    if own is tables.ADJECTIVE:
        return own if word.upos == "ADJ" and word.universal in LOOSE else None
    if own not in WHOLE or not is_clause(builder, child) or word.universal in {"acl", "advcl"}:
        return None
    return None if complementisers(builder, child) else own


WHOLE = frozenset(
    (*map(Category.parse, ("S[dcl]", "S[q]", "S[wq]", "S[qem]", "S[adj]")), *map(tables.VERB_PHRASE.get, ("dcl", "b")))
)
"""Clauses that are no adjuncts by themselves."""
