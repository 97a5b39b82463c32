r"""The word lists and tables of the English profile; what they decide is said where they are used."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.treebanks.ud.lists import words

_parse = Category.parse

S_DCL, S_Q, S_WQ, S_QEM, S_EM, S_FOR = map(_parse, ("S[dcl]", "S[q]", "S[wq]", "S[qem]", "S[em]", "S[for]"))
S_INTJ = _parse("S[intj]")
N, NP, PP, CONJ = map(_parse, ("N", "NP", "PP", "conj"))
NUMBER = _parse("N[num]")
THERE, IT = _parse("NP[thr]"), _parse("NP[expl]")
ADJECTIVE = _parse(r"S[adj]\NP")
ADJECTIVAL = _parse("S[adj]")
BEFORE_CLAUSE = _parse("S/S")
SUPERLATIVE = _parse(r"S[asup]\NP")
VERB_PHRASE = {feature: _parse(rf"S[{feature}]\NP") for feature in words("dcl b ng pt pss to adj")}
DETERMINER = _parse("NP/N")

FEATURE_OF_TAG = {
    **dict.fromkeys(("VBZ", "VBP", "VBD", "MD"), "dcl"), "VB": "b", "VBG": "ng", "VBN": "pss", "TO": "to",
}  # fmt: skip
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

CLAUSE_NOUNS = TEMPORAL_NOUNS | {"way", "reason", "place"}
"""Nouns whose clause lacks no noun phrase: *the way he sings*, *the day we met*."""

MONTHS = words(
    """january february march april may june july august september october november december
    jan feb mar apr jun jul aug sept sep oct nov dec"""
)

PERCEPTION = words("see hear overhear watch feel notice observe smell remember imagine keep catch find leave picture")
"""Verbs with an object and a bare infinitive or participle that is said of it."""

IDEAS = words("idea clue doubt")
"""Nouns with a question as their complement: ``N/S[qem]``."""

TRANSITIVE = words(
    """accept access accomplish achieve acquire address admire adopt afford answer attain attend avoid beat
    believe blame book borrow break bring build buy carry catch celebrate change check choose clean close
    collect compare complete conceive consider consume contact control convince cook copy cover create cut
    defeat define describe destroy detect determine digest discover discuss dismiss distinguish do download draw
    drink drop earn eat emulate enforce enjoy ensure enter establish examine exclude expect explain explore
    express face fathom fight fill film find finish fix follow forget forgive gain get give handle hear hold
    identify ignore imagine implement improve install interpret invite judge justify keep kill learn lift lose
    love maintain make manage measure meet mention miss monitor name navigate notice observe obtain offer open
    operate order organize overcome pay perform pick place play please position predict prepare prevent produce
    prove provide pull push put quantify read reach recall recognise recognize recommend remember remove repair
    repeat replace replicate report reproduce resist resolve review ride satisfy say secure see sell share show
    solve spell spend spot stop study swallow take tame teach tell test throw touch track train translate
    transport treat trust try understand use visit wash watch wear win write"""
)
"""Verbs whose object is missing where they have none: *things to do*, *easy to find*."""

TOUGH = words(
    """amazing awkward cheap comfortable complicated convenient costly dangerous delightful difficult easy easier
    easiest enjoyable expensive fun hard harder hardest harmful hazardous impossible inconvenient interesting nice
    painful pleasant possible safe simple simpler straightforward tedious tough tricky unpleasant worthwhile"""
)
"""Adjectives whose subject is the object of their infinitive: ``(S[adj]\\NP)/((S[to]\\NP)/NP)``."""

EAGER = words("able unable eager willing ready")
"""Adjectives whose subject is that of their infinitive, even if the infinitive lacks an object."""

HARD = words("difficult easy easier easiest hard harder hardest impossible simple simpler tough tricky")
"""Those after which every infinitive lacks its object if their subject names a thing: *the knot is hard to untie*."""

CLAUSE_ADJECTIVES = words(
    """afraid aware certain confident convinced excited glad grateful happy hopeful lucky pleased proud sad sorry sure
    surprised thankful upset worried"""
)
"""Adjectives that take a clause themselves: *so glad that you came*."""

INFINITIVE_VERBS = words("need have want like love hate try plan begin start hope wish use go get attempt decide")
"""Verbs whose infinitive has their own subject, and that take no object beside it."""

COMPLEMENT_TAKERS = words("agree aim bother choose elect hesitate manage opt refuse strive threaten volunteer vote")
"""Verbs whose infinitive is a complement, whatever the treebank says."""

INFINITIVE_NOUNS = words(
    """ability agreement ambition appetite attempt authority capability capacity chance commitment decision desire
    determination effort energy failure freedom incentive inclination intention invitation license motivation need
    obligation opportunity order permission place plan power pressure promise proposal reason refusal reluctance request
    right tendency threat time tool urge way willingness wish"""
)
"""Nouns whose infinitive has no gap: *the right to know*."""

QUESTION_VERBS = words(
    """ask care check consider count decide describe determine discover discuss examine explain figure find forget guess
    identify illustrate imagine inquire investigate know learn note notice realise realize remember reveal say see show
    suggest teach tell understand wonder"""
)
"""Verbs whose embedded question is ``S[qem]`` in CCGbank, never a free relative."""

PASSIVES = words(
    """armed associated attached based born broken classified closed committed concerned confused connected dedicated
    determined devoted divorced done fixed focused headed honored impressed informed injured involved isolated known
    located lost married occupied opposed organised organized posted prepared related required separated set settled
    trained united used"""
)
"""Participles that UD may call adjectives, and that CCGbank has as ``S[pss]`` after a noun or a copula."""

INVERTING = words("never not no nor neither only rarely seldom hardly scarcely barely little nowhere so such as than")
"""Words that put the auxiliary before the subject of a statement: *never has he laughed*, *only then did he laugh*."""

DEGREES = words("very so too more most less least quite rather pretty really extremely as how")

CONNECTIVES = words("so hence thus therefore then otherwise plus yet")
"""Adverbs that join the clause they start to the one before: ``(S\\S)/S[dcl]``."""

SPEECH = words(
    """say tell ask think believe suppose guess add report note explain claim argue reply answer admit announce declare
    write shout cry whisper warn insist hope fear imagine assume know conclude suggest recall remark mean feel
    comment state observe acknowledge confirm confess complain exclaim joke stress emphasize emphasise testify"""
)
"""Verbs whose clause may stand beside what is said: ``(S[dcl]\\S[dcl])\\NP``."""

MEASURED = words("ago later earlier before after away back old long tall high deep wide thick ahead apart")
"""Words that take the measure before them as an argument: *ago* is ``X\\NP``."""

_MARKS = {
    ",": ",", ".": ". ! ?", ";": ";", ":": ": - --", "LRB": "( [ { < -LRB- -LSB-", "RRB": ") ] } > -RRB- -RSB-",
    "LQU": "`` “ ‘ «", "RQU": "'' ” ’ »",
}  # fmt: skip
MARK_CATEGORIES = {mark: category for category, marks in _MARKS.items() for mark in marks.split()}
