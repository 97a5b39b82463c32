"""The check of the Host header, which protects a local server from web pages of other sites.

A page can make its own name point at 127.0.0.1 ("DNS rebinding") and then read what the server there answers. Its
requests carry that name as their Host, so names that are not known are refused. Addresses cannot be forged in this way.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection

ANY_HOST = "*"


def is_allowed(host: str, names: Collection[str]) -> bool:
    """Whether the value of a Host header is an address, ``localhost`` or one of these names, with or without a port."""
    if ANY_HOST in names:
        return True
    name = host_name(host)
    if name is None:
        return False
    if name == "localhost" or name.endswith(".localhost") or name in {known.lower().rstrip(".") for known in names}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def host_name(host: str) -> str | None:
    """The name or address of a Host header without the port, in lower case; None if it is malformed."""
    host = host.strip().lower()
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        port = port.removeprefix(":") if port.startswith(":") or not port else "x"
        return name if bracket and (not port or port.isdecimal()) else None
    name, _, port = host.partition(":")
    return name.rstrip(".") if name and (not port or port.isdecimal()) else None
