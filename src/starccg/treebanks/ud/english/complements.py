"""Complement or adjunct: which prepositional phrases a verb or an adjective takes as arguments.

UD writes both as ``obl``. The tables began with counts in the hand-checked English derivations of the Parallel Meaning
Bank (how often a verb takes a preposition as ``PP``, how often as ``(S\\NP)\\(S\\NP)``) and were generalised by hand;
``benchmarks/complements.py`` counts again and compares. A pair in ``COMPLEMENTS`` is a complement, a pair in
``ADJUNCTS`` is none. Otherwise the preposition decides: those that are complements about four times out of five
(``LEANING``) make complements, others do not.

Expressions of time are adjuncts whatever the preposition, and so is *by* with a passive, as in CCGbank.
"""

from __future__ import annotations

from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.lists import table, words

LEANING = words("to of from into about onto toward towards")
ADJECTIVE_LEANING = words("to of with about from")


COMPLEMENTS = table("""
    with: abound accuse acquaint agree align arm associate begin bombard break burden charge coincide collaborate
      combine communicate
      compare compete comply concern confer confront confuse connect consult cope correspond cover credit deal
      disagree do dance dispense end
      entrust equip experiment familiarise familiarize feed fill finish flirt fuse help identify infect integrate
      interact interfere
      interview invest load meddle meet merge mess mix negotiate pack pay play plead present proceed provide quarrel
      reconcile replace
      reward shoot side speak stab start sympathise sympathize talk tamper threaten trust
    on: act advise agree base bet blame bring build call capitalise capitalize center centre cheat comment
      concentrate count decide depend draw
      dwell elaborate embark expand feed focus get hang hinge impose insist keep knock lay lean lecture live look
      model operate place plan
      press put rely reflect report rest rule save sit spend stand step touch verge vote wait work
    for: account allow apologise apologize apply argue arrange ask beg blame bid brace buy call campaign care
      charge compensate compete
      criticise criticize do fight forgive hope head hunt keep lobby long look mistake opt pay plan pray praise
      prepare press provide push
      qualify reach reward run save search sell serve settle shop speak stand strive substitute sue thank use vote
      vouch wait wish yearn
    in: believe belong confide consist deal delight engage enrol enroll excel get include indulge interest invest
      involve major participate
      persist place put reside result specialise specialize stand succeed trade
    at: aim balk bark gaze glance glare grin laugh look peer point price rate scream shoot shout smile stare throw
      value wave wink yell
    as: act appoint cast characterise characterize classify describe define designate identify interpret know
      label name nominate perceive portray
      qualify rate recognise recognize regard register see serve treat use view function masquerade double
    like: act look sound feel seem smell taste
    against: act argue campaign compete defend discriminate fight guard lean protect protest rebel rule speak vote
      warn weigh
    over: argue fight preside prevail quarrel rule take watch
    after: ask chase go inquire look name take
    through: go get look run sift sort
    behind: stand fall lag
    under: fall come
    upon: act call come depend draw embark impinge look prey rely
    between: alternate choose differentiate discriminate distinguish
""")

ADJUNCTS = table("""
    to: do have
    from: fly withdraw work
    into: flow
    about: walk
""")

ADJECTIVES = table("""
    in: interested involved interesting rich strong weak fluent confident engaged located successful lacking based
      common present
    at: good bad poor mad angry adept great excellent skilled surprised terrible
    for: responsible known famous sorry ready good bad eligible suitable available necessary grateful thankful
      notorious crazy bound
      perfect ideal great useful essential important liable fit appropriate due open desperate
    on: dependent keen based hard easy reliant intent big contingent
    by: affected surprised impressed
    as: known
""")


def takes(builder: Builder, head: int, child: int) -> bool:
    """Whether ``head`` takes the prepositional phrase of ``child`` (a noun, or a gerund) as its argument."""
    word = builder.word(child)
    relation = "mark" if word.universal == "advcl" else "case"
    prepositions = [builder.word(c).lower for c in builder.related(child, relation) if c < child]
    if not prepositions or word.lemma.lower() in tables.TEMPORAL_NOUNS or word.relation == "obl:agent":
        return False
    preposition = prepositions[0]
    lemma = builder.word(head).lemma.lower()
    if builder.word(head).upos in {"ADJ", "ADV"}:
        leans = preposition in ADJECTIVE_LEANING and builder.word(head).upos == "ADJ"
        return leans or lemma in ADJECTIVES.get(preposition, ())
    if lemma in COMPLEMENTS.get(preposition, ()):
        return True
    return preposition in LEANING and lemma not in ADJUNCTS.get(preposition, ())
