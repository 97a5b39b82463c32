"""``starccg serve``: the parser over HTTP, with a page to watch the search."""

from __future__ import annotations

import errno
import os
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

import typer

from starccg.errors import StarccgError
from starccg.models import DEFAULT

HERE = "127.0.0.1"


def serve(
    model: Annotated[str, typer.Option("--model", "-m", help="A model's name or folder.")] = DEFAULT,
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 lets other machines in.")] = HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8000,
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, max=256, help="Requests parsed at once.")] = 2,
    queue: Annotated[int, typer.Option(min=0, max=10_000, help="Requests that may wait; more are told to retry.")] = 16,
    max_characters: Annotated[int, typer.Option(min=1, help="Characters a request.")] = 20_000,
    max_words: Annotated[int, typer.Option(min=1, max=10_000, help="Words a sentence.")] = 250,
    max_sentences: Annotated[int, typer.Option(min=1, help="Sentences a request.")] = 256,
    max_nbest: Annotated[int, typer.Option(min=1, max=10_000, help="Parses a sentence.")] = 50,
    max_steps: Annotated[int, typer.Option(min=1, help="Steps of a recorded search.")] = 20_000,
    seconds: Annotated[
        float, typer.Option(min=0.001, max=3600, help="Time for a sentence before the parser backs off.")
    ] = 10.0,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    log_requests: Annotated[bool, typer.Option("--log-requests", help="Write a line for each request.")] = False,
) -> None:
    """Serve the parser over HTTP, with a page to watch the search.

    Ctrl-C stops it. GET /docs tells what it answers; docs/server.md tells it at length.

    \b
    Examples:
      starccg serve --open
      starccg serve --host 0.0.0.0 --port 80 --threads 8
      curl localhost:8000/api/parse -H content-type:application/json -d '{"text": "It works."}'
    """
    import uvicorn  # noqa: PLC0415 - an extra, and heavy

    from starccg.models import load  # noqa: PLC0415
    from starccg.server.app import create_app  # noqa: PLC0415
    from starccg.server.limits import ServerLimits  # noqa: PLC0415

    usual = ServerLimits()
    limits = replace(
        usual,
        body_bytes=max(usual.body_bytes, 16 * max_characters),
        characters=max_characters,
        words=max_words,
        sentences=max_sentences,
        nbest=max_nbest,
        steps=max_steps,
        seconds=seconds,
        request_seconds=max(usual.request_seconds, seconds),
        concurrent=threads,
        waiting=queue,
    )
    listening = listen(host, port)
    with listening:
        app = create_app(load(model), limits)
        address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                typer.echo(f"starccg serves at {address} (Ctrl-C stops it)")
                if open_page:
                    typer.launch(address)

        level = "info" if log_requests else "warning"
        config = uvicorn.Config(app, log_level=level, access_log=log_requests, timeout_graceful_shutdown=2)
        with suppress(KeyboardInterrupt):  # uvicorn shuts down first, and then passes the signal on
            Server(config).run([listening])
    typer.echo("stopped")
    if app.state.workers.taken:  # a parse that nobody waits for any more should not keep the process
        sys.stdout.flush()
        os._exit(0)


def listen(host: str, port: int) -> socket.socket:
    """A socket at this address, or an error that says what to do."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's delay (40 ms an answer) off only where the socket says that its protocol is TCP.
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
            why = f"port {port} of {host} is taken: choose another with --port, or 0 for any"
        elif number == errno.EACCES:
            why = f"port {port} is not yours to take: choose one over 1023 with --port"
        elif number < 0 or number == errno.EADDRNOTAVAIL:  # below zero: the name is not known
            why = f"{host} is no address of this machine: choose another with --host"
        else:
            why = f"cannot listen at {host}, port {port}: {os.strerror(number)}"
        raise StarccgError(why) from error
