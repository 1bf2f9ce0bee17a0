"""How much of what a model and its server say is read: spec/bounds.json, and what becomes of a response beyond it."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Optional, Set

Json = Dict[str, Any]

DEFAULTS: Json = {"depth": 128, "calls": 1000, "line_bytes": 2**24, "body_bytes": 2**26}
# How deep JSON may be so that every function of this program, which go through it by recursion, comes to its end.
READABLE = 500


class Enough(Exception):
    """What a listener raises who needs no more of a response."""


class Bounded:
    """Keeps what a model says within the bounds of a run: what it streams, and its response."""

    def __init__(self, bounds: Json, listen: Callable[[Json], None]) -> None:
        self.bounds, self.listener = bounds, listen
        self.calls = 0
        self.begun: Set[int] = set()  # what has begun is ended, also if it is the last that is read
        self.beyond: Optional[str] = None

    def listen(self, event: Json) -> None:
        """Hand an event on. A stream that goes beyond a bound is left, once; of what follows nothing begins."""
        if event["type"] == "message_start" and not self.beyond:
            self.calls += is_call(event["message"])
            self.beyond = self.broken_by(event["message"], self.calls)
            if self.beyond:
                raise Enough(self.beyond)
            self.begun.add(event["index"])
        if "index" not in event or event["index"] in self.begun:
            self.listener(event)

    def within(self, response: Json) -> Json:
        """The response, or what of it came before it went beyond a bound [LOOP-98] [LOOP-99]."""
        kept: List[Json] = []
        calls = 0
        for message in response["messages"]:
            calls += is_call(message)
            message = self.readable(message)
            broken = self.broken_by(message, calls)
            if broken:
                return failed({**response, "messages": kept}, broken)
            kept.append(message)
        response = {**response, "messages": kept}
        return failed(response, self.beyond) if self.beyond else response

    def broken_by(self, message: Json, calls: int) -> Optional[str]:
        """Which bound a message of a response goes beyond that has so many calls up to it."""
        if calls > self.bounds["calls"]:
            return f"The response has more calls than {self.most('calls')}. None was executed."
        if is_deeper(message, self.bounds["depth"] + 1):  # the message stands around it
            return f"The response has something nested deeper than {self.most('depth')}."
        return None

    def readable(self, message: Json) -> Json:
        """The message; a call without its arguments, where they are nested too deep [LOOP-97]."""
        if not is_call(message) or not self.is_too_deep(message):
            return message
        raw = message.get("raw_input") or json.dumps(message["input"], ensure_ascii=False, separators=(",", ":"))
        unreadable = f"may not be nested deeper than {self.most('depth')}"
        return {**message, "input": None, "raw_input": raw, "meta": {**message.get("meta", {}), "unreadable": unreadable}}

    def is_too_deep(self, call: Json) -> bool:
        depth: int = self.bounds["depth"]
        if call["input"] is None:
            return is_deeper_text(call.get("raw_input", ""), max(depth, READABLE))
        return is_deeper(call["input"], depth)

    def most(self, bound: str) -> str:
        return most(self.bounds, bound)


def in_force(options: Json) -> Json:
    """The bounds of a run: those that are given, and the defaults of the others."""
    return {**DEFAULTS, **(options.get("bounds") or {})}


def most(bounds: Json, bound: str) -> str:
    return f"{bounds[bound]} (bounds.{bound})"


def is_call(message: Json) -> bool:
    return message.get("type") == "tool_call"


def failed(response: Json, reason: str) -> Json:
    maker = {key: response[key] for key in ("provider",) if key in response}
    return {**response, "stop_reason": "error", "error": {"kind": "invalid_response", "message": reason, **maker}}


def is_deeper(value: Any, depth: int) -> bool:
    """Whether more lists and objects than that stand inside one another; level by level, as recursion has an end of its own."""
    level = nested([value])
    for _ in range(depth):
        level = nested(member for outer in level for member in (outer.values() if isinstance(outer, dict) else outer))
        if not level:
            return False
    return bool(level)


def nested(values: Any) -> List[Any]:
    return [value for value in values if isinstance(value, (dict, list))]


def is_deeper_text(text: str, depth: int) -> bool:
    """The same of a JSON text, without reading it."""
    if text.count("[") + text.count("{") <= depth:
        return False
    level, is_string, letters = 0, False, iter(text)
    for letter in letters:
        if is_string and letter == "\\":
            next(letters, None)
        elif letter == '"':
            is_string = not is_string
        elif not is_string and letter in "[{":
            level += 1
        elif not is_string and letter in "]}":
            level -= 1
        if level > depth:
            return True
    return False
