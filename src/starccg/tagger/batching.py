"""Batches of sentences of similar length and bounded size: little padding, bounded memory."""

from __future__ import annotations

from collections.abc import Sequence


def length_sorted_batches(lengths: Sequence[int], most_cells: int) -> list[list[int]]:
    """Positions in batches whose padded size stays within ``most_cells``; a longer sentence gets a batch of its own.

    The sort is stable and the rule greedy, so the batches depend only on the lengths.
    """
    batches: list[list[int]] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batches and (len(batches[-1]) + 1) * lengths[position] <= most_cells:
            batches[-1].append(position)
        else:
            batches.append([position])
    return batches
