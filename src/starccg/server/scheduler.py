"""Which sentence is parsed next, on which thread, and for how long.

Sentences of all requests wait together and are tagged in batches, since the tagger needs less time for many sentences
than for each alone. Then each is searched by itself. Three rules keep the server responsive:

- The request that has used the least time so far comes first, so a large request does not delay a small one.
- A search first gets ``SLICES[0]`` seconds. If that is not enough it starts again in the next lane, whose threads do
  nothing else and have a lower priority. So hard sentences never occupy the threads that parse ordinary ones.
- A request has one deadline and one way to be cancelled, for all of its sentences, decoders and repeated searches.

All public methods are called from the event loop. The threads belong to the scheduler.
"""

from __future__ import annotations

import asyncio
import heapq
import os
import threading
import time
from bisect import bisect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from starccg.outcome import BackedOff, Failed, ParseOutcome
from starccg.parser import Parser
from starccg.processes import give_back_memory
from starccg.search.searcher import Cancellation
from starccg.server.errors import ApiError
from starccg.server.jobs import REPEATED, Answer, Job, Search, Work
from starccg.server.limits import ServerLimits

SLICES = (0.1, 1.0)
"""Seconds for a search in the first and second lane; in the last lane it has the time limit of a sentence."""
LONG = 80
"""Words. A longer sentence starts in the second lane, since even to tag it takes long."""
SEARCH_SHARE = 0.6
"""Of the time of a sentence, for the search that was asked for. The rest is for its back-off."""
BATCH_SENTENCES, BATCH_WORDS = 32, 256
"""The most that is tagged together."""
SMALL_ANSWER = 1 << 20
"""Answers up to this size may use all of the memory for answers, larger ones three quarters of it."""
RETRY_AFTER = 1
"""Seconds, for a client that was refused."""
OUT_OF_TIME = "the time limit of the request is used up: send fewer sentences at once"
STOPPING = "the server is stopping"


class Scheduler:
    """Runs the searches of all requests."""

    def __init__(self, parser: Parser, limits: ServerLimits) -> None:
        self.parser, self.limits = parser, limits
        self.capacity = limits.concurrent + limits.waiting
        self.open: set[Work] = set()
        self._stopping = False
        self._lock = threading.Lock()
        self._lanes: list[list[tuple[int, int, Job]]] = [[], [], []]
        threads = (limits.concurrent, max(1, limits.concurrent - 1), 1)
        self._pools = [
            ThreadPoolExecutor(count, f"starccg-lane-{lane}", initializer=_lower_priority if lane else None)
            for lane, count in enumerate(threads)
        ]
        self._recorder = ThreadPoolExecutor(1, "starccg-recorder")
        """For recordings of short searches. A pool runs its work in order, so in the first one they would wait for all
        sentences that came before them."""

    @contextmanager
    def request(self, size: int) -> Iterator[Work]:
        """Admit a request whose answer has about ``size`` bytes; what it left running at the end is cancelled."""
        if self._stopping:
            raise _refused("stopping", f"{STOPPING}; try again later")
        room = self.limits.open_answer_bytes if size <= SMALL_ANSWER else self.limits.open_answer_bytes * 3 // 4
        if len(self.open) >= self.capacity or sum(work.size for work in self.open) + size > max(room, size):
            requests = "1 request is" if len(self.open) == 1 else f"{len(self.open)} requests are"
            raise _refused("busy", f"this server is busy: {requests} in work; try again later")
        work = Work(self.limits.request_seconds, size)
        self.open.add(work)
        try:
            yield work
        finally:
            work.cancel()
            self.open.discard(work)

    @property
    def waiting(self) -> int:
        """How many sentences wait for a thread."""
        return sum(map(len, self._lanes))

    def start(self, work: Work, search: Search[Answer]) -> asyncio.Task[Answer]:
        """Parse a sentence. The task ends at the deadline of the request at the latest."""
        return asyncio.ensure_future(self._answer(work, search))

    async def _answer(self, work: Work, search: Search[Answer]) -> Answer:
        sentence = search.sentence
        if isinstance(sentence, Failed):
            return search.finish(replace(sentence, nbest=search.options.nbest), [])
        lane = int(len(sentence.words) > LONG)
        job = Job(work, sentence, search, asyncio.get_running_loop().create_future(), lane)
        if work.seconds_left <= 0:
            return search.finish(self._out_of_time(job), [])
        self._put(job)
        if not await _done_in_time(job.future, work):
            return search.finish(self._out_of_time(job), [])
        return job.future.result()  # type: ignore[no-any-return]

    async def run(self, work: Work, seconds: float, function: Callable[[Cancellation], Answer]) -> Answer:
        """Run a function on a thread for work that takes about ten times as long as this."""

        def timed() -> Answer:
            with work.running(self.limits.seconds) as cancellation:
                answer = function(cancellation)
            if lane:
                give_back_memory()
            return answer

        lane = bisect([limit / 10 for limit in SLICES], seconds)
        future = asyncio.get_running_loop().run_in_executor(self._pools[lane] if lane else self._recorder, timed)
        if not await _done_in_time(future, work):
            if work.stopping:
                raise _refused("stopping", STOPPING)
            raise _refused("busy", OUT_OF_TIME)
        return future.result()

    def stop(self, seconds: float) -> None:
        """Reject new requests; running ones have this many seconds to finish."""
        self._stopping = True
        for work in self.open:
            work.expire_in(seconds)

    def close(self) -> None:
        """End all work now."""
        self._stopping = True
        for work in self.open:
            work.cancel()
        for pool in (*self._pools, self._recorder):
            pool.shutdown(wait=False, cancel_futures=True)

    # ---- on the threads ----

    def _put(self, *jobs: Job) -> None:
        """Let jobs wait, and have one more of its lane taken for each."""
        with self._lock:
            for job in jobs:
                heapq.heappush(self._lanes[job.lane], (job.work.turn, job.order, job))
        with suppress(RuntimeError):  # the pool is shut down: the process is about to end
            for job in jobs:
                self._pools[job.lane].submit(self._run_next, job.lane)

    def _take(self, lane: int, accept: Callable[[Job], bool] = lambda job: True) -> Job | None:
        """The job whose request has used the least time, if it is acceptable."""
        queue = self._lanes[lane]
        with self._lock:
            while queue:
                turn, order, job = queue[0]
                if turn < job.work.turn:  # the request has used more since then
                    heapq.heapreplace(queue, (job.work.turn, order, job))
                elif job.is_over or accept(job):
                    heapq.heappop(queue)
                    if not job.is_over:
                        return job
                else:
                    return None
        return None

    def _run_next(self, lane: int) -> None:
        """Run the job of a lane whose turn it is."""
        job = self._take(lane)
        if job is None:
            return
        try:
            if job.tagged is None:
                self._tag(job)
            self._search(job)
        except BaseException as error:  # whatever happens, the client gets an answer
            _deliver(job, error=error)
        if lane:
            give_back_memory()  # a long search needs hundreds of megabytes

    def _tag(self, first: Job) -> None:
        """Tag a job, and with it others that wait."""
        batch, words = [first], len(first.sentence.words)
        kind = _tagging(first)

        def accept(job: Job) -> bool:
            fits = words + len(job.sentence.words) <= BATCH_WORDS and job.work.turn == first.work.turn
            return job.tagged is None and fits and _tagging(job) == kind

        while len(batch) < BATCH_SENTENCES and (job := self._take(first.lane, accept)) is not None:
            batch.append(job)
            words += len(job.sentence.words)
        try:
            self._tag_together(batch)
        finally:
            self._put(*batch[1:])

    def _tag_together(self, batch: list[Job]) -> None:
        sentences, search, begin = [job.sentence.words for job in batch], batch[0].search, time.monotonic()
        try:
            found = self.parser.analyse(sentences, search.options.decoder, annotate=search.annotate)
        except Exception as error:  # one sentence may be too much: each is tagged alone
            for job in batch if len(batch) > 1 else ():
                self._tag_together([job])
            if len(batch) == 1:
                failure = self._failure(batch[0], f"parsing failed: {type(error).__name__}: {error}")
                _deliver(batch[0], search.finish(failure, []))
            return
        for job, output in zip(batch, found, strict=True):
            job.tagged = output.tagged
            job.sentence = job.sentence._replace(pos=output.pos, lemmas=output.lemmas)
            job.work.used += (time.monotonic() - begin) / len(batch)

    def _search(self, job: Job) -> None:
        if job.is_over or job.tagged is None:
            return
        search, last = job.search, job.lane == len(SLICES)
        seconds = self.limits.seconds if last else min(SLICES[job.lane], self.limits.seconds)
        limits = replace(search.options.limits, seconds=SEARCH_SHARE * seconds)
        options = replace(search.options, limits=limits)
        with job.work.running(seconds) as cancellation:
            (result,) = self.parser.search([job.sentence.words], [job.tagged], options, cancellation=cancellation)
            out_of_time = result.certificate.stopped == "seconds" or (
                not result.parses and cancellation.seconds_left <= 0
            )
            timings = [result.certificate.seconds]
            while len(timings) < search.repeats and timings[0] < REPEATED and not out_of_time:
                (again,) = self.parser.search([job.sentence.words], [job.tagged], options, cancellation=cancellation)
                timings.append(again.certificate.seconds)
        if job.work.cancelled:
            return
        if job.best is None or result.parses:
            job.best = result
        if out_of_time and job.work.seconds_left <= 0:
            _deliver(job, search.finish(self._out_of_time(job), timings))
        elif not out_of_time or last or seconds >= self.limits.seconds:
            _deliver(job, search.finish(self._outcome(job), timings))
        else:
            job.lane += 1
            self._put(job)

    def _outcome(self, job: Job) -> ParseOutcome:
        assert job.best is not None
        limits = replace(job.search.options.limits, seconds=self.limits.seconds)  # for the words of the reason
        return self.parser.outcome(job.sentence, job.best, replace(job.search.options, limits=limits))

    def _failure(self, job: Job, reason: str) -> Failed:
        return Failed(job.sentence.words, reason, None, job.search.options.nbest, job.sentence.offsets)

    def _out_of_time(self, job: Job) -> ParseOutcome:
        """What is known of a sentence at the deadline of its request."""
        reason = STOPPING if job.work.stopping else OUT_OF_TIME
        if job.best is None:
            return self._failure(job, reason)
        outcome = self._outcome(job)
        return replace(outcome, reason=reason) if isinstance(outcome, BackedOff | Failed) else outcome


async def _done_in_time(future: asyncio.Future[Any], work: Work) -> bool:
    """Wait for work of a request until its deadline, which may move meanwhile."""
    while not future.done():
        await asyncio.wait([future], timeout=min(max(work.seconds_left, 0.0), 1.0))
        if work.seconds_left <= 0 and not future.done():
            future.cancel()
            return False
    return True


def _tagging(job: Job) -> tuple[bool, bool]:
    """Jobs for which this is the same can be tagged together."""
    return job.search.options.decoder.needs_model, job.search.annotate


def _deliver(job: Job, answer: Any = None, *, error: BaseException | None = None) -> None:
    def settle() -> None:
        if job.future.done():
            return
        if error is None:
            job.future.set_result(answer)
        else:
            job.future.set_exception(error)

    with suppress(RuntimeError):  # the loop is closed: no client waits
        job.future.get_loop().call_soon_threadsafe(settle)


def _refused(code: str, message: str) -> ApiError:
    return ApiError(code, message, headers={"Retry-After": str(RETRY_AFTER)})


def _lower_priority() -> None:
    """Let ordinary sentences go first where the system knows priorities of threads."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
