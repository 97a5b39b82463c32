"""An answer that is sent while it is computed, and whose work ends when the client leaves."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

COMPRESSED = 50_000
"""Bytes from which an answer is compressed; recorded searches shrink to a tenth."""
PIECE = 64 * 1024
"""What is handed to the connection at once: it waits in between if the client does not read."""


class StreamedAnswer(Response):
    """Sends the chunks of a generator. The generator is closed when the client leaves.

    Nothing is sent before the first chunk, so an error until then has its own status. An answer that is complete within
    ``COMPRESSED`` bytes is sent at once, with its length.
    """

    def __init__(self, chunks: AsyncIterator[bytes], media_type: str = "application/json", *, gzip: bool) -> None:
        super().__init__(headers={"vary": "accept-encoding"}, media_type=media_type)
        self.chunks, self.gzip = chunks, gzip

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, unless the client leaves first."""
        left = asyncio.ensure_future(client_left(receive))
        sent = asyncio.ensure_future(self.send_all(send))
        try:
            await asyncio.wait([left, sent], return_when=asyncio.FIRST_COMPLETED)
            if sent.done():
                sent.result()
            else:
                scope["client_left"] = True
        finally:
            for task in (left, sent):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task

    async def send_all(self, send: Send) -> None:
        """Send the chunks as the client reads them."""
        try:
            first, complete = await self.collect()
            compressor = None
            del self.headers["content-length"]
            if complete:
                self.headers["content-length"] = str(len(first))
            elif self.gzip:
                self.headers["content-encoding"] = "gzip"
                compressor = zlib.compressobj(1, wbits=31)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            if complete:
                await send({"type": "http.response.body", "body": first})
                return
            await self.send_pieces(send, first, compressor)
            async for chunk in self.chunks:
                await self.send_pieces(send, chunk, compressor)
            end = compressor.flush() if compressor else b""
            await send({"type": "http.response.body", "body": end})
        finally:
            await self.chunks.aclose()  # type: ignore[attr-defined]

    async def collect(self) -> tuple[bytes, bool]:
        """The first bytes, and whether they are all."""
        parts, size = [], 0
        async for chunk in self.chunks:
            parts.append(chunk)
            size += len(chunk)
            if size > COMPRESSED:
                return b"".join(parts), False
        return b"".join(parts), True

    async def send_pieces(self, send: Send, chunk: bytes, compressor: zlib._Compress | None) -> None:
        """Send a chunk in pieces; to send waits for a client that does not read."""
        for start in range(0, len(chunk), PIECE):
            piece = chunk[start : start + PIECE]
            if compressor is not None:
                piece = compressor.compress(piece)
            if piece:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                await asyncio.sleep(0)  # the loop may learn that the client has left


async def client_left(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
