"""The planner of the English profile: it finds the kind of a phrase and hands it to the rules for that kind."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.conllu import Word
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.clause import plan_clause
from starccg.treebanks.ud.english.copular import plan_fronted_predicate
from starccg.treebanks.ud.english.expressions import expression
from starccg.treebanks.ud.english.fronts import front_phrase
from starccg.treebanks.ud.english.kinds import enclosed, is_clause, natural
from starccg.treebanks.ud.english.verbs import NOMINAL, auxiliaries, is_base_form
from starccg.treebanks.ud.english.words import NOUN_MODIFIER, plan_rest
from starccg.treebanks.ud.steps import Gap, Plan

NOMINALISED = frozenset((tables.VERB_PHRASE["ng"], tables.VERB_PHRASE["to"], tables.S_QEM, tables.S_EM))
"""Clauses that may be noun phrases."""


class EnglishPlanner:
    """The planner of the English profile."""

    def plan(self, builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...]) -> Plan:
        """Dispatch on the kind of phrase."""
        words = builder.dependents(head)
        for front in builder.front.values():
            if front.phrase == head and (special := front_phrase(builder, head, front.word, target, words)) is not None:
                return special
        if is_clause(builder, head) and not _is_participle(builder, head, target):
            group = auxiliaries(builder, head)
            if group and group[0] > head:
                return plan_fronted_predicate(builder, head, target, gaps)
            return plan_clause(builder, head, target, gaps)
        return plan_rest(builder, head, target, gaps, words)

    natural = staticmethod(natural)
    enclosed = staticmethod(enclosed)

    def suits(self, builder: Builder, conjunct: int, category: Category) -> bool:
        """Clauses must agree in their features; nominals and modifiers take what is asked."""
        if is_clause(builder, conjunct):
            own = natural(builder, conjunct)
            if category.target.name == "S" and not category.is_modifier:
                bare = category
                while isinstance(bare, Functor) and bare.slash == "/":
                    bare = bare.result
                return own is bare or (own.skeleton is bare.skeleton and self._agree(builder, conjunct, own, bare))
            return own.target.name != "S" or category.is_modifier or (category is tables.NP and own in NOMINALISED)
        takes_phrase = isinstance(category, Functor) and (category.result.is_modifier or category.result is tables.PP)
        if takes_phrase and not category.is_modifier:
            word = builder.word(conjunct)  # *before and after lunch*, *when and where we can*
            return word.upos in {"ADP", "SCONJ"} or word.lower in tables.WH_ADVERBS
        if category.target.name == "S" and not category.is_modifier:
            while isinstance(category, Functor) and category.slash == "/":
                category = category.result  # *able and willing to help*
            if category is tables.ADJECTIVE:
                return builder.word(conjunct).upos in {"ADJ", "ADV", "VERB", "PART"} and not builder.related(
                    conjunct, "case"
                )
            return builder.word(conjunct).upos in {"VERB", "AUX"}
        if category in (tables.NP, tables.N):
            return self._is_nominal(builder, conjunct) and not builder.related(conjunct, "case")
        if category is tables.PP:
            return bool(builder.related(conjunct, "case"))
        return True

    def _is_nominal(self, builder: Builder, conjunct: int) -> bool:
        """Nouns, and adjectives and verbs that stand for one: *the old and the new*, *rich and poor alike*."""
        word = builder.word(conjunct)
        if word.upos in NOMINAL:
            return True
        first = builder.word(word.head)
        return word.upos in {"ADJ", "VERB"} and (
            bool(builder.related(conjunct, "det", "nmod:poss", "amod", "compound", "nummod"))
            or first.upos == word.upos
            or not builder.related(first.index, "cop")
        )

    def is_adverbial(self, builder: Builder, conjunct: int) -> bool:
        """Adverbs and prepositional phrases: *two weeks or so*, *and in London*."""
        if is_clause(builder, conjunct):
            return False
        return builder.word(conjunct).upos in {"ADV", "PART"} or natural(builder, conjunct) is tables.PP

    def _agree(self, builder: Builder, conjunct: int, own: Category, asked: Category) -> bool:
        """Participles, and forms that look alike, may be what the first conjunct is; other verb forms may not."""
        found = {own.target.feature, asked.target.feature}
        word = builder.word(conjunct)
        return found in ({"pss", "pt"}, {"adj", "pss"}, {"adj", "ng"}) or (found == {"b", "dcl"} and is_base_form(word))

    def lexical(self, builder: Builder, head: int, category: Category) -> Derivation:
        """The word, or the fixed expression it heads."""
        parts = [child for child in builder.tree.children[head] if builder.word(child).universal == "fixed"]
        if parts:
            return expression(builder, [head, *parts], category)
        return builder.leaf(head, category)

    def mark_category(self, word: Word) -> Category:
        """By the sign itself; what the table does not know reads like a dash."""
        name = tables.MARK_CATEGORIES.get(word.form)
        if name is None:
            name = {"``": "LQU", "''": "RQU", "-LRB-": "LRB", "-RRB-": "RRB"}.get(word.xpos)
        if name is None:
            name = "." if word.form[0] in "!?" else ":"
        return Category.parse(name)


def _is_participle(builder: Builder, head: int, target: Category) -> bool:
    """*connecting flights*: a verb before its noun is a word like any other, if it stands alone."""
    word = builder.word(head)
    return (
        target is NOUN_MODIFIER
        and word.universal in {"acl", "amod"}
        and all(c < head for c in builder.dependents(head))
    )
