r"""Categories that the principles of co-indexation get wrong, written out in CCGbank's notation.

Each line is a category with its variables; what has no variable is headed by the word itself.
"""

from __future__ import annotations

from starccg.dependencies.indexed import IndexedCategory

_TABLE = r"""
    (N_1/PP_2)_1/N_1
        "my favourite book": the book heads the phrase; the owner is the adjective's argument
    ((NP_1\NP_1)/S[dcl]_2)\(((S_2\NP_3)_2\(S_2\NP_3)_2)_4/NP_1:U)_4
    ((N_1\N_1)/S[dcl]_2)\(((S_2\NP_3)_2\(S_2\NP_3)_2)_4/NP_1:U)_4
        "the town in which she lives": the noun is the preposition's object, and the preposition modifies the clause
    ((NP_1\NP_1)/(S[dcl]_2\NP_3:B)_2)\(NP_3/NP_1:U)_3
    ((NP_1\NP_1)/(S[dcl]_2/NP_3:U)_2)\(NP_3/NP_1:U)_3
        "the book the cover of which is red": the noun is the preposition's object, the cover is red
    (N_1\(N_1/N_1)_2)_1\N_1
        "five minutes or so": the minutes head the phrase
    (S[pss]\NP_1)/(PP_2/NP_1:B)_2
        "was looked at": the subject is the stranded preposition's object
    (S[wq]/(S[q]_1/PP:U)_1)/(S[wq]_2/(S[q]_1/NP_3)_1)_2
    (S[wq]/(S[q]_1/PP:U)_1)/(S[wq]_2/(S[q]_1/PP_3)_1)_2
    (S[wq]/S[q]_1)/(S[wq]_2/(S[q]_1/NP_3)_1)_2
        "in which town": the preposition fills the gap; both words belong to the same clause
"""

EXCEPTIONS: dict[str, str] = {
    str(IndexedCategory.parse(line.strip()).category): line.strip()
    for line in _TABLE.strip("\n").splitlines()
    if line.startswith("    ") and not line.startswith("     ")
}
"""By plain category, without ``[nb]``."""
