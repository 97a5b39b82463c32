"""Dates, times, ranges and amounts, brought to one annotation before a tree is planned."""

from __future__ import annotations

from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.english import tables


def settle_dates(tree: Tree) -> None:
    """*30 September 2024*, *May 5, 2001*: the month is the head, whatever the treebank says.

    The number after the month is its argument, ``N/N[num] N[num]``; a day before it and a year after a comma modify it.
    """
    for month in tree.words:
        if month.lower.rstrip(".") not in tables.MONTHS or month.upos not in {"PROPN", "NOUN"}:
            continue
        linked = [month]
        for place in (month.index - 1, month.index + 1):
            word = tree.words[place] if 0 <= place < len(tree.words) else month
            if _is_number(word) and any(word.head == other.index or other.head == word.index for other in linked):
                linked.append(word)
        if len(linked) == 1:
            continue
        _year_after_comma(tree, linked)
        top = next(word for word in linked if word.head not in {other.index for other in linked})
        if top is not month:
            tree.put_in_place(month, top, "nummod")
        for word in linked[1:]:
            word.head = month.index
            word.relation = "nummod" if word.index <= month.index + 1 else "compound"
        tree.index_children()


def _year_after_comma(tree: Tree, linked: list[Word]) -> None:
    """Add the year of *May 5, 2001* to the words of its date."""
    place = linked[-1].index + 1
    if linked[-1].index > linked[0].index and place + 1 < len(tree.words) and tree.words[place].form == ",":
        year = tree.words[place + 1]
        if len(year.form) == YEAR and year.form.isdigit() and year.head in {word.index for word in linked}:
            linked.append(year)


YEAR = 4
"""Digits of a year."""


def settle_times(tree: Tree) -> None:
    """*8:30 am*: the number modifies what follows it, whatever the treebank says."""
    for number in tree.words[:-1]:
        half = tree.words[number.index + 1]
        if half.lower.replace(".", "") not in HALVES or half.head != number.index or not _is_number(number):
            continue
        tree.put_in_place(half, number, "nummod")
        half.upos = "NOUN"
        date = tree.words[half.head]
        beside = half.relation in {"appos", "list", "nmod:unmarked", "obl:unmarked", "dep"}
        if half.head == number.index - 1 and beside and _is_number(date):  # *12/26/2000 03:33 PM*
            tree.put_in_place(half, date, "compound")


HALVES = frozenset(["am", "pm", "pt", "et", "ct", "mt", "est", "edt", "pst", "pdt", "cst", "cdt", "gmt"])
"""What follows the number of an hour: halves of the day and time zones."""


def settle_ranges(tree: Tree) -> None:
    """*5 to 10 days*, *5 - 10*: two numbers with *to* or a dash between them are coordinated, as in CCGbank."""
    for sign in tree.words[1:-1]:
        left, right = tree.words[sign.index - 1], tree.words[sign.head]
        is_sign = sign.lower in {"to", "-", "–"} and right.index > sign.index and not tree.children[sign.index]
        number = all(word.upos == "NUM" for word in (left, *tree.words[sign.index + 1 : right.index + 1]))
        if is_sign and right.head == left.index and (number or (_is_number(left) and _is_number(right))):
            if left.universal in {"obl", "nmod"} and sign.lower == "to":
                continue  # *from 5 to 10*
            sign.relation, sign.upos, right.relation = "cc", "CCONJ", "conj"


def settle_amounts(tree: Tree) -> None:
    """*over 120 species*: what looks like a preposition modifies the number, unless the phrase is an adjunct."""
    for word in tree.words[:-1]:
        number = tree.words[word.index + 1]
        if word.relation != "case" or word.lower not in AMOUNTS or number.upos != "NUM" or number.head != word.head:
            continue
        noun = tree.words[word.head]
        there = any(other.lower == "there" for other in tree.below(tree.above(noun)))
        if noun.universal in {"nsubj", "obj"} or (noun.universal == "obl" and there):
            noun.relation = "nsubj" if there else noun.relation
            word.head, word.relation, word.upos = number.index, "advmod", "ADV"
            tree.index_children()


AMOUNTS = frozenset({"over", "under", "about", "around", "nearly"})


def _is_number(word: Word) -> bool:
    return word.form[:1].isdigit() and word.upos in {"NUM", "NOUN", "ADJ", "PROPN"}
