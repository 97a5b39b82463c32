"""The figures of the paper and of the parsers that it compares itself with: CCGbank, section 00 unless stated."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """A row of one of the paper's tables; None where the paper gives no figure."""

    f1: float | None = None
    optimal: float | None = None
    """Percentage of sentences with a parse that is proved best."""
    explored: float | None = None
    f1_without_backoff: float | None = None
    parsed: float | None = None
    """Percentage of sentences parsed without the back-off."""
    relative_time: float | None = None
    test_f1: float | None = None
    """Section 23."""


TAG_BEAM = 1e-6
"""A tag is kept if its probability is at least this share of the best tag's."""

LAZY_SAVES, LAZY_SPEEDUP = 91.0, 2.4
"""Section 4: the percentage of recursive units that lazy scoring saves, and its speed relative to eager scoring."""

TEST_SPEED, TEST_OPTIMAL, TEST_EXPLORED = 27.1, 99.9, 190.2
"""Section 23, Global A*: sentences per second (one core of 3.5 GHz), percentage proved best, mean explored."""

TAGGER_ACCURACY = 94.7
"""Section 23: the supertagger of Lewis, Lee and Zettlemoyer (2016)."""

SENTENCES = {"train": 39_604, "dev": 1_913, "test": 2_407}
"""Of CCGbank 1.1 in sections 02-21, 00 and 23."""

OTHERS = {
    "C&C (Clark and Curran, 2007)": Published(83.8, test_f1=85.2),
    "C&C + RNN (Xu et al., 2015)": Published(86.3, test_f1=87.0),
    "Xu (2016)": Published(87.5, test_f1=87.8),
    "Vaswani et al. (2016)": Published(87.8, test_f1=88.3),
}
"""Table 2: other parsers."""

MODELS = {
    "Supertag-factored": Published(87.5, 100.0, 402.5, test_f1=88.1),
    "Supertag-factored, - dynamic program": Published(87.5, 97.1, 17119.6),
    "Span-factored": Published(87.9, 99.9, 176.5),
    "Span-factored, - dynamic program": Published(87.8, 99.5, 578.5),
    "Global A*": Published(88.4, 99.8, 309.6, test_f1=88.7),
    "- lexical inputs": Published(87.8, 99.6, 538.5),
    "- lexical context": Published(88.1, 99.4, 610.5),
}
"""Table 3; its first and fifth rows are also in Table 2."""

UPDATES = {
    "Greedy": Published(87.9, 99.2, 2313.8),
    "Max-violation": Published(88.1, 99.9, 217.3),
    "All-violations": Published(88.4, 99.8, 309.6),
}
"""Table 4."""

DECODERS = {
    "Global A*": Published(88.4, f1_without_backoff=88.4, parsed=99.8, relative_time=1.0),
    "Best-first": Published(87.5, f1_without_backoff=2.8, parsed=6.7, relative_time=293.4),
    "10-best reranking": Published(87.9, f1_without_backoff=87.9, parsed=99.7, relative_time=8.5),
    "100-best reranking": Published(88.2, f1_without_backoff=88.0, parsed=99.4, relative_time=72.3),
    "2-best beam search": Published(88.2, f1_without_backoff=85.7, parsed=94.0, relative_time=2.0),
    "4-best beam search": Published(88.3, f1_without_backoff=88.1, parsed=99.2, relative_time=6.7),
    "8-best beam search": Published(88.2, f1_without_backoff=86.8, parsed=98.1, relative_time=26.3),
}
"""Table 5."""

CURVES = {
    "All-violations": (87.53, 87.80, 87.92, 88.00, 87.87, 87.98, 87.95, 88.06, 88.09, 88.04, 88.09),
    "Max-violation": (85.29, 86.80, 87.38, 87.36, 87.52, 87.61, 87.57, 87.65, 87.79, 87.78, 87.76),
    "Greedy": (83.02, 84.12, 84.59, 84.69, 85.74, 86.65, 87.01, 85.75, 87.06, 86.73, 86.68),
}
"""Figure 5: F1 at each third of an epoch."""

GARDEN_PATH = (
    "Indeed , for many Japanese trading companies , the favorite U.S. small business is one whose research and "
    "development can be milked for future Japanese use ."
)
"""The sentence of Figure 4."""
