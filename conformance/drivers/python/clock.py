"""Time, as the loop knows it: how much has passed, waiting, and when the time of a run is over."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import ContextManager, Iterator, Optional


class TimeIsOver(OSError):
    """The run has taken its time; to whoever reads an answer it is a connection that is lost [LOOP-105]."""


class Clock:
    """The clock of the machine, in milliseconds."""

    deadline: Optional[float] = None  # of what is under way

    def now(self) -> float:
        """What has passed since some moment."""
        return time.monotonic() * 1000

    def sleep(self, ms: float) -> None:
        time.sleep(ms / 1000)

    @contextmanager
    def before(self, moment: Optional[float]) -> Iterator[None]:
        """What is done inside is waited for until then, and no longer than what is done around it."""
        outer = self.deadline
        self.deadline = min((each for each in (outer, moment) if each is not None), default=None)
        try:
            yield
        finally:
            self.deadline = outer

    def within(self, ms: Optional[float]) -> ContextManager[None]:
        """The same, for so many milliseconds; None is no limit."""
        return self.before(None if ms is None else self.now() + ms)

    def is_over(self) -> bool:
        return self.deadline is not None and self.now() >= self.deadline

    def check(self) -> Optional[float]:
        """How many seconds may be waited, None for ever.

        Raises TimeIsOver where there are none.
        """
        if self.is_over():
            raise TimeIsOver("The run has taken deadline_ms.")
        return None if self.deadline is None else (self.deadline - self.now()) / 1000
