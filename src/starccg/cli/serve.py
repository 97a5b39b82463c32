"""``starccg serve``: the parser over HTTP, with a page that shows the search."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

import typer

from starccg.cli.options import Device, ModelName
from starccg.errors import StarccgError
from starccg.model_folder.find import DEFAULT
from starccg.server.limits import ServerLimits

HERE = "127.0.0.1"
LIMITS = ServerLimits()


def serve(
    model: ModelName = DEFAULT,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 accepts other machines.")] = HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 chooses a free one.")] = 8000,
    device: Device = "cpu",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            help="A name that requests may have in their Host header, beside localhost and addresses; * allows all. "
            "Can be repeated."
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", "-t", min=1, max=256, help="Sentences parsed at the same time.")
    ] = LIMITS.concurrent,
    queue: Annotated[
        int, typer.Option(min=0, max=10_000, help="Maximum number of waiting requests; further ones get status 503.")
    ] = LIMITS.waiting,
    connections: Annotated[
        int, typer.Option(min=1, max=100_000, help="Maximum number of open connections.")
    ] = LIMITS.connections,
    max_characters: Annotated[
        int, typer.Option(min=1, help="Maximum number of characters in a request.")
    ] = LIMITS.characters,
    max_words: Annotated[
        int, typer.Option(min=1, max=10_000, help="Maximum number of words in a sentence.")
    ] = LIMITS.words,
    max_sentences: Annotated[
        int, typer.Option(min=1, help="Maximum number of sentences in a request.")
    ] = LIMITS.sentences,
    max_nbest: Annotated[
        int, typer.Option(min=1, max=10_000, help="Maximum number of parses of a sentence.")
    ] = LIMITS.nbest,
    max_steps: Annotated[int, typer.Option(min=1, help="Maximum number of steps of a recorded search.")] = LIMITS.steps,
    seconds: Annotated[
        float, typer.Option(min=0.001, max=3600, help="Time limit for a sentence, back-off included.")
    ] = LIMITS.seconds,
    request_seconds: Annotated[
        float, typer.Option(min=0.001, max=36_000, help="Time limit for all sentences of a request.")
    ] = LIMITS.request_seconds,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    log_requests: Annotated[bool, typer.Option("--log-requests", help="Write a line for each request.")] = False,
) -> None:
    """Serve the parser over HTTP, with a page that shows the search.

    Ctrl-C stops the server. GET /docs lists its routes; docs/server.md explains them.
    """
    one_blas_thread()
    import uvicorn  # noqa: F401, PLC0415 - an extra: the error names what is missing

    from starccg.models import load  # noqa: PLC0415
    from starccg.server.app import create_app  # noqa: PLC0415
    from starccg.server.run import make_server  # noqa: PLC0415

    limits = replace(
        LIMITS,
        body_bytes=max(LIMITS.body_bytes, 16 * max_characters),
        characters=max_characters,
        words=max_words,
        sentences=max_sentences,
        nbest=max_nbest,
        steps=max_steps,
        seconds=seconds,
        request_seconds=request_seconds,
        concurrent=threads,
        waiting=queue,
        connections=connections,
    )
    with listen(host, port) as listening:
        app = create_app(load(model, device=device), limits, allow_host or ())
        address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"

        def started() -> None:
            typer.echo(f"starccg serves at {address} (Ctrl-C stops it)")
            if open_page:
                typer.launch(address)

        server = make_server(app, limits, started, log_requests=log_requests)
        with suppress(KeyboardInterrupt):  # uvicorn stops first, and then raises the signal again
            server.run([listening])
    typer.echo("stopped")


def one_blas_thread() -> None:
    """Make numpy use one thread for each product, because the server already runs one thread per core.

    Numpy reads this when it is imported; later it has no effect.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on this address."""
    if not host:
        raise StarccgError("the host is empty, which means all addresses: if that is wanted, choose --host 0.0.0.0")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's delay (40 ms per response) only if the socket's protocol is TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
        return listening
    except OSError as error:
        listening.close()
        number = error.errno or 0
        if number == errno.EADDRINUSE:
            why = f"port {port} of {host} is in use: choose another with --port, or 0 for any free one"
        elif number == errno.EACCES:
            why = f"port {port} needs administrator rights: choose a port over 1023 with --port"
        elif number < 0 or number == errno.EADDRNOTAVAIL:  # below zero: the name cannot be resolved
            why = f"{host} is not an address of this machine: choose another with --host"
        else:
            why = f"cannot listen on {host}, port {port}: {os.strerror(number)}"
        raise StarccgError(why) from error
