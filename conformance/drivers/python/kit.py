"""The conformance kit, as the driver meets it: a line is a message, and time passes when the kit says so."""

from __future__ import annotations

import json
import os
import select
import sys
from typing import Any, Callable, Dict, Optional

from clock import Clock

Json = Dict[str, Any]
STDIN = 0
NO_SUCH_METHOD = -32601


class Refused(Exception):
    """The kit answered a callback with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error.get("message", ""))
        self.data: Json = error.get("data") or {}


class VirtualClock(Clock):
    """A clock that stands still until the kit moves it."""

    def __init__(self, hear: Callable[[], None]) -> None:
        self.time = self.until = 0.0
        self.hear = hear

    def now(self) -> float:
        return self.time

    def sleep(self, ms: float) -> None:
        due = self.time + ms
        while self.until < due:
            self.hear()
        self.time = due

    def is_over(self) -> bool:
        return self.deadline is not None and self.until >= self.deadline

    def check(self) -> None:
        if self.deadline is not None and self.is_over():
            self.time = max(self.time, self.deadline)  # what was waited for until then is waited for no longer
        super().check()  # only the kit lets time pass: it is waited for


def ignore(params: Json) -> None:
    """A notification that this driver does not know."""


def idle(params: Json) -> Json:
    """Whoever hears has nothing else to do [DRIVER-9]."""
    return {}


class Kit:
    """The other end of stdin and stdout. There is no thread: the kit is heard whenever there is nothing else to do."""

    def __init__(self, methods: Dict[str, Any], told: Dict[str, Callable[[Json], None]]) -> None:
        self.methods: Dict[str, Callable[[Json], Json]] = {**methods, "barrier": idle}
        self.told = told  # by notifications, which nobody answers
        self.clock = VirtualClock(self.hear)
        self.moved: Optional[Json] = None  # the request that moved the clock, until what is due has happened
        self.asked = 0
        self.answers: Dict[str, Json] = {}
        self.unread = b""

    def ask(self, method: str, params: Json, clock: Clock) -> Json:
        """Call the kit back, and wait for its answer, or until the time of the run is over."""
        self.asked += 1
        id = f"d{self.asked}"
        self.send({"id": id, "method": method, "params": params})
        while id not in self.answers:
            left = clock.check()
            self.settle()
            self.say()
            if b"\n" in self.unread or STDIN in select.select([STDIN], [], [], left)[0]:
                self.hear()
        answer = self.answers.pop(id)
        if "error" in answer:
            raise Refused(answer["error"])
        result: Json = answer["result"]
        return result

    def wait_for(self, socket: int, clock: Clock) -> None:
        """Return when there is something to read from a socket, or raise when the time is over. Until then the kit is heard."""
        while not select.select([socket], [], [], 0)[0]:
            left = clock.check()
            self.settle()
            self.say()
            if b"\n" in self.unread or STDIN in select.select([socket, STDIN], [], [], left)[0]:
                self.hear()

    def hear(self) -> None:
        """Take the next message of the kit. Everything that can be done without it has been done."""
        self.settle()
        message = json.loads(self.line())
        if "method" not in message:
            self.answers[message["id"]] = message
        elif message["method"] == "clock/advance":
            self.clock.until += message["params"]["ms"]
            self.moved = message
        elif message["method"] in self.methods:
            self.send({"id": message["id"], "result": self.methods[message["method"]](message["params"])})
        elif "id" not in message:
            self.told.get(message["method"], ignore)(message.get("params", {}))  # [DRIVER-19]
        else:
            error = {"code": NO_SUCH_METHOD, "message": f"There is no method {message['method']}."}
            self.send({"id": message["id"], "error": error})

    def settle(self) -> None:
        """What was due has happened: say so to whoever moved the clock."""
        self.clock.time = self.clock.until
        if self.moved:
            moved, self.moved = self.moved, None
            self.send({"id": moved["id"], "result": {}})

    def line(self) -> bytes:
        while b"\n" not in self.unread:
            self.say()
            more = os.read(STDIN, 1 << 16)
            if not more:
                sys.exit()  # the kit has gone [DRIVER-21]
            self.unread += more
        line, _, self.unread = self.unread.partition(b"\n")
        return line

    def send(self, message: Json) -> None:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}, allow_nan=False) + "\n")

    def say(self) -> None:
        """Everything that was sent goes out, together, before anything is waited for or asked of somebody else."""
        sys.stdout.flush()
