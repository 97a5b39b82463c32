r"""The word lists and tables of the English profile; what they decide is said where they are used."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.treebanks.ud.lists import words

_parse = Category.parse

S_DCL, S_Q, S_WQ, S_QEM, S_EM, S_FOR = map(_parse, ("S[dcl]", "S[q]", "S[wq]", "S[qem]", "S[em]", "S[for]"))
S_INTJ, S_FRG = map(_parse, ("S[intj]", "S[frg]"))
N, NP, PP, CONJ = map(_parse, ("N", "NP", "PP", "conj"))
NUMBER = _parse("N[num]")
THERE, IT = _parse("NP[thr]"), _parse("NP[expl]")
ADJECTIVE = _parse(r"S[adj]\NP")
ADJECTIVAL = _parse("S[adj]")
SUPERLATIVE = _parse(r"S[asup]\NP")
VERB_PHRASE = {feature: _parse(rf"S[{feature}]\NP") for feature in words("dcl b ng pt pss to adj")}
DETERMINER = _parse("NP/N")

FEATURE_OF_TAG = {
    "VBZ": "dcl",
    "VBP": "dcl",
    "VBD": "dcl",
    "MD": "dcl",
    "VB": "b",
    "VBG": "ng",
    "VBN": "pss",
    "TO": "to",
}
"""The feature a verb form has by itself; what stands before it may change it (*have* makes ``pt`` of ``pss``)."""

BARE_TAKERS = words("do can could may might must shall should will would 'll 'd ca wo need dare")
"""Auxiliaries (lemmas) followed by the bare infinitive."""

AUXILIARY_FORMS = {
    "be": words("is are was were been being am 'm 're"),
    "have": words("has had having 've"),
    "do": words("does did"),
}
"""For treebanks without lemmas."""

COMPLEMENTISERS = {"that": S_EM, "if": S_QEM, "whether": S_QEM, "for": S_FOR}
"""What a clause with this mark is as a complement; any other mark makes ``S[em]``."""

WH_WORDS = words("what which who whom whose where when why how whatever whichever whoever wherever whenever")
WH_ADVERBS = words("where when why how wherever whenever however")

SENTENCE_ADVERBS = words(
    """not n't never also always still already now just only ever often usually probably currently actually then
    perhaps maybe certainly definitely clearly obviously simply sometimes rarely seldom generally typically merely
    once again yet soon today currently recently finally hopefully honestly basically however therefore thus
    instead likely both all each no_longer long"""
)
"""Adverbs that modify the verb phrase between a copula and an adjective; others modify the adjective."""

DEGREE_NOUN_ADVERBS = words("about almost nearly only even just approximately around roughly quite over at")
"""Adverbs before a noun phrase that modify it (``NP/NP``) rather than the verb phrase."""

TEMPORAL_NOUNS = words(
    """day week month year morning evening night afternoon time hour minute second monday tuesday wednesday thursday
    friday saturday sunday january february march april may june july august september october november december
    today tomorrow yesterday tonight weekend decade century moment spring summer autumn fall winter"""
)

MONTHS = words("january february march april may june july august september october november december")

PERCEPTION = words("see hear overhear watch feel notice observe smell remember imagine keep catch find leave picture")
"""Verbs with an object and a bare infinitive or participle that is said of it."""

IDEAS = words("idea clue doubt")
"""Nouns with a question as their complement: ``N/S[qem]``."""

SPEECH = words(
    """say tell ask think believe suppose guess add report note explain claim argue reply answer admit announce declare
    write shout cry whisper warn insist hope fear imagine assume know conclude suggest recall remark mean feel"""
)
"""Verbs whose clause may stand beside what is said: ``(S[dcl]\\S[dcl])\\NP``."""

MEASURED = words("ago later earlier before after away back old long tall high deep wide thick ahead apart")
"""Words that take the measure before them as an argument: *ago* is ``X\\NP``."""

MARK_CATEGORIES = {
    ",": ",",
    ".": ".",
    "!": ".",
    "?": ".",
    ";": ";",
    ":": ":",
    "-": ":",
    "--": ":",
    "(": "LRB",
    ")": "RRB",
    "[": "LRB",
    "]": "RRB",
    "{": "LRB",
    "}": "RRB",
    "<": "LRB",
    ">": "RRB",
    "-LRB-": "LRB",
    "-RRB-": "RRB",
    "-LSB-": "LRB",
    "-RSB-": "RRB",
    "``": "LQU",
    "''": "RQU",
    "“": "LQU",
    "”": "RQU",
    "‘": "LQU",
    "’": "RQU",
    "«": "LQU",
    "»": "RQU",
}
JOINING_MARKS = frozenset({",", ";", ":"})
"""Categories of marks that may stand for a conjunction."""
OPENING_MARKS = frozenset({"LRB", "LQU"})
