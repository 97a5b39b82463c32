r"""The English constructions, and the phrases that fill them; the categories are those of ``docs/ud-conversion.md``."""

from __future__ import annotations

from pathlib import Path


def _leaves(category: str, words: str) -> tuple[str, ...]:
    return tuple(f"{word}:{category}" for word in words.split())


def _particles(form: str, verbs: str) -> tuple[str, ...]:
    """Transitive verbs with their particles, which modify them."""
    pairs = [pair.split() for pair in verbs.split(", ")]
    return tuple(rf"[ {verb}:(S[{form}]\NP)/NP {particle}:(S\NP)\(S\NP) ]" for verb, particle in pairs)


PHRASES: dict[str, tuple[str, ...]] = {
    # -- noun phrases
    "pronoun": _leaves("NP", "I you we they he she"),
    "them": _leaves("NP", "him her them us me it"),
    "given": _leaves("N", "Anna Peter Clara Henry Sofia Omar Linda George Maria Daniel Ruth Victor Ingrid Karl"),
    "family": _leaves("N", "Brandt Novak Keller Reyes Lund Hansen Okafor Moreau Silva Tanaka Weber Doyle"),
    "first": _leaves("N/N", "Anna Peter Clara Henry Sofia Omar Linda George Maria Daniel Ruth Victor"),
    "name": ("[ =NP {given} ]", "[ =NP [ {first} {family} ] ]"),
    "det": _leaves("NP/N", "the the the a this that my his her our their every"),
    "adj": _leaves("N/N", "old young new small tall quiet local former famous strange heavy empty red narrow foreign"),
    "person": _leaves(
        "N",
        "teacher doctor minister farmer driver nurse lawyer neighbour captain sailor widow boy girl child manager"
        " mayor singer painter student soldier thief prince editor",
    ),
    "thing": _leaves(
        "N",
        "letter house bridge garden door river bill contract report box key painting ship car train song book"
        " castle factory road plan law coat table window",
    ),
    "plural": _leaves("N", "children workers tourists voters horses soldiers neighbours officials birds students dogs"),
    "crowd": ("[ =NP {plural} ]", "[ the:NP/N {plural} ]", "[ =NP [ {adj} {plural} ] ]"),
    "place": _leaves("N", "Oslo Lisbon Boston Vienna Nairobi Madrid Cairo Dublin Chicago Prague Lima"),
    "somebody": ("{name}", "{name}", "{pronoun}", "[ {det} {person} ]", "[ the:NP/N [ {adj} {person} ] ]"),
    "full": ("{name}", "[ the:NP/N {person} ]", "[ the:NP/N [ {adj} {person} ] ]", "[ the:NP/N {thing} ]"),
    "something": ("[ {det} {thing} ]", "[ the:NP/N [ {adj} {thing} ] ]", "[ =NP {place} ]", "{them}"),
    "object": ("{something}", "{something}", "{crowd}", "{name}"),
    # -- verbs by form
    "came": _leaves(r"S[dcl]\NP", "came left laughed smiled slept waited arrived fell nodded resigned disappeared"),
    "saw": _leaves(r"(S[dcl]\NP)/NP", "saw found bought built broke opened painted sold stole liked wrote lost won"),
    "see": _leaves(r"(S[b]\NP)/NP", "see find buy build break open paint sell steal like write lose win choose"),
    "seeing": _leaves(r"(S[ng]\NP)/NP", "seeing buying building opening painting selling reading carrying leaving"),
    "come": _leaves(r"S[b]\NP", "come leave laugh sleep wait fall win resign sing dance cry move work help"),
    "coming": _leaves(r"S[ng]\NP", "leaving laughing sleeping waiting falling singing dancing crying moving running"),
    "seen_pt": _leaves(r"(S[pt]\NP)/NP", "seen found bought built broken opened painted sold stolen written lost won"),
    "come_pt": _leaves(r"S[pt]\NP", "left laughed slept waited fallen arrived sung resigned"),
    "built": _leaves(r"S[pss]\NP", "built found painted destroyed sold stolen abandoned closed repaired forgotten"),
    "will": _leaves(r"(S[dcl]\NP)/(S[b]\NP)", "will would could might should can must"),
    "did": _leaves(r"(S[q]/(S[b]\NP))/NP", "did did would will could"),
    "think": _leaves(r"(S[b]\NP)/S[dcl]", "think say believe suppose hope know expect guess claim imagine"),
    "think_that": _leaves(r"(S[b]\NP)/S[em]", "think say believe claim hope suspect know"),
    "thinks": _leaves(r"(S[dcl]\NP)/S[dcl]", "think say believe thought said believed suppose know"),
    "think_who": _leaves(r"((S[b]\NP)/NP)/(S[dcl]\NP)", "think say believe suppose hope expect guess"),
    # -- adjuncts
    "in": _leaves(r"((S\NP)\(S\NP))/NP", "in near behind outside at after during before on without"),
    "when": _leaves("NP/N", "the that this"),
    "event": _leaves("N", "morning war party meeting night storm winter evening holiday trial dinner station kitchen"),
    "adjunct": ("[ {in} [ {when} {event} ] ]", "[ {in} [ =NP {place} ] ]", r"yesterday:(S\NP)\(S\NP)", "{adverb}"),
    "adverb": _leaves(r"(S\NP)\(S\NP)", "quickly again slowly today there carefully together here tomorrow early"),
    "vp": ("{came}", "[ {saw} {something} ]", "[ {came} {adjunct} ]", "[ [ {saw} {something} ] {adjunct} ]"),
    "vp_b": ("{come}", "[ {see} {something} ]", "[ {come} {adjunct} ]", "[ [ {see} {something} ] {adjunct} ]"),
    "vp_ng": ("{coming}", "[ {seeing} {something} ]", "[ {coming} {adjunct} ]"),
    "vp_pt": ("{come_pt}", "[ {seen_pt} {something} ]", "[ {come_pt} {adjunct} ]"),
    "clause": ("[ {somebody} {vp} ]", "[ {somebody} [ {will} {vp_b} ] ]"),
    "raised": (
        r"[ =S[X]/(S[X]\NP) {pronoun} ]",
        r"[ =S[X]/(S[X]\NP) {name} ]",
        r"[ =S[X]/(S[X]\NP) [ the:NP/N {person} ] ]",
    ),
    "predicate": _leaves(
        r"S[adj]\NP", "clear wrong strange impossible dangerous expensive ready open late cold dark empty"
    ),
    "stop": (*(".:.",) * 9, "!:."),
    "who": _leaves("S[wq]/(S[q]/NP)", "what who"),
    # -- for one construction each
    "day": _leaves("N/N", "1 2 3 5 7 9 11 12 14 16 18 20 21 23 25 27 28 29 30 31"),
    "month_year": _leaves("N/N[num]", "January March April May June July August September October December"),
    "month": _leaves("N", "January February March April May June July August October November December"),
    "year": _leaves("N[num]", "1848 1914 1936 1969 1987 1999 2003 2011 2018 2021 2023 2025 2026"),
    "doubled": _leaves(r"S[pt]\NP", "doubled tripled halved quadrupled recovered"),
    "doubled_dcl": _leaves(r"S[dcl]\NP", "doubled tripled halved quadrupled"),
    "amount": _leaves("N", "prices sales profits exports rents wages deaths arrests"),
    "compared": _leaves(r"S[adj]\NP", "lower higher older cheaper worse better larger smaller stronger cleaner faster"),
    "expected": _leaves(r"S[pss]\NP", "expected planned feared advertised promised reported"),
    "thought_dcl": _leaves(r"S[dcl]\NP", "thought expected hoped imagined remembered feared"),
    "stopped": _leaves(r"S[dcl]\NP", "stopped came went called wrote stayed"),
    "much": _leaves(r"(S\NP)\(S\NP)", "much often late early fast slowly"),
    "works": _leaves(r"S[dcl]\NP", "work drink talk eat worry travel sleep run complain"),
    "youwe": _leaves("NP", "you we they"),
    "iyou": _leaves("NP", "I you we they"),
    "do_you": ("[ do:(S[q]/(S[b]\\NP))/NP {youwe} ]", "[ {did} {somebody} ]", "[ does:(S[q]/(S[b]\\NP))/NP {full} ]"),
    "state": _leaves(r"S[adj]\NP", "asleep awake alone alive ready afraid"),
    "animal": _leaves("N", "horse dog boat ship car bull sheep carriage train pony"),
    "raced": _leaves(r"S[pss]\NP", "raced floated marched driven ridden rolled chased rushed dragged led"),
    "past": _leaves(r"((S\NP)\(S\NP))/NP", "past down around behind through across along"),
    "sent": _leaves(r"(S[pss]\NP)/NP", "sent offered given told shown promised read sold lent"),
    "warned": _leaves(r"S[pss]\NP", "warned attacked visited examined questioned served taught"),
    "tough": _leaves(r"(S[adj]\NP)/((S[to]\NP)/NP)", "easy hard difficult impossible simple dangerous tough pleasant"),
    "deal": _leaves(r"(S[b]\NP)/PP", "deal work live talk compete argue"),
    "laughed": _leaves(r"(S[pss]\NP)/(PP/NP)", "laughed shouted looked stared yelled"),
    "quality": _leaves("N", "colour size shape age language year"),
    "degree": _leaves(r"S[adj]\NP", "old tall heavy expensive far big dangerous late cold dark"),
    "hidden": _leaves(r"S[pss]\NP", "hidden buried locked trapped killed arrested left"),
    "ordinal": _leaves("N/N", "first second third last only next"),
    "occasion": _leaves("N", "time day year night week evening"),
    "period": _leaves("N", "year month week century season lifetime"),
    "pausing": _leaves(r"S[ng]\NP", "stopping pausing waiting returning calling staying coming"),
    "itthat": _leaves("NP", "it it that he she"),
    "back": tuple(
        rf"[ [ {verb}:(S[ng]\NP)/PP back:(S\NP)\(S\NP) ] [ to:PP/NP {{them}} ] ]"
        for verb in ("writing", "coming", "replying", "getting")
    ),
    "chance": _leaves("N", "idea chance habit hope risk danger way"),
    "took_off": _particles(
        "dcl", "took off, put on, turned off, gave up, picked up, threw away, handed in, wrote down"
    ),
    "take_off": _particles(
        "b", "take off, put on, turn off, pick up, throw away, hand in, fold in, pour in, write down"
    ),
    "food": _leaves("N", "salt pepper butter rice sugar bread milk cream flour honey soup cheese dough sauce"),
    "cool": _leaves(r"S[b]\NP", "cool rest dry simmer rise thicken"),
    "serve": _leaves(r"S[b]\NP", "serve finish sprinkle cover brush decorate eat"),
    "hot": _leaves(r"S[adj]\NP", "warm cold hot fresh raw"),
    "quietness": _leaves("N", "calm peace quiet silence comfort rest warmth joy"),
    "a_some": ("some:NP/N", "[ a:(NP/N)/(N/N) little:N/N ]"),
    "wants": _leaves(r"(S[dcl]\NP)/NP", "want need wanted asked"),
    "painted": _leaves(r"((S[dcl]\NP)/(S[adj]\NP))/NP", "painted pushed kept wiped held scrubbed cut"),
    "painted_pt": _leaves(r"((S[pt]\NP)/(S[adj]\NP))/NP", "painted pushed kept wiped held scrubbed cut"),
    "green": _leaves(r"S[adj]\NP", "blue white red open clean dry shut short black flat"),
    "stranded": _leaves(r"S[pss]\NP", "stranded trapped injured homeless exhausted stuck confused shaken"),
    "those": (
        "[ these:NP/N {plural} ]",
        "[ the:NP/N [ two:N/N {plural} ] ]",
        "[ these:NP/N [ three:N/N {plural} ] ]",
        "them:NP",
    ),
    "will_tag": _leaves("S[q]/NP", "will would can could"),
    "title": _leaves("N/N", "Mr. Mrs. Ms. Dr. Professor"),
    "called": ("[ asked:(S[dcl]\\NP)/PP about:PP/NP ]", "read:(S[dcl]\\NP)/NP", "wrote:(S[dcl]\\NP)/NP"),
    "soon": _leaves(r"(S\NP)\(S\NP)", "soon tomorrow later then tonight there"),
    "weekday": _leaves("N", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "talk": _leaves(r"(S[b]\NP)/PP", "talk speak write"),
    "more": _leaves(r"(S\NP)\(S\NP)", "more less longer harder faster sooner"),
    "gets": _leaves(r"(S[dcl]\NP)/(S[adj]\NP)", "got became seemed was felt looked"),
    "their": _leaves("NP/N", "his her their my"),
    "hands": _leaves("N", "eyes arms voice heart dog children legs friend fingers"),
}


def read_patterns(text: str) -> dict[str, tuple[str, ...]]:
    """The patterns of each construction: a line ``# name``, then one pattern a line."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("# ") and " " not in line[2:]:
            name = line[2:]
        elif line.strip() and not line.startswith("#"):
            found.setdefault(name, []).append(line)
    return {name: tuple(patterns) for name, patterns in found.items()}


CONSTRUCTIONS = read_patterns(Path(__file__).with_suffix(".patterns").read_text(encoding="utf-8"))
