"""Universal Dependencies to CCGbank-style derivations: an open treebank from any UD treebank."""

from starccg.treebanks.ud.conllu import ConlluError, Tree, Word, read_conllu
from starccg.treebanks.ud.conversion import Conversion, convert, convert_conllu
from starccg.treebanks.ud.english import ENGLISH
from starccg.treebanks.ud.profile import Profile

__all__ = [
    "ENGLISH",
    "ConlluError",
    "Conversion",
    "Profile",
    "Tree",
    "Word",
    "convert",
    "convert_conllu",
    "read_conllu",
]
