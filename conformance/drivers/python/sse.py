"""An incremental parser of server-sent events: bytes in, however they are cut, events out."""

from __future__ import annotations

import math
import re
from typing import Iterator, List, NamedTuple

END_OF_LINE = re.compile(b"\r\n|\r|\n")


class Event(NamedTuple):
    name: str
    data: str


class TooLong(Exception):
    """A line has more bytes than it may have."""


class SseParser:
    """Feed it what arrives; it yields each event as soon as the empty line that ends it is there.

    An event that the stream breaks off in is never yielded, as the standard has it.
    """

    def __init__(self, line_bytes: float = math.inf) -> None:
        self._line_bytes = line_bytes
        self._rest: List[bytes] = []  # the pieces of the line that has not ended
        self._length = 0  # of all of them
        self._after_cr = False
        self._first_line = True
        self._name = ""
        self._data: List[str] = []

    def feed(self, chunk: bytes) -> Iterator[Event]:
        if not chunk:
            return
        if self._after_cr and chunk.startswith(b"\n"):  # the other half of a CR LF that was cut in two
            chunk = chunk[1:]
        self._after_cr = chunk.endswith(b"\r")
        for number, piece in enumerate(END_OF_LINE.split(chunk)):
            if number:  # whole lines, so that no character is cut
                line, self._rest, self._length = b"".join(self._rest), [], 0
                yield from self._take(line.decode("utf-8", "replace"))
            self._length += len(piece)
            if self._length > self._line_bytes:
                raise TooLong
            self._rest.append(piece)

    def _take(self, line: str) -> Iterator[Event]:
        if self._first_line:
            self._first_line, line = False, line[1:] if line.startswith("\ufeff") else line
        if line == "":
            if self._data:
                yield Event(self._name, "\n".join(self._data))
            self._name, self._data = "", []
            return
        field, _, value = line.partition(":")  # a comment has the empty field
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
