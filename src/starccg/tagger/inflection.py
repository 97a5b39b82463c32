"""Lemmas of English verbs, nouns and adjectives where the rule that the tagger chose makes no word that it knows.

The tagger chooses a rule from the context and from the pieces of a word, so it may cut *chased* to *chas*. Irregular
forms are looked up; for regular ones the endings of the part of speech are cut as English spelling has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_VERBS = """
arise arose arisen, awake awoke awoken, bear bore borne, beat beat beaten, become became, begin began begun, bend
bent, bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build
built, burn burnt, buy bought, catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig
dug, do did done, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell
fallen, feed fed, feel felt, fight fought, find found, flee fled, fling flung, fly flew flown, forbid forbade
forbidden, foresee foresaw foreseen, forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get got
gotten, give gave given, go went gone, grind ground, grow grew grown, hang hung, have had, hear heard, hide hid
hidden, hold held, keep kept, kneel knelt, know knew known, lay laid, lead led, lean leant, leap leapt, learn learnt,
leave left, lend lent, light lit, lose lost, make made, mean meant, meet met, overcome overcame, oversee oversaw
overseen, overthrow overthrew overthrown, pay paid, prove proven, rebuild rebuilt, ride rode ridden, ring rang rung,
rise rose risen, run ran, say said, see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken,
shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide
slid, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt, spin spun, spit spat, spring sprang
sprung, stand stood, steal stole stolen, stick stuck, sting stung, stink stank stunk, strike struck, string strung,
strive strove striven, swear swore sworn, sweep swept, swell swollen, swim swam swum, swing swung, take took taken,
teach taught, tear tore torn, tell told, think thought, throw threw thrown, undergo underwent undergone, understand
understood, undertake undertook undertaken, undo undid undone, wake woke woken, wear wore worn, weave wove woven, weep
wept, win won, wind wound, withdraw withdrew withdrawn, withhold withheld, withstand withstood, write wrote written,
bet, bid, broadcast, burst, cast, cost, cut, forecast, hit, hurt, let, put, quit, rid, set, shed, shut, slit, split,
spread, thrust, upset
"""
_NOUNS = "child children, foot feet, goose geese, louse lice, man men, mouse mice, ox oxen, tooth teeth, woman women"


def _table(text: str) -> dict[str, str]:
    """Each form with its lemma, the first of its list; a verb alone is its own past."""
    lists = [entry.split() for entry in text.split(",")]
    return {form: forms[0] for forms in lists for form in forms[1:] or forms}


_PAST, _PLURAL = _table(_VERBS), _table(_NOUNS)
_IRREGULAR = {"VBD": _PAST, "VBN": _PAST, "NNS": _PLURAL, "VBG": {"dying": "die", "lying": "lie", "tying": "tie"}}
_ENDINGS = {
    "VBD": "ed", "VBN": "ed", "VBG": "ing", "VBZ": "s", "NNS": "s",
    "JJR": "er", "RBR": "er", "JJS": "est", "RBS": "est",
}  # fmt: skip
_DOUBLED = re.compile(r"([^aeiou]|qu)[aeiouy]([bdgkmnprtv])\2$|[aeiou].*[^aeiou][eo]ll$")
"""A stem whose last letter is doubled before the ending: *runn*, *controll*."""
_SHORT = re.compile(r"[^aeiouy]*[aeiouy][bdgklmnprtz]$")
"""A stem that doubles its last letter, so that *hoping* is no form of *hop*."""
_SILENT_E = re.compile(
    r"([^s]s|[^z]z|[cuv]|[bcdfgkptz]l|[^aeo](at|in)|[^ae]il|[^ao]u[dlt]|[iu]r|[^a]i[bd]|[^eo][ao]k|[^e](am|ed)|[adelr]g)$"
)
"""A stem whose lemma probably ends in e: *chas*, *involv*, *creat*."""


def lemma_of(word: str, pos: str, chosen: str, known: Callable[[str], bool]) -> str:
    """The lemma of a word: the one that the tagger chose where it is a known word, else by table and spelling."""
    form = word.lower()
    if (irregular := _IRREGULAR.get(pos, {}).get(form)) is not None:
        return irregular
    ending = _ENDINGS.get(pos)
    if ending is None or chosen != chosen.lower() or not form.isalpha():
        return chosen
    candidates = [*_bases(form, ending)]
    may_be = chosen == form or chosen in candidates or not form.startswith(chosen)
    if not candidates or (may_be and known(chosen)):
        return chosen
    return next((base for base in candidates if known(base)), candidates[0])


def _bases(form: str, ending: str) -> Iterator[str]:
    """What may be the lemma of a regular form, the most likely first."""
    if ending == "s" and form.endswith("men"):
        yield f"{form[:-3]}man"
    if not form.endswith(ending) or len(form) < len(ending) + 2:
        return
    stem = form[: -len(ending)]
    if ending == "s":
        if stem.endswith("ie") and len(stem) > 3:
            yield f"{stem[:-2]}y"
        if re.search("(s|x|z|ch|sh)e$", stem) and not _SILENT_E.search(stem[:-1]):
            yield stem[:-1]
        yield stem
        if stem.endswith("e"):
            yield stem[:-1]
        return
    if stem.endswith("i") and ending != "ing":
        yield f"{stem[:-1]}y" if len(stem) > 2 else f"{stem}e"
        return
    if _DOUBLED.search(stem):
        yield stem[:-1]
    if _SHORT.match(stem):
        yield f"{stem}e"
        return
    yield from (f"{stem}e", stem) if _SILENT_E.search(stem) else (stem, f"{stem}e")
