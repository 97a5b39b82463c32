"""The English profile: CCGbank's dialect. Another language is another such package."""

from starccg.treebanks.ud.english.grammar import CCGBANK_ENGLISH, UD_ENGLISH
from starccg.treebanks.ud.english.planner import EnglishPlanner
from starccg.treebanks.ud.english.prepare import prepare
from starccg.treebanks.ud.english.wh import find_fronts
from starccg.treebanks.ud.profile import Profile

ENGLISH = Profile((CCGBANK_ENGLISH, UD_ENGLISH), EnglishPlanner(), prepare, find_fronts)

__all__ = ["ENGLISH", "UD_ENGLISH"]
