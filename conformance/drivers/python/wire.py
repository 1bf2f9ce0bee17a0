"""What the two adapters share: HTTP, failures, arguments, stream events, warnings."""

from __future__ import annotations

import hashlib
import http.client
import json
import math
import re
import socket
import time
import urllib.parse
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Tuple

from sse import SseParser

Json = Dict[str, Any]
Listen = Callable[[Json], None]
TIMEOUT_S = 600
MODEL_MADE = ("thinking", "tool_call", "provider_item")


class Failure(Exception):
    """A model call that failed; the adapter makes a response of it."""

    def __init__(self, kind: str, message: str, stop_reason: str = "error", **more: Any) -> None:
        super().__init__(message)
        self.stop_reason = stop_reason
        self.error = {"kind": kind, "message": message, **{key: value for key, value in more.items() if value is not None}}

    def as_response(self, provider: str) -> Json:
        return {"stop_reason": self.stop_reason, "error": {**self.error, "provider": provider}}


# HTTP


def post(url: str, headers: Dict[str, str], body: Json) -> http.client.HTTPResponse:
    """Send a request, once, and return the response as soon as its headers are there."""
    where = urllib.parse.urlsplit(url)
    connect = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    connection = connect(where.netloc, timeout=TIMEOUT_S)
    try:
        connection.request("POST", where.path, unicode(body), {**headers, "content-type": "application/json", "connection": "close"})
        return connection.getresponse()
    except socket.timeout as error:
        raise Failure("timeout", f"{url} did not answer within {TIMEOUT_S} s.") from error
    except (OSError, http.client.HTTPException) as error:
        raise Failure("network", f"{url} did not answer: {error or type(error).__name__}.") from error


def unicode(body: Json) -> bytes:
    """A body as JSON; half a surrogate pair, which is no Unicode, becomes U+FFFD [PROVIDER-12]."""
    text = json.dumps(body, ensure_ascii=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def is_stream(response: http.client.HTTPResponse) -> bool:
    return response.status < 300 and response.headers.get_content_type() == "text/event-stream"


def read_json(response: http.client.HTTPResponse, kinds: Json) -> Json:
    """The body of a response that is not a stream; an error in it is raised."""
    try:
        text = response.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        raise Failure("stream_interrupted", "The answer broke off before its end.", "interrupted") from error
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    error = (body[0] if isinstance(body, list) and body else body or {}) if isinstance(body, (list, dict)) else {}
    error = error.get("error") if isinstance(error, dict) else None
    if response.status >= 300 or error:
        fail(response.status if response.status >= 300 else None, error or text, kinds, response.headers)
    if not isinstance(body, dict):
        raise Failure("invalid_response", f"Expected a JSON object, got: {text[:200]!r}")
    return body


def read_events(response: http.client.HTTPResponse) -> Iterator[Any]:
    """The data of each event, parsed; a connection that is lost is an end like any other."""
    parser = SseParser()
    chunk = b" "
    while chunk:
        try:
            chunk = response.read1(65536)
        except (OSError, http.client.HTTPException):
            return
        for event in parser.feed(chunk):
            try:
                yield event.data if event.data == "[DONE]" else json.loads(event.data)
            except (ValueError, RecursionError) as error:
                raise Failure("invalid_response", f"Expected JSON in an event, got: {event.data[:200]!r}") from error


@contextmanager
def readable() -> Iterator[None]:
    """Where an answer is read: one that is not built as the format says is a failure, and no bug of the loop."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise Failure("invalid_response", f"The answer makes no sense: {type(error).__name__} {error}.") from error


# Failures


def fail(status: Optional[int], error: Any, kinds: Json, headers: Any = None) -> NoReturn:
    """Raise what a provider said was wrong, by the status of its answer, or, inside a good one, by the code."""
    error = error if isinstance(error, dict) else {"message": error}
    names = [str(error[key]) for key in ("code", "type") if error.get(key) is not None]
    if status is None:
        status = next((int(name) for name in names if name.isdigit()), None)
    by_status = kinds.get(status) or ("invalid_request" if 400 <= (status or 500) < 500 else "server_error")
    by_name = next((kinds[name] for name in names if name in kinds), "server_error")
    message = error.get("message") or f"The provider said nothing, with status {status}."
    more = {"status": status, "code": names[0] if names else None, "retry_after_ms": retry_after_ms(headers or {})}
    raise Failure(by_status if status else by_name, str(message), **more)


def retry_after_ms(headers: Any) -> Optional[int]:
    asked, asked_ms = headers.get("retry-after", ""), headers.get("retry-after-ms", "")
    try:
        if asked_ms:
            return max(0, math.ceil(float(asked_ms)))
        if re.fullmatch(r"[0-9.]+", asked):
            return math.ceil(float(asked) * 1000)
        return max(0, math.ceil((parsedate_to_datetime(asked).timestamp() - time.time()) * 1000)) if asked else None
    except (ValueError, TypeError, OverflowError):
        return None


# Arguments


def parse_arguments(written: Any) -> Json:
    """`input` and `raw_input` of a call, from its arguments as the model wrote them [TOOL-1] [TOOL-2]."""
    if written is None or isinstance(written, str) and not written.strip():
        return {"input": {}}
    if isinstance(written, dict):
        return {"input": written}
    text = written if isinstance(written, str) else json.dumps(written)
    try:
        value = json.loads(text, parse_constant=not_json, parse_float=finite)
    except (ValueError, RecursionError):
        value = None
    return {"input": value} if isinstance(value, dict) else {"input": None, "raw_input": text}


def not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is a number to Python, and nothing to JSON")


def finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is beyond the numbers of this language")
    return number


def arguments_of(call: Json) -> Json:
    """What a provider is sent as the arguments of a call: those that the model wrote, or none [PROVIDER-10]."""
    return parse_arguments(call.get("raw_input", call["input"]))["input"] or {}


def join(pieces: List[str]) -> str:
    """The text of streamed pieces; a surrogate pair that was cut in two becomes one character."""
    return json.loads(json.dumps("".join(pieces)))


# Sessions


def runs(messages: List[Json], results_as: str) -> List[Tuple[str, List[Json]]]:
    """The messages in runs of those that go into one message of a provider, each with its role."""
    found: List[Tuple[str, List[Json]]] = []
    for message in messages:
        kind = message.get("type")
        role = results_as if kind == "tool_result" else "assistant" if kind in MODEL_MADE else message["role"]
        if not found or found[-1][0] != role:
            found.append((role, []))
        found[-1][1].append(message)
    return found


def legal(name: str, pattern: str, limit: int) -> str:
    """The name itself, or, where the provider refuses it, another one that depends on nothing else."""
    if re.fullmatch(f"(?:{pattern}){{1,{limit}}}", name):
        return name
    kept = "".join(char if re.fullmatch(pattern, char) else "_" for char in name)[: limit - 9]
    return f"{kept}_{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


class Warnings:
    """Warns of each loss once per request. Every method returns what is left."""

    def __init__(self, listen: Listen) -> None:
        self.listen = listen
        self.given: List[Tuple[str, str]] = []

    def __call__(self, code: str, message: str) -> List[Any]:
        if (code, message) not in self.given:
            self.given.append((code, message))
            self.listen({"type": "warning", "code": code, "message": message})
        return []

    def mapped(self, name: str, sent: str) -> str:
        if name != sent:
            self("id_mapped", f"The provider refuses the name {name!r}; it is sent as {sent}.")
        return sent

    def known(self, messages: List[Json]) -> List[Json]:
        """The messages that the spec defines; no adapter can carry another."""
        known = [message for message in messages if "role" in message or message["type"] in (*MODEL_MADE, "tool_result")]
        if len(known) < len(messages):
            self("part_dropped", "The format has no place for messages of a type that the spec does not define.")
        return known


class Streamed:
    """Tells of messages while they come: message_start, message_delta, message_end."""

    def __init__(self, listen: Listen) -> None:
        self.listen = listen
        self.indexes: Dict[Any, int] = {}  # by whatever the provider knows a message by
        self.open: List[int] = []

    def piece(self, key: Any, delta: str, message: Json) -> None:
        """A piece of a message, which begins with it if it is the first; a text does not begin without one."""
        if key not in self.indexes and (delta or message.get("role") != "assistant"):
            self.indexes[key] = len(self.indexes)
            self.open.append(self.indexes[key])
            self.listen({"type": "message_start", "index": self.indexes[key], "message": message})
        if delta:
            self.listen({"type": "message_delta", "index": self.indexes[key], "delta": delta})

    def end(self, key: Any) -> None:
        index = self.indexes.get(key)
        if index in self.open:
            self.open.remove(index)
            self.listen({"type": "message_end", "index": index})

    def end_all(self) -> None:
        for key in self.indexes:
            self.end(key)
