"""Complement or adjunct: by function tags where the treebank has them, else by the table of the UD conversion."""

from __future__ import annotations

from collections.abc import Iterator

from starccg.treebanks.penn.empties import EXTRAPOSED
from starccg.treebanks.penn.labels import ADVERBIAL_TAGS
from starccg.treebanks.penn.trees import Node
from starccg.treebanks.ud.english import complements as table
from starccg.treebanks.ud.english.tables import TEMPORAL_NOUNS

COMPLEMENT_TAGS = frozenset({"CLR", "PRD", "DTV", "PUT"})
_EXTENTS = frozenset({"extent", "degree"})
_IRREGULAR = {
    "thought": "think", "gave": "give", "given": "give", "made": "make", "taken": "take", "took": "take", "led": "lead",
    "found": "find", "known": "know", "knew": "know", "shown": "show", "seen": "see", "saw": "see", "went": "go",
    "gone": "go", "spent": "spend", "kept": "keep", "held": "hold", "brought": "bring", "chosen": "choose",
    "chose": "choose", "drawn": "draw", "drew": "draw", "fell": "fall", "fallen": "fall", "fed": "feed", "got": "get",
    "laid": "lay", "left": "leave", "lost": "lose", "met": "meet", "paid": "pay", "ran": "run", "sat": "sit",
    "sold": "sell", "sent": "send", "spoke": "speak", "spoken": "speak", "stood": "stand", "told": "tell",
    "came": "come", "bound": "bind", "built": "build", "caught": "catch", "did": "do", "done": "do", "had": "have",
    "has": "have", "said": "say", "threw": "throw", "shot": "shoot", "bred": "breed", "broke": "break",
    "broken": "break", "began": "begin", "begun": "begin", "hung": "hang", "fought": "fight", "bought": "buy",
    "rose": "rise", "flew": "fly", "drove": "drive", "withdrew": "withdraw", "slept": "sleep", "swam": "swim",
}  # fmt: skip


_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being"})


def lemmas(form: str) -> Iterator[str]:
    """The lemmas that a verb form may have."""
    form = form.lower()
    yield form
    if form in _IRREGULAR:
        yield _IRREGULAR[form]
    for ending in ("ies", "ied"):
        if form.endswith(ending):
            yield form[:-3] + "y"
    for ending in ("s", "es", "d", "ed", "ing"):
        if form.endswith(ending) and len(form) > len(ending) + 1:
            stem = form[: -len(ending)]
            yield stem
            if ending == "ing":
                yield stem + "e"
            if len(stem) > 2 and stem[-1] == stem[-2]:
                yield stem[:-1]


def preposition_of(phrase: Node) -> str:
    """The preposition of a prepositional phrase, or of its first conjunct."""
    word = next((leaf for leaf in phrase.leaves() if leaf.label in {"IN", "TO", "VBG", "VBN", "JJ"}), None)
    return word.word.lower() if word is not None else ""


def noun_of(phrase: Node) -> str:
    """The last noun of the first noun phrase below, in lower case and without its plural."""
    for node in phrase.nodes():
        if node.label == "NP" and any(child.is_leaf for child in node.children):
            nouns = [child.word.lower() for child in node.children if child.label.startswith("NN")]
            return nouns[-1] if nouns else ""
    return ""


def is_temporal(phrase: Node) -> bool:
    """Whether a phrase names a time: *last week*, *on two days*."""
    noun = noun_of(phrase)
    return noun in TEMPORAL_NOUNS or noun.removesuffix("s") in TEMPORAL_NOUNS


def takes_phrase(head: Node | None, phrase: Node) -> bool:
    """Whether a verb or an adjective takes a prepositional phrase as its argument; a preposition with a gap it must."""
    stranded = any(child.empty == "*T*" for child in phrase.children)
    if phrase.tags & COMPLEMENT_TAGS or (stranded and head is not None):
        return True
    if phrase.tags & (ADVERBIAL_TAGS | {"LGS", EXTRAPOSED}) or head is None:
        return False
    if head.word.lower() in _BE:
        return False  # a predicate is marked as one
    preposition = preposition_of(phrase)
    if not preposition or is_temporal(phrase):
        return False
    if head.label.startswith(("JJ", "RB")):
        leans = preposition in table.ADJECTIVE_LEANING and head.label.startswith("JJ")
        return leans or head.word.lower() in table.ADJECTIVES.get(preposition, ())
    found = set(lemmas(head.word))
    if noun_of(phrase) in _EXTENTS:
        return False
    if found & table.COMPLEMENTS.get(preposition, frozenset()):
        return True
    return preposition in table.LEANING and not found & table.ADJUNCTS.get(preposition, frozenset())
