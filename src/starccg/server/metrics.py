"""Counts and times in the text format of Prometheus."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

from starccg.outcome import ParseOutcome

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histogram, in seconds."""
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts since the server started. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._outcomes: Counter[str] = Counter({"Parsed": 0, "BackedOff": 0, "Failed": 0})
        self._buckets: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count a request. ``route`` is the template of its path, so their number is bounded."""
        with self._lock:
            self._requests[route, status] += 1
            counts = self._buckets.setdefault(route, [0] * (len(BUCKETS) + 1))
            counts[bisect_left(BUCKETS, seconds)] += 1
            self._seconds[route] = self._seconds.get(route, 0.0) + seconds

    def outcome(self, outcome: ParseOutcome) -> None:
        """Count the outcome of a sentence by its kind."""
        with self._lock:
            self._outcomes[type(outcome).__name__] += 1

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """All counts, and gauges: their names with meaning and current value."""
        with self._lock:
            lines = [
                *_head("starccg_requests_total", "counter", "Requests by route and status."),
                *(
                    f'starccg_requests_total{{route="{route}",status="{status}"}} {count}'
                    for (route, status), count in sorted(self._requests.items())
                ),
                *_head("starccg_sentences_total", "counter", "Sentences that were given to the parser."),
                f"starccg_sentences_total {self._outcomes.total()}",
                *_head("starccg_outcomes_total", "counter", "Sentences by outcome."),
                *(
                    f'starccg_outcomes_total{{outcome="{kind}"}} {count}'
                    for kind, count in sorted(self._outcomes.items())
                ),
                *_head("starccg_request_seconds", "histogram", "Seconds from the request to the end of its answer."),
                *(line for route in sorted(self._buckets) for line in self._histogram(route)),
            ]
        for name, (meaning, value) in gauges.items():
            lines += [*_head(name, "gauge", meaning), f"{name} {value:g}"]
        return "\n".join([*lines, ""])

    def _histogram(self, route: str) -> list[str]:
        lines, total = [], 0
        for bound, count in zip((*map(str, BUCKETS), "+Inf"), self._buckets[route], strict=True):
            total += count
            lines.append(f'starccg_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
        lines.append(f'starccg_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}')
        lines.append(f'starccg_request_seconds_count{{route="{route}"}} {total}')
        return lines


def _head(name: str, kind: str, meaning: str) -> list[str]:
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
