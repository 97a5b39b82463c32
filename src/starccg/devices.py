"""Where the networks run: the cores of the CPU, or a GPU through torch."""

from __future__ import annotations

import os

from starccg.errors import StarccgError

DEVICES = ("cpu", "cuda", "auto")
REMOTE = "process:"
"""What precedes the address of another process that runs the tagger (:mod:`starccg.tagger.remote`)."""
HELP = "Where the tagger runs: cpu, cuda (a GPU; needs the extra gpu), or auto for a GPU where there is one."


def available_cores() -> int:
    """The cores that this process may use; in a container fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chosen_device(device: str) -> str:
    """``cpu``, or ``cuda:N`` for a GPU that torch finds here. ``auto`` is a GPU where there is one, else the CPU.

    Where there are several GPUs, plain ``cuda`` takes one by the number of the process, so that processes share
    them.
    """
    if device == "cpu" or device.startswith(REMOTE):
        return device
    kind, _, number = device.partition(":")
    if kind not in DEVICES or (number and not number.isdecimal()):
        raise StarccgError(f"unknown device {device!r}: choose one of {', '.join(DEVICES)}, or cuda:N")
    try:
        import onnx  # noqa: F401, PLC0415 - an extra
        import torch  # noqa: PLC0415 - an extra
    except ImportError:
        if device == "auto":
            return "cpu"
        raise StarccgError(f"device {device!r} needs torch and onnx: install the extra gpu") from None
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if device == "auto" and not count:
        return "cpu"
    if number and int(number) < count:
        return device
    if number or not count:
        raise StarccgError(f"device {device!r}: torch finds {count} GPUs here; choose another device, or cpu")
    return f"cuda:{os.getpid() % count}"


def training_device(device: str) -> str:
    """The same; ``cuda`` stays without a number, because the settings of a run must not change when it resumes."""
    chosen = chosen_device(device)
    return "cuda" if chosen.startswith("cuda") and ":" not in device else chosen


def gpus(device: str) -> list[str]:
    """The GPUs that ``device`` may be: all of them, or the one that it numbers."""
    chosen = chosen_device(device)
    if ":" in device:
        return [chosen]
    import torch  # noqa: PLC0415 - an extra

    return [f"cuda:{number}" for number in range(torch.cuda.device_count())]
