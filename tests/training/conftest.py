"""One thread for torch: the toys are small, and tests may run beside each other."""

from __future__ import annotations

try:
    import torch
except ImportError:
    pass
else:
    torch.set_num_threads(1)
