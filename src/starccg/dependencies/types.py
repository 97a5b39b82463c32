"""A dependency: word ``argument`` fills slot ``slot`` of word ``head``, which has the lexical category ``category``."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from starccg.ccg.category import Category
from starccg.hooks import call


class Reach(StrEnum):
    """How far a dependency reaches, as CCGbank's PARG files mark it in their last column."""

    LOCAL = ""
    BOUNDED = "<XB>"
    """Through a verb phrase's open subject: control, raising, auxiliaries, subject relatives."""
    UNBOUNDED = "<XU>"
    """Through extraction: object relatives, questions, right node raising."""


class Dependency(NamedTuple):
    """Words count from 0; slots from 1, the leftmost argument of the category first."""

    head: int
    category: Category
    slot: int
    argument: int
    reach: Reach = Reach.LOCAL

    @property
    def relation(self) -> str:
        """The name of the relation: ``subject``, ``object``, ``determiner``, ..."""
        return call("relation_name", self.category, self.slot)
