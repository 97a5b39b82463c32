"""Word lists of the tokeniser and the sentence splitter."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TITLES = _set(
    """
    mr mrs ms mx dr prof rev hon gen col capt cmdr lt maj sgt cpl gov sen rep reps sens pres st ft mt messrs fr
    sr
    """
)
"""Abbreviations before names: their full stop never ends a sentence."""

ABBREVIATIONS = TITLES | _set(
    """
    jr inc corp co ltd bros dept univ assn est vs etc al cf eg ie esp approx ext attn arrv dep tel fig figs no
    nos vol pp ed eds jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed weds thu thur thurs fri
    sat sun ave blvd rd hwy ariz calif colo conn del fla ga ill ind kan ky la mass md mich minn miss mo mont neb
    nev okla ore pa tenn tex va vt wash wis wyo oz lb lbs ft hrs min mins sec incl misc asst assoc natl intl
    govt
    """
)
"""All words that keep their full stop."""

AMBIGUOUS = _set(
    """
    mar sun sat mon wed ill miss mass wash la ore del fig min co ed pa mo dep est sec al ga va md ind
    """
)
"""Abbreviations that are also words: a capital letter or the next word decides."""

PREFIXES = _set(
    """
    e non pre post co ex pro anti multi mid re un sub semi inter intra counter mini micro macro ultra quasi
    pseudo neo bi tri de dis over under trans hyper cyber eco
    """
)
"""Prefixes that stay joined to their word at a hyphen: ``co-workers``, but ``15 - year``."""

STARTERS = _set(
    """
    the a an this that these those he she it they we you i his her its their our my your in on at for from with
    to of as if when while after before but and or so then there here what who how why where which not no yes
    also however please thanks thank let do does did is are was were have has had can could will would should
    may might
    """
)
"""Words that, with a capital after an abbreviation, usually begin a new sentence."""

JOINED = {
    "cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3, "gimme": 3, "lemme": 3, "dont": 2, "didnt": 3, "doesnt": 4,
    "isnt": 2, "wasnt": 3, "wont": 2, "couldnt": 5, "wouldnt": 5, "shouldnt": 6, "havent": 4, "hasnt": 3, "arent": 3,
    "cant": 2, "d'ye": 1, "whatcha": 3,
}  # fmt: skip
"""Two words written as one, and where the second starts."""
