"""Which model call that failed is tried again, and after how long."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

Json = Dict[str, Any]

# What may be over the next time [RETRY-1].
PASSING = ("rate_limit", "overloaded", "server_error", "timeout", "network", "stream_interrupted")
FIRST_WAIT_MS, LONGEST_WAIT_MS = 500, 8000


def wait_after(error: Json, failures: int, options: Json, random: Callable[[], float]) -> Optional[int]:
    """How long to wait before a call that failed is tried again, in milliseconds; None if it is not."""
    may_pass = error.get("should_retry", error["kind"] in PASSING)  # the provider knows best [RETRY-5]
    if not may_pass or error["kind"] == "quota" or failures >= options["max_retries"]:
        return None
    backoff = min(FIRST_WAIT_MS * 2**failures, LONGEST_WAIT_MS)
    shortened = round(backoff * (1 - random() / 4))  # [RETRY-3]
    wait: int = error.get("retry_after_ms", shortened)  # [RETRY-2]
    return wait if wait <= options["max_retry_delay_ms"] else None  # [RETRY-6]
