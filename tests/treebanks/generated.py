r"""A small treebank of our own in CCGbank's exact layout, with every quirk that is known of CCGbank.

The sentences come from the construction patterns; some are joined to the length of news. The quirks are written into
section 02 and the sections of dev and test, so that every split has some.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from random import Random

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence
from starccg.ccg.licensing import annotate
from starccg.evaluation import Analysis
from starccg.evaluation.exclusions import unwritten
from starccg.formats.auto import format_tree, parse_tree
from starccg.formats.parg import PargSentence, write_parg
from starccg.treebanks.ccgbank_repairs import Repairs
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES, draw_sentences

S = Category.parse("S[dcl]")
NAME, OTHER, THING = (
    "(<T NP 0 1> (<L N NNP NNP Karl N>) )",
    "(<T NP 0 1> (<L N NNP NNP Linda N>) )",
    "(<L NP PRP PRP it NP>)",
)
SAW = r"(<L (S[dcl]\NP)/NP VBD VBD saw (S[dcl]\NP_10)/NP_11>)"


def sentence(phrase: str) -> str:
    """``Karl`` with a verb phrase."""
    return rf"(<T S[dcl] 0 2> (<T S[dcl] 1 2> {NAME} {phrase} ) (<L . . . . .>) )"


def saw(thing: str) -> str:
    return sentence(rf"(<T S[dcl]\NP 0 2> {SAW} {thing} )")


WILL = r"(<L (S[dcl]\NP)/(S[b]\NP) MD MD will (S[dcl]\NP_5)/(S[b]_6\NP_5:B)_6>)"
OPEN = r"(<L ((S[b]\NP)/NP)/ VB VB see ((S[b]\NP_199)/NP_200)/_201>)"
BODY = rf"(<T S[dcl] 1 2> {NAME} (<T S[dcl]\NP 0 2> {SAW} {THING} ) )"
CONJ = "(<L conj CC CC and conj>)"
COMMA = "(<L , , , , ,>)"
QUIRKS = {
    "open-ended category": sentence(
        rf"(<T S[dcl]\NP 0 2> {WILL} (<T S[b]\NP 0 2> (<T (S[b]\NP)/NP 0 1> {OPEN} ) {THING} ) )"
    ),
    "comma conjoins": saw(f"(<T NP 0 2> {OTHER} (<T NP[conj] 1 2> {COMMA} {NAME} ) )"),
    "comma before a conjunction": saw(
        f"(<T NP 0 2> {OTHER} (<T NP[conj] 1 2> {COMMA} (<T NP[conj] 1 2> {CONJ} {NAME} ) ) )"
    ),
    "comma ends a conjunction": saw(f"(<T NP 0 2> {OTHER} (<T NP 1 2> {COMMA} (<T NP[conj] 1 2> {CONJ} {NAME} ) ) )"),
    "conj[conj]": saw(f"(<T NP 0 2> {OTHER} (<T NP[conj] 1 2> (<T conj[conj] 1 2> {COMMA} {CONJ} ) {NAME} ) )"),
    "N/N[conj]": saw(
        "(<T NP 1 2> (<L NP[nb]/N DT DT the NP[nb]_4/N_4>) (<T N 1 2> (<T N/N 0 2> (<L N/N JJ JJ old N_2/N_2>) "
        f"(<T N/N[conj] 1 2> {CONJ} (<L N/N JJ JJ narrow N_3/N_3>) ) ) (<L N NN NN table N>) ) )"
    ),
    "index in a category": saw(OTHER).replace("<L N ", "<L N_7 "),
    "colon": saw(rf"(<T NP 0 2> {OTHER} (<T NP\NP 0 2> (<L (NP\NP)/NP : : : (NP_8\NP_8)/NP_9>) {NAME} ) )"),
    "unlike coordination": sentence(
        r"(<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/(S[adj]\NP) VBZ VBZ is (S[dcl]\NP_1)/(S[adj]\NP_1:B)>) "
        rf"(<T S[adj]\NP 0 2> (<L S[adj]\NP JJ JJ old S[adj]\NP_3>) (<T S[adj]\NP[conj] 1 2> {CONJ} {OTHER} ) ) )"
    ),
    "conj N -> N": saw(f"(<T NP 0 1> (<T N 1 2> {CONJ} (<L N NNS NNS friends N>) ) )"),
    "S[dcl][conj]": (
        rf"(<T S[dcl] 0 2> {BODY} (<T S[dcl][conj] 1 2> (<L ; ; : ; ;>) (<T S[dcl][conj] 1 2> {CONJ} {BODY} ) ) )"
    ),
    "mark of category : conjoins": saw(
        f"(<T NP 0 1> (<T N 1 2> (<L N NNS NNS hens N>) (<T N[conj] 1 2> (<L : : : ' :>) (<T N[conj] 1 2> {CONJ} "
        "(<L N NNS NNS ducks N>) ) ) ) )"
    ),
    "brackets and a slash": saw(
        rf"(<T NP 0 2> {OTHER} (<T NP\NP 1 2> (<L LRB -LRB- -LRB- -LRB- LRB>) (<T NP\NP 0 2> (<T NP\NP 0 1> "
        r"(<L S[adj]\NP JJ JJ old\/new S[adj]\NP_3>) ) (<L RRB -RRB- -RRB- -RRB- RRB>) ) ) )"
    ),
    "colon as a result": (
        rf"(<T : 1 2> (<L : : : : :>) (<T : 1 2> {NAME} (<T :\NP 0 2> (<L (:\NP)/NP VBD VBD saw (:\NP_17)/NP_19>) "
        f"{OTHER} ) ) )"
    ),
    "colon as an argument": (
        r"(<T S[dcl] 1 2> (<T S/S 0 2> (<L (S/S)/: LRB -LRB- -LRB- (S_1/S_1)/:_2>) (<L : RRB -RRB- -RRB- :>) ) "
        f"{saw(OTHER)} )"
    ),
    "null word": saw(OTHER),
    "other word in PARG": saw(OTHER),
    "unknown last column": saw(OTHER),
    "slot beyond the arity": saw(OTHER),
    "missing from PARG": saw(OTHER),
    "PARG of another length": saw(OTHER),
    "no dependencies": "(<T NP 0 1> (<L N NN NN Yesterday N>) )",
    "broken tree": saw(OTHER).replace("(<T S[dcl]\\NP 0 2>", "(<T S[dcl]\\NP 0"),
}
SKIPPED = ("missing from PARG", "PARG of another length", "broken tree")
"""Sentences that cannot be used."""


def write_ccgbank(folder: Path, train: int = 200, dev: int = 20, test: int = 20, seed: int = 1) -> int:
    """Write a treebank; returns the number of sentences, quirks included."""
    random = Random(seed)
    each = 2 + 2 * (train + dev + test) // len(CONSTRUCTIONS)
    drawn = [own.derivation for own in draw_sentences(CONSTRUCTIONS, PHRASES, each=each, seed=seed)]
    random.shuffle(drawn)
    supply = iter(drawn)
    sections = [f"{number:02}" for number in range(25)]
    sizes = {"00": dev, "23": test, "01": 2, "22": 2, "24": 2}
    learned = [section for section in sections if section not in sizes]
    written = 0
    for section in sections:
        size = sizes.get(section, train // len(learned) + (train % len(learned) if section == "02" else 0))
        trees = [longer(next(supply), drawn, random) for _ in range(size)]
        quirks = QUIRKS if section in ("00", "02", "23") else {}
        if section == "05":
            quirks = {"open-ended category": QUIRKS["open-ended category"]}
        written += write_section(folder / "data", section, trees, quirks)
    (folder / "data" / "PARG" / "03" / "wsj_0301.parg").unlink()  # a PARG file that is missing
    (folder / "data" / "AUTO" / "README").write_text("not a section", "utf-8")
    return written


def longer(tree: Derivation, others: Sequence[Derivation], random: Random) -> Derivation:
    """A sentence, one time in three joined with another one to the length of news."""
    first, second = (body(own) for own in (tree, random.choice(others)))
    if first is None or second is None or random.random() < 2 / 3:
        return tree
    conjunct = Binary(Category.parse(r"S[dcl]\S[dcl]"), Leaf(Category.parse("conj"), "and"), second, head=1)
    return annotate(Binary(S, Binary(S, first, conjunct), Leaf(Category.parse("."), ".")))


def body(tree: Derivation) -> Derivation | None:
    """A declarative sentence without its full stop."""
    if isinstance(tree, Binary) and tree.category is S and tree.right.category is Category.parse("."):
        return tree.left if tree.left.category is S else None
    return None


def write_section(data: Path, section: str, trees: Iterable[Derivation], quirks: dict[str, str]) -> int:
    """Files of at most 25 sentences, with AUTO and PARG."""
    texts = [(indexed(format_tree(tree, conj_suffix=True)), "") for tree in trees]
    texts += [(text, quirk) for quirk, text in quirks.items()]
    for kind in ("AUTO", "PARG"):
        (data / kind / section).mkdir(parents=True)
    for number, first in enumerate(range(0, len(texts), 25), 1):
        file = f"wsj_{section}{2 * number - 1:02}"  # numbers have gaps, as CCGbank's
        auto, parg = [], []
        for place, (text, quirk) in enumerate(texts[first : first + 25], 1):
            name = f"{file}.{place}"
            auto += [f"ID={name} PARSER=GOLD NUMPARSE=1", f"{text} "]
            parg += parg_lines(name, text, quirk)
        (data / "AUTO" / section / f"{file}.auto").write_text("".join(f"{line}\n" for line in auto), "ascii")
        (data / "PARG" / section / f"{file}.parg").write_text("".join(f"{line}\n" for line in parg), "ascii")
    return len(texts)


def indexed(text: str) -> str:
    """The tree with the indices that CCGbank writes into the last column of a leaf."""
    numbers = count(1)

    def leaf(found: re.Match[str]) -> str:
        return re.sub(r"NP(?!\[)", lambda _: f"NP_{next(numbers)}", found[0])

    return re.sub(r"(?<= )\S+>\)", leaf, text)


def parg_lines(name: str, text: str, quirk: str) -> list[str]:
    """The dependencies that CCGbank would have for a tree, with its quirk."""
    if quirk in ("missing from PARG", "broken tree"):
        return []
    repairs = Repairs()
    (line,) = repairs.auto([text])
    derivation = repairs.sentence(Sentence(name, parse_tree(line)[0])).derivation
    analysis = Analysis.of_derivation(derivation, name)
    kept = tuple(sorted(d for d in analysis.dependencies if not unwritten(d, analysis)))
    lines = list(write_parg([PargSentence(name, tuple(derivation.words), kept)]))
    if quirk == "colon":
        lines = [re.sub(r"(?<=[\t ]):(?= |\Z)", "-colon-", line) for line in lines]
    elif quirk == "null word":
        lines.insert(1, "2 \t 1 \t (S[dcl]\\NP)/NP \t 2 \t null saw")
    elif quirk == "other word in PARG":
        lines = [line.replace("Linda", "Lynda") for line in lines]
    elif quirk == "unknown last column":
        lines[1] += " <XX>"
    elif quirk == "slot beyond the arity":
        lines.insert(1, "2 \t 1 \t (S[dcl]\\NP)/NP \t 3 \t Linda saw <XB>")
    elif quirk == "PARG of another length":
        lines[0] = f'<s id="{name}"> 11'
    elif quirk == "open-ended category":
        lines = [line.replace("(S[b]\\NP)/NP \t", "((S[b]\\NP)/NP)/ \t") for line in lines]
    return [f"{line} " if line == "<\\s>" else line for line in lines]
