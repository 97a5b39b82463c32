"""Penn trees to CCGbank-style derivations, after Hockenmaier and Steedman (2007)."""

from starccg.treebanks.conversion import Conversion
from starccg.treebanks.penn.conversion import convert
from starccg.treebanks.penn.reading import convert_penn, read_penn
from starccg.treebanks.penn.trees import Node, PennTree, read_trees

__all__ = ["Conversion", "Node", "PennTree", "convert", "convert_penn", "read_penn", "read_trees"]
