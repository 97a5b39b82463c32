r"""Verbs of subject control: in *She promised him to leave*, she leaves.

``((S[dcl]\NP)/(S[to]\NP))/NP`` is also the category of *persuaded*, whose object leaves, so the word decides.
"""

from __future__ import annotations

_FORMS = """
    promise promises promised promising
    vow vows vowed vowing
    swear swears swore sworn swearing
    pledge pledges pledged pledging
    guarantee guarantees guaranteed guaranteeing
"""

SUBJECT_CONTROL = frozenset(_FORMS.split())
"""The forms of the verbs whose subject is the subject of the infinitive even if there is an object."""


def controls_subject(word: str) -> bool:
    """Whether the subject of this verb is also the subject of its infinitive."""
    return word.lower() in SUBJECT_CONTROL
