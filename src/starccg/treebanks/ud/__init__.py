"""Universal Dependencies to CCGbank-style derivations: an open treebank from any UD treebank."""

from starccg.treebanks.conversion import Conversion
from starccg.treebanks.ud.conllu import Tree, Word, read_conllu
from starccg.treebanks.ud.conversion import convert
from starccg.treebanks.ud.english import ENGLISH
from starccg.treebanks.ud.profile import Profile
from starccg.treebanks.ud.reading import convert_conllu

__all__ = ["ENGLISH", "Conversion", "Profile", "Tree", "Word", "convert", "convert_conllu", "read_conllu"]
