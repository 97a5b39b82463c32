r"""The constructions of English, each with its dependencies as a linguist would write them down."""

from __future__ import annotations

import pytest

from tests.dependencies.notation import dependencies, lines

SUBJECT = r"=S[X]/(S[X]\NP)"
"""The category of a subject that is raised so as to compose with its verb."""

CASES: dict[str, tuple[str, str]] = {
    "a transitive verb": (
        r"[Mary:NP [saw:(S[dcl]\NP)/NP John:NP]]",
        """
        saw 1 Mary
        saw 2 John
        """,
    ),
    "a ditransitive verb: the object it takes first is its last slot": (
        r"[Mary:NP [[gave:((S[dcl]\NP)/NP)/NP John:NP] books:NP]]",
        """
        gave 1 Mary
        gave 2 books
        gave 3 John
        """,
    ),
    "determiners and adjectives point at the noun": (
        r"[the:NP[nb]/N [big:N/N dog:N]]",
        """
        the 1 dog
        big 1 dog
        """,
    ),
    "an adverb of an adjective points at the adjective, the adjective still at the noun": (
        r"[a:NP/N [[very:(N/N)/(N/N) big:N/N] dog:N]]",
        """
        a 1 dog
        very 2 big
        big 1 dog
        """,
    ),
    "a chain of auxiliaries: everyone has the same subject": (
        r"[Mary:NP [might:(S[dcl]\NP)/(S[b]\NP) [have:(S[b]\NP)/(S[pt]\NP) [been:(S[pt]\NP)/(S[ng]\NP)"
        r" sleeping:S[ng]\NP]]]]",
        """
        might 1 Mary
        might 2 have
        have 1 Mary <XB>
        have 2 been
        been 1 Mary <XB>
        been 2 sleeping
        sleeping 1 Mary <XB>
        """,
    ),
    "a passive with its agent": (
        r"[John:NP [was:(S[dcl]\NP)/(S[pss]\NP) [seen:S[pss]\NP [by:((S\NP)\(S\NP))/NP Mary:NP]]]]",
        """
        was 1 John
        was 2 seen
        seen 1 John <XB>
        by 2 seen
        by 3 Mary
        """,
    ),
    "a pseudo-passive: the subject is the object of the stranded preposition": (
        r"[John:NP [was:(S[dcl]\NP)/(S[pss]\NP) [laughed:(S[pss]\NP)/(PP/NP) at:PP/NP]]]",
        """
        was 1 John
        was 2 laughed
        laughed 1 John <XB>
        laughed 2 at
        at 1 John <XB>
        """,
    ),
    "subject control": (
        r"[Mary:NP [wants:(S[dcl]\NP)/(S[to]\NP) [to:(S[to]\NP)/(S[b]\NP) sleep:S[b]\NP]]]",
        """
        wants 1 Mary
        wants 2 to
        to 1 Mary <XB>
        to 2 sleep
        sleep 1 Mary <XB>
        """,
    ),
    "object control": (
        r"[Mary:NP [[persuaded:((S[dcl]\NP)/(S[to]\NP))/NP John:NP] [to:(S[to]\NP)/(S[b]\NP) sleep:S[b]\NP]]]",
        """
        persuaded 1 Mary
        persuaded 2 to
        persuaded 3 John
        to 1 John <XB>
        to 2 sleep
        sleep 1 John <XB>
        """,
    ),
    "subject control beside an object: who promises, leaves": (
        r"[Mary:NP [[promised:((S[dcl]\NP)/(S[to]\NP))/NP John:NP] [to:(S[to]\NP)/(S[b]\NP) leave:S[b]\NP]]]",
        """
        promised 1 Mary
        promised 2 to
        promised 3 John
        to 1 Mary <XB>
        to 2 leave
        leave 1 Mary <XB>
        """,
    ),
    "subject control under an auxiliary": (
        r"[Mary:NP [will:(S[dcl]\NP)/(S[b]\NP) [[promise:((S[b]\NP)/(S[to]\NP))/NP John:NP]"
        r" [to:(S[to]\NP)/(S[b]\NP) leave:S[b]\NP]]]]",
        """
        will 1 Mary
        will 2 promise
        promise 1 Mary <XB>
        promise 2 to
        promise 3 John
        to 1 Mary <XB>
        to 2 leave
        leave 1 Mary <XB>
        """,
    ),
    "raising: the subject of the lower verb": (
        r"[Mary:NP [seems:(S[dcl]\NP)/(S[to]\NP) [to:(S[to]\NP)/(S[b]\NP) [know:(S[b]\NP)/NP John:NP]]]]",
        """
        seems 1 Mary
        seems 2 to
        to 1 Mary <XB>
        to 2 know
        know 1 Mary <XB>
        know 2 John
        """,
    ),
    "raising of an expletive": (
        r"[there:NP[thr] [seems:(S[dcl]\NP[thr])/(S[to]\NP[thr]) [to:(S[to]\NP[thr])/(S[b]\NP[thr])"
        r" [be:(S[b]\NP[thr])/NP trouble:NP]]]]",
        """
        seems 1 there
        seems 2 to
        to 1 there <XB>
        to 2 be
        be 1 there <XB>
        be 2 trouble
        """,
    ),
    "an expletive subject controls nothing": (
        r"[it:NP[expl] [[takes:((S[dcl]\NP[expl])/(S[to]\NP))/NP time:NP] [to:(S[to]\NP)/(S[b]\NP) sleep:S[b]\NP]]]",
        """
        takes 1 it
        takes 2 to
        takes 3 time
        to 2 sleep
        """,
    ),
    "a small clause: the adjective says something of the object": (
        r"[Mary:NP [[considers:((S[dcl]\NP)/(S[adj]\NP))/NP John:NP] foolish:S[adj]\NP]]",
        """
        considers 1 Mary
        considers 2 foolish
        considers 3 John
        foolish 1 John <XB>
        """,
    ),
    "a causative with a bare infinitive": (
        r"[Mary:NP [[made:((S[dcl]\NP)/(S[b]\NP))/NP John:NP] sing:S[b]\NP]]",
        """
        made 1 Mary
        made 2 sing
        made 3 John
        sing 1 John <XB>
        """,
    ),
    "an adjective with an infinitive": (
        r"[Mary:NP [is:(S[dcl]\NP)/(S[adj]\NP) [able:(S[adj]\NP)/(S[to]\NP) [to:(S[to]\NP)/(S[b]\NP) sing:S[b]\NP]]]]",
        """
        is 1 Mary
        is 2 able
        able 1 Mary <XB>
        able 2 to
        to 1 Mary <XB>
        to 2 sing
        sing 1 Mary <XB>
        """,
    ),
    "a tough adjective: its subject is the object of the infinitive": (
        r"[Mary:NP [is:(S[dcl]\NP)/(S[adj]\NP) [easy:(S[adj]\NP)/((S[to]\NP)/NP)"
        r" [to:(S[to]\NP)/(S[b]\NP) please:(S[b]\NP)/NP]]]]",
        """
        is 1 Mary
        is 2 easy
        easy 1 Mary <XB>
        easy 2 to
        to 2 please
        please 2 Mary <XU>
        """,
    ),
    "a tough adjective whose infinitive has a subject of its own": (
        r"[Mary:NP [is:(S[dcl]\NP)/(S[adj]\NP) [easy:(S[adj]\NP)/(S[for]/NP)"
        r" [[for:(S[for]/(S[to]\NP))/NP us:NP] [to:(S[to]\NP)/(S[b]\NP) please:(S[b]\NP)/NP]]]]]",
        """
        is 1 Mary
        is 2 easy
        easy 1 Mary <XB>
        easy 2 for
        for 1 to
        for 2 us
        to 1 us <XB>
        to 2 please
        please 1 us <XB>
        please 2 Mary <XU>
        """,
    ),
    "a subject relative": (
        r"[[the:NP/N man:N] [who:(NP\NP)/(S[dcl]\NP) [saw:(S[dcl]\NP)/NP Mary:NP]]]",
        """
        the 1 man
        who 1 man
        who 2 saw
        saw 1 man <XB>
        saw 2 Mary
        """,
    ),
    "an object relative": (
        rf"[[the:NP/N man:N] [whom:(NP\NP)/(S[dcl]/NP) [[{SUBJECT} Mary:NP] saw:(S[dcl]\NP)/NP]]]",
        """
        the 1 man
        whom 1 man
        whom 2 saw
        saw 1 Mary
        saw 2 man <XU>
        """,
    ),
    "an object relative over a noun": (
        rf"[the:NP/N [man:N [whom:(N\N)/(S[dcl]/NP) [[{SUBJECT} Mary:NP] saw:(S[dcl]\NP)/NP]]]]",
        """
        the 1 man
        whom 1 man
        whom 2 saw
        saw 1 Mary
        saw 2 man <XU>
        """,
    ),
    "an object relative without a pronoun": (
        rf"[[the:NP/N man:N] [=NP\NP [[{SUBJECT} Mary:NP] saw:(S[dcl]\NP)/NP]]]",
        """
        the 1 man
        saw 1 Mary
        saw 2 man <XU>
        """,
    ),
    "an object relative that reaches into a lower clause": (
        rf"[[the:NP/N man:N] [whom:(NP\NP)/(S[dcl]/NP) [[[{SUBJECT} John:NP] says:(S[dcl]\NP)/S[dcl]]"
        rf" [[{SUBJECT} Mary:NP] saw:(S[dcl]\NP)/NP]]]]",
        """
        the 1 man
        whom 1 man
        whom 2 says
        says 1 John
        says 2 saw
        saw 1 Mary
        saw 2 man <XU>
        """,
    ),
    "a subject extracted from a lower clause": (
        rf"[[the:NP/N man:N] [whom:(NP\NP)/(S[dcl]/NP) [[{SUBJECT} Mary:NP]"
        r" [thinks:((S[dcl]\NP)/NP)/(S[dcl]\NP) left:S[dcl]\NP]]]]",
        """
        the 1 man
        whom 1 man
        whom 2 thinks
        thinks 1 Mary
        thinks 2 man <XU>
        thinks 3 left
        left 1 man <XU>
        """,
    ),
    "a possessive relative": (
        r"[[the:NP/N man:N] [[whose:((NP\NP)/(S[dcl]\NP))/N dog:N] barked:S[dcl]\NP]]",
        """
        the 1 man
        whose 1 man
        whose 2 barked
        whose 3 dog
        barked 1 dog <XB>
        """,
    ),
    "pied-piping: the noun is the object of the preposition, which modifies the clause": (
        r"[[the:NP/N town:N] [[in:((S\NP)\(S\NP))/NP which:((NP\NP)/S[dcl])\(((S\NP)\(S\NP))/NP)]"
        r" [Mary:NP sleeps:S[dcl]\NP]]]",
        """
        the 1 town
        which 1 town
        which 2 sleeps
        which 3 in
        in 2 sleeps
        in 3 town <XU>
        sleeps 1 Mary
        """,
    ),
    "pied-piping with a nominal preposition": (
        r"[[the:NP/N town:N] [[in:(NP\NP)/NP which:((NP\NP)/S[dcl])\((NP\NP)/NP)] [Mary:NP sleeps:S[dcl]\NP]]]",
        """
        the 1 town
        which 1 town
        which 2 sleeps
        which 3 in
        in 2 town <XU>
        sleeps 1 Mary
        """,
    ),
    "a relative pronoun inside the subject: the noun is the object of the preposition": (
        r"[[a:NP/N book:N] [[[[=NP/(NP\NP) [the:NP/N cover:N]] of:(NP\NP)/NP]"
        r" which:((NP\NP)/(S[dcl]\NP))\(NP/NP)] faded:S[dcl]\NP]]",
        """
        a 1 book
        the 1 cover
        of 1 cover
        of 2 book <XU>
        which 1 book
        which 2 faded
        which 3 cover
        faded 1 cover <XB>
        """,
    ),
    "a reduced passive relative": (
        r"[[the:NP/N man:N] [=NP\NP [seen:S[pss]\NP [by:((S\NP)\(S\NP))/NP Mary:NP]]]]",
        """
        the 1 man
        seen 1 man
        by 2 seen
        by 3 Mary
        """,
    ),
    "an infinitival relative with an object gap": (
        r"[[a:NP/N book:N] [=NP\NP [to:(S[to]\NP)/(S[b]\NP) read:(S[b]\NP)/NP]]]",
        """
        a 1 book
        to 2 read
        read 2 book <XU>
        """,
    ),
    "a free relative: the word itself is the filler": (
        rf"[John:NP [ate:(S[dcl]\NP)/NP [what:NP/(S[dcl]/NP) [[{SUBJECT} Mary:NP] cooked:(S[dcl]\NP)/NP]]]]",
        """
        ate 1 John
        ate 2 what
        what 1 cooked
        cooked 1 Mary
        cooked 2 what <XU>
        """,
    ),
    "a yes-no question": (
        r"[[did:(S[q]/(S[b]\NP))/NP Mary:NP] sleep:S[b]\NP]",
        """
        did 1 sleep
        did 2 Mary
        sleep 1 Mary <XB>
        """,
    ),
    "a subject question": (
        r"[who:S[wq]/(S[dcl]\NP) [saw:(S[dcl]\NP)/NP Mary:NP]]",
        """
        who 1 saw
        saw 1 who <XB>
        saw 2 Mary
        """,
    ),
    "an object question": (
        r"[what:S[wq]/(S[q]/NP) [[did:(S[q]/(S[b]\NP))/NP Mary:NP] see:(S[b]\NP)/NP]]",
        """
        what 1 did
        did 1 see
        did 2 Mary
        see 1 Mary <XB>
        see 2 what <XU>
        """,
    ),
    "an object question with a noun: the noun is the filler": (
        r"[[which:(S[wq]/(S[q]/NP))/N book:N] [[did:(S[q]/(S[b]\NP))/NP Mary:NP] read:(S[b]\NP)/NP]]",
        """
        which 1 did
        which 2 book
        did 1 read
        did 2 Mary
        read 1 Mary <XB>
        read 2 book <XU>
        """,
    ),
    "an adjunct question": (
        r"[when:S[wq]/S[q] [[did:(S[q]/(S[b]\NP))/NP Mary:NP] sleep:S[b]\NP]]",
        """
        when 1 did
        did 1 sleep
        did 2 Mary
        sleep 1 Mary <XB>
        """,
    ),
    "a question of degree: the adjective is fronted and keeps its subject": (
        r"[[how:(S[wq]/(S[q]/(S[adj]\NP)))/(S[adj]\NP) tall:S[adj]\NP] [is:(S[q]/(S[adj]\NP))/NP Mary:NP]]",
        """
        how 1 is
        how 2 tall
        is 1 tall <XU>
        is 2 Mary
        tall 1 Mary <XB>
        """,
    ),
    "a question with its preposition in front": (
        r"[[in:(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP)) [which:(S[wq]/(S[q]/NP))/N town:N]]"
        r" [[did:(S[q]/(S[b]\NP))/NP Mary:NP] live:(S[b]\NP)/PP]]",
        """
        in 1 did
        in 2 which
        which 1 did
        which 2 town
        did 1 live
        did 2 Mary
        live 1 Mary <XB>
        live 2 in <XU>
        """,
    ),
    "a question of place": (
        r"[where:S[wq]/(S[q]/PP) [[did:(S[q]/(S[b]\NP))/NP Mary:NP] live:(S[b]\NP)/PP]]",
        """
        where 1 did
        did 1 live
        did 2 Mary
        live 1 Mary <XB>
        live 2 where <XU>
        """,
    ),
    "an embedded question": (
        rf"[John:NP [knows:(S[dcl]\NP)/S[qem] [what:S[qem]/(S[dcl]/NP) [[{SUBJECT} Mary:NP] saw:(S[dcl]\NP)/NP]]]]",
        """
        knows 1 John
        knows 2 what
        what 1 saw
        saw 1 Mary
        saw 2 what <XU>
        """,
    ),
    "noun phrases conjoined as subject and object: dependencies distribute": (
        r"[[Mary:NP [and:conj John:NP]] [saw:(S[dcl]\NP)/NP [Sue:NP [or:conj Bob:NP]]]]",
        """
        saw 1 Mary
        saw 1 John
        saw 2 Sue
        saw 2 Bob
        """,
    ),
    "a list of three": (
        r"[[Mary:NP [=NP\NP ,:, [John:NP [and:conj Sue:NP]]]] sang:S[dcl]\NP]",
        """
        sang 1 Mary
        sang 1 John
        sang 1 Sue
        """,
    ),
    "verbs conjoined share both arguments": (
        r"[Mary:NP [[bought:(S[dcl]\NP)/NP [and:conj sold:(S[dcl]\NP)/NP]] books:NP]]",
        """
        bought 1 Mary
        bought 2 books
        sold 1 Mary
        sold 2 books
        """,
    ),
    "verb phrases conjoined share the subject, each with its own object": (
        r"[Mary:NP [[bought:(S[dcl]\NP)/NP books:NP] [and:conj [sold:(S[dcl]\NP)/NP paintings:NP]]]]",
        """
        bought 1 Mary
        bought 2 books
        sold 1 Mary
        sold 2 paintings
        """,
    ),
    "an auxiliary over conjoined verb phrases": (
        r"[Mary:NP [will:(S[dcl]\NP)/(S[b]\NP) [sing:S[b]\NP [and:conj dance:S[b]\NP]]]]",
        """
        will 1 Mary
        will 2 sing
        will 2 dance
        sing 1 Mary <XB>
        dance 1 Mary <XB>
        """,
    ),
    "an adverb over conjoined verb phrases modifies both": (
        r"[Mary:NP [[sang:S[dcl]\NP [and:conj danced:S[dcl]\NP]] happily:(S\NP)\(S\NP)]]",
        """
        sang 1 Mary
        danced 1 Mary
        happily 2 sang
        happily 2 danced
        """,
    ),
    "adjectives conjoined": (
        r"[a:NP/N [[big:N/N [and:conj red:N/N]] house:N]]",
        """
        a 1 house
        big 1 house
        red 1 house
        """,
    ),
    "nouns conjoined under one determiner; an adjective of one is not the other's": (
        r"[the:NP/N [[old:N/N men:N] [and:conj women:N]]]",
        """
        the 1 men
        the 1 women
        old 1 men
        """,
    ),
    "right node raising": (
        rf"[[[[{SUBJECT} Mary:NP] cooked:(S[dcl]\NP)/NP]"
        rf" [and:conj [[{SUBJECT} John:NP] ate:(S[dcl]\NP)/NP]]] beans:NP]",
        """
        cooked 1 Mary
        cooked 2 beans <XU>
        ate 1 John
        ate 2 beans <XU>
        """,
    ),
    "a relative clause over conjoined gaps": (
        rf"[[the:NP/N man:N] [whom:(NP\NP)/(S[dcl]/NP) [[[{SUBJECT} Mary:NP] met:(S[dcl]\NP)/NP]"
        rf" [and:conj [[{SUBJECT} John:NP] liked:(S[dcl]\NP)/NP]]]]]",
        """
        the 1 man
        whom 1 man
        whom 2 met
        whom 2 liked
        met 1 Mary
        met 2 man <XU>
        liked 1 John
        liked 2 man <XU>
        """,
    ),
    "argument clusters conjoined: each verb slot has both": (
        r"[Mary:NP [gave:((S[dcl]\NP)/NP)/NP"
        r" [[[=((S\NP)/NP)\(((S\NP)/NP)/NP) John:NP] [=(S\NP)\((S\NP)/NP) books:NP]]"
        r" [and:conj [[=((S\NP)/NP)\(((S\NP)/NP)/NP) Sue:NP] [=(S\NP)\((S\NP)/NP) flowers:NP]]]]]]",
        """
        gave 1 Mary
        gave 2 books
        gave 2 flowers
        gave 3 John
        gave 3 Sue
        """,
    ),
    "an adverb before the sentence": (
        r"[yesterday:S/S [Mary:NP sang:S[dcl]\NP]]",
        """
        yesterday 1 sang
        sang 1 Mary
        """,
    ),
    "an adverb before the verb": (
        r"[Mary:NP [often:(S\NP)/(S\NP) [saw:(S[dcl]\NP)/NP John:NP]]]",
        """
        often 2 saw
        saw 1 Mary
        saw 2 John
        """,
    ),
    "an adverb between auxiliary and verb": (
        r"[Mary:NP [will:(S[dcl]\NP)/(S[b]\NP) [often:(S\NP)/(S\NP) sing:S[b]\NP]]]",
        """
        will 1 Mary
        will 2 sing
        often 2 sing
        sing 1 Mary <XB>
        """,
    ),
    "an adverb that composes with the verb before the object comes": (
        r"[Mary:NP [[often:(S\NP)/(S\NP) saw:(S[dcl]\NP)/NP] John:NP]]",
        """
        often 2 saw
        saw 1 Mary
        saw 2 John
        """,
    ),
    "an adverb between verb and object, by crossed composition": (
        r"[Mary:NP [[saw:(S[dcl]\NP)/NP clearly:(S\NP)\(S\NP)] [=(S\NP)\((S\NP)/NP) John:NP]]]",
        """
        clearly 2 saw
        saw 1 Mary
        saw 2 John
        """,
    ),
    "an adverb after the verb phrase": (
        r"[Mary:NP [[saw:(S[dcl]\NP)/NP John:NP] yesterday:(S\NP)\(S\NP)]]",
        """
        yesterday 2 saw
        saw 1 Mary
        saw 2 John
        """,
    ),
    "an adverb after the sentence": (
        r"[[Mary:NP sang:S[dcl]\NP] though:S\S]",
        """
        though 1 sang
        sang 1 Mary
        """,
    ),
    "an adverb of an adverb": (
        r"[Mary:NP [sang:S[dcl]\NP [very:((S\NP)\(S\NP))/((S\NP)\(S\NP)) loudly:(S\NP)\(S\NP)]]]",
        """
        very 3 loudly
        loudly 2 sang
        sang 1 Mary
        """,
    ),
    "an adjunct with a gerund: its subject is the main one": (
        r"[Mary:NP [left:S[dcl]\NP [without:((S\NP)\(S\NP))/(S[ng]\NP) singing:S[ng]\NP]]]",
        """
        left 1 Mary
        without 2 left
        without 3 singing
        singing 1 Mary <XB>
        """,
    ),
    "a participle as an adjunct, by a comma rule": (
        r"[Mary:NP [left:S[dcl]\NP [=(S\NP)\(S\NP) ,:, singing:S[ng]\NP]]]",
        """
        left 1 Mary
        singing 1 Mary
        """,
    ),
    "a possessive clitic": (
        r"[[Mary:NP 's:(NP/N)\NP] dog:N]",
        """
        's 1 dog
        's 2 Mary
        """,
    ),
    "a possessive clitic over a relational noun: the owner is the noun's argument too": (
        r"[[Mary:NP 's:(NP/(N/PP))\NP] sister:N/PP]",
        """
        's 1 sister
        's 2 Mary
        sister 1 Mary <XB>
        """,
    ),
    "a possessive pronoun over a relational noun": (
        r"[[my:NP/(N/PP) sister:N/PP] slept:S[dcl]\NP]",
        """
        my 1 sister
        sister 1 my <XB>
        slept 1 sister
        """,
    ),
    "a relational adjective: the owner is its own argument": (
        r"[my:NP/(N/PP) [favourite:(N/PP)/N book:N]]",
        """
        my 1 book
        favourite 1 my <XB>
        favourite 2 book
        """,
    ),
    "prepositional phrases as arguments and as modifiers": (
        r"[Mary:NP [[put:((S[dcl]\NP)/PP)/NP books:NP] [on:PP/NP [[the:NP/N table:N] [in:(NP\NP)/NP Rome:NP]]]]]",
        """
        put 1 Mary
        put 2 on
        put 3 books
        on 1 table
        the 1 table
        in 1 table
        in 2 Rome
        """,
    ),
    "a reflexive in the category of a raised object": (
        r"[Mary:NP [saw:(S[dcl]\NP)/NP herself:(S[dcl]\NP)\((S[dcl]\NP)/NP)]]",
        """
        saw 1 Mary
        saw 2 herself
        herself 2 saw
        """,
    ),
    "a complement clause": (
        r"[Mary:NP [says:(S[dcl]\NP)/S[em] [that:S[em]/S[dcl] [John:NP sings:S[dcl]\NP]]]]",
        """
        says 1 Mary
        says 2 that
        that 1 sings
        sings 1 John
        """,
    ),
    "an apposition counts as a conjunct": (
        r"[[Mary:NP [=NP\NP ,:, [the:NP/N singer:N]]] slept:S[dcl]\NP]",
        """
        the 1 singer
        slept 1 Mary
        slept 1 singer
        """,
    ),
    "a comma that joins a fronted adverb": (
        r"[[suddenly:S[dcl]/S[dcl] ,:(S[dcl]/S[dcl])\(S[dcl]/S[dcl])] [Mary:NP sang:S[dcl]\NP]]",
        """
        suddenly 1 sang
        , 2 suddenly
        sang 1 Mary
        """,
    ),
    "a number before an approximation": (
        r"[five:N/N [minutes:N or-so:(N\(N/N))\N]]",
        """
        five 1 minutes
        or-so 1 five
        or-so 2 minutes
        """,
    ),
    "an inverted verb": (
        r"[nor:S[dcl]/S[inv] [[did:(S[inv]/(S[b]\NP))/NP Mary:NP] sing:S[b]\NP]]",
        """
        nor 1 did
        did 1 sing
        did 2 Mary
        sing 1 Mary <XB>
        """,
    ),
}


@pytest.mark.parametrize(("derivation", "expected"), CASES.values(), ids=CASES)
def test_dependencies_are_those_a_linguist_writes(derivation: str, expected: str) -> None:
    assert dependencies(derivation) == lines(expected)
