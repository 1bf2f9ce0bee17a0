"""Time, as the loop knows it: how much has passed, and waiting."""

from __future__ import annotations

import time


class Clock:
    """The clock of the machine, in milliseconds."""

    def now(self) -> float:
        """What has passed since some moment."""
        return time.monotonic() * 1000

    def sleep(self, ms: float) -> None:
        time.sleep(ms / 1000)
