"""What goes over the wire to any provider: one request, one answer or stream, and what is wrong with it."""

from __future__ import annotations

import http.client
import io
import math
import re
import socket
import time
import urllib.parse
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Container, Dict, Iterator, List, NoReturn, Optional

import bounds as known
from sse import Event, SseParser, TooLong
from written_numbers import read_exactly, write_exactly

Json = Dict[str, Any]
# Called with a file descriptor before something is read from it.
Wait = Callable[[int], None]
TIMEOUT_S = 600
REDIRECTS = (301, 302, 303, 307, 308)
AMOUNT = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
LONGEST_MS = 2**53 - 1  # [PROVIDER-37]
LONGEST_ERROR = 2**20  # bytes of what a server says about a failure
REDACTED = "[redacted]"
KEY_BEGINNING = 12
SECRET = 8
# What looks like a key. [PROVIDER-45]
VENDORS = "sk-|sk_|pk-|gsk_|xai-|AIza|hf_|r8_|nvapi-|pplx-|csk-|tgp_v1_|gh[opsur]_|github_pat_|xox[abp]-"
WEB_TOKEN = r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+"
KEY_SHAPES = re.compile(rf"\b(?:(?:{VENDORS})[\w-]{{16,}}|(?:AKIA|ASIA)[A-Z0-9]{{16}}\b|{WEB_TOKEN})", re.ASCII)
BEARER = re.compile(r"\b(bearer\s+)[\w.~+/-]{16,}=*", re.ASCII | re.IGNORECASE)
# How servers say that a conversation is longer than the context window. [PROVIDER-39]
OVERFLOW_CODES = ("context_length_exceeded", "exceed_context_size_error")
OVERFLOW_WORDS = (
    *("prompt is too long", "exceed context limit", "exceeds the context window", "maximum context length"),
    *("maximum prompt length is", "reduce the length of the messages", "exceeds the available context size"),
    *("greater than the context length", "exceeded model token limit", "context window exceeds limit"),
    "input is too long for requested model",
)


def at_once(socket: int) -> None:
    """Nothing is done before something is read: the reading waits."""


class Failure(Exception):
    """A model call that failed; the adapter makes a response of it."""

    def __init__(self, kind: str, message: str, stop_reason: str = "error", **more: Any) -> None:
        super().__init__(message)
        self.stop_reason = stop_reason
        self.error = {"kind": kind, "message": message}
        self.error.update({key: value for key, value in more.items() if value is not None})
        self.said: Any = None  # the error as the provider wrote it, if it was the provider

    def as_response(self, provider: str, key: str) -> Json:
        told = {field: without_keys(self.error[field], key) for field in ("message", "code") if field in self.error}
        return {"stop_reason": self.stop_reason, "error": {**self.error, **told, "provider": provider}}


def without_keys(text: str, key: str) -> str:
    """What is told of a failure, without the key in use [PROVIDER-27] and what looks like one [PROVIDER-45].

    The beginning of a long key is enough: what was told is cut off, or masked by the server.
    """
    if key:  # a short one is no secret, and stands in words by chance
        whole = re.escape(key)
        text = re.sub(whole if len(key) >= SECRET else rf"(?<!\w){whole}(?!\w)", REDACTED, text)
    if len(key) > KEY_BEGINNING:
        text = re.sub(re.escape(key[:KEY_BEGINNING]) + r"[\w-]*", REDACTED, text)
    return BEARER.sub(rf"\1{REDACTED}", KEY_SHAPES.sub(REDACTED, text))


class Awaited(io.RawIOBase):
    """The bytes of an answer, for each of which the reader waits in its own way."""

    def __init__(self, raw: Any, wait: Wait) -> None:
        self.raw, self.wait = raw, wait

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        self.wait(self.raw.fileno())
        return self.raw.readinto(buffer)

    def close(self) -> None:
        self.raw.close()
        super().close()


class Answer(http.client.HTTPResponse):
    """An answer, of which no more is read than its bounds allow."""

    bounds: Json = known.DEFAULTS

    def whole(self) -> bytes:
        """All that it has, which may not be too much [PROVIDER-43]; of what a failure says, the beginning has to do."""
        most: int = self.bounds["body_bytes"] if self.status < 300 else LONGEST_ERROR
        body = self.read(most + 1)
        if len(body) > most and self.status < 300:
            raise too_long(self.bounds, "body_bytes")
        return body[:most]

    def events(self) -> Iterator[Event]:
        """The events of a stream; a connection that is lost is an end like any other [PROVIDER-43]."""
        parser = SseParser(self.bounds["line_bytes"])
        left: int = self.bounds["body_bytes"]
        while True:
            try:
                chunk = self.read1(65536)
            except (OSError, http.client.HTTPException):
                return
            if not chunk:
                return
            try:
                yield from parser.feed(chunk[:left])
            except TooLong:
                raise too_long(self.bounds, "line_bytes") from None
            left -= len(chunk)
            if left < 0:
                raise too_long(self.bounds, "body_bytes")


def too_long(bounds: Json, bound: str) -> Failure:
    what = "a line" if bound == "line_bytes" else "an answer"
    return Failure("invalid_response", f"The provider sent {what} with more bytes than {known.most(bounds, bound)}.")


def too_deep(bounds: Json) -> Failure:
    reason = f"so deep that it cannot be read, and deeper than {known.most(bounds, 'depth')}"
    return Failure("invalid_response", f"The provider sent something nested {reason}.")


def post(url: str, headers: Dict[str, str], body: Json, wait: Wait = at_once, bounds: Json = known.DEFAULTS) -> Answer:
    """Send a request, once, and return the response as soon as its headers are there."""

    def awaited(*answer: Any, **options: Any) -> Answer:
        response = Answer(*answer, **options)
        response.bounds = bounds
        response.fp = io.BufferedReader(Awaited(response.fp.detach(), wait))
        return response

    where = urllib.parse.urlsplit(url)
    if where.scheme not in ("http", "https"):
        raise Failure("configuration", f"{url} is no address that begins with http:// or https://.")  # [PROVIDER-40]
    connect = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    connection = connect(where.netloc, timeout=TIMEOUT_S)
    connection.response_class = awaited  # type: ignore
    headers = {**headers, "content-type": "application/json", "connection": "close"}
    try:
        connection.request("POST", urllib.parse.urlunsplit(("", "", where.path, where.query, "")), unicode(body), headers)
        response: Any = connection.getresponse()
    except socket.timeout as error:
        raise Failure("timeout", f"{url} did not answer within {TIMEOUT_S} s.") from error
    except (OSError, http.client.HTTPException) as error:
        raise Failure("network", f"{url} did not answer: {error or type(error).__name__}.") from error
    refuse_redirect(url, response)
    answer: Answer = response
    return answer


def refuse_redirect(url: str, response: http.client.HTTPResponse) -> None:
    """No redirect is followed; one to another origin is told as what it is [PROVIDER-38]."""
    location = response.headers.get("location") if response.status in REDIRECTS else None
    if location:
        asked, target = (urllib.parse.urlsplit(each) for each in (url, urllib.parse.urljoin(url, location)))
        if asked[:2] != target[:2]:
            sent_on = f"{asked.scheme}://{asked.netloc} sends the request on to {target.scheme}://{target.netloc.rpartition('@')[2]}"
            raise Failure("configuration", f"{sent_on}, which was sent nothing.")


def unicode(body: Json) -> bytes:
    """A body as JSON; half a surrogate pair, which is no Unicode, becomes U+FFFD [PROVIDER-12]."""
    text = write_exactly(body)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def is_stream(response: http.client.HTTPResponse) -> bool:
    return response.status < 300 and response.headers.get_content_type() == "text/event-stream"


def read_json(response: Answer, kinds: Dict[Any, str]) -> Json:
    """The body of a response that is not a stream; an error in it is raised."""
    body = read_body(response, kinds)
    refuse(body, kinds)
    return body


def read_body(response: Answer, kinds: Dict[Any, str]) -> Json:
    """The body of a response that is not a stream; one that has nothing but an error is raised."""
    try:
        text = response.whole().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        raise Failure("stream_interrupted", "The answer broke off before its end.", "interrupted") from error
    body = read_value(text, response)
    first = body[0] if isinstance(body, list) and body else body
    said = first.get("error") if isinstance(first, dict) else None
    if response.status >= 300:
        fail(response.status, said or text, kinds, response.headers)
    if not isinstance(body, dict):
        refuse(first, kinds)
        raise Failure("invalid_response", f"Expected a JSON object, got: {text[:200]!r}")
    return body


def refuse(body: Any, kinds: Dict[Any, str]) -> None:
    """Raise the error in a body, if there is one."""
    if isinstance(body, dict) and body.get("error"):
        fail(None, body["error"], kinds)


def read_events(response: Answer, names: Optional[Container[str]] = None) -> Iterator[Any]:
    """The data of each event, an object or [DONE].

    Where names are given, an event of another name may have anything as its data.
    """
    for event in response.events():
        data = event.data if event.data == "[DONE]" else read_value(event.data, response)
        if isinstance(data, dict) or data == "[DONE]":
            yield data
        elif names is None or not event.name or event.name in names:
            raise Failure("invalid_response", f"Expected a JSON object in an event, got: {event.data[:200]!r}")


def read_value(text: str, response: Answer) -> Any:
    """What a text is in JSON; None if it is no JSON. What is nested too deep for this program is refused."""
    try:
        value = read_exactly(text)
    except ValueError:
        return None
    except RecursionError:
        raise too_deep(response.bounds) from None
    if text.count("{") + text.count("[") > known.READABLE and known.is_deeper(value, known.READABLE):
        raise too_deep(response.bounds)
    return value


@contextmanager
def readable() -> Iterator[None]:
    """Where an answer is read: one that is not built as the format says is a failure, and no bug of the loop."""
    try:
        yield
    except known.Enough as enough:  # a failure like others, to which the loop gives its own words
        raise Failure("invalid_response", str(enough)) from None
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise Failure("invalid_response", f"The answer makes no sense: {type(error).__name__} {error}.") from error


def fail(status: Optional[int], error: Any, kinds: Dict[Any, str], headers: Any = None) -> NoReturn:
    """Raise what a provider said was wrong: by the status of its answer, or, inside a good one, by code and type.

    That what was paid for is used up is believed whatever the status is [PROVIDER-41].
    """
    error = error if isinstance(error, dict) else {"message": error}
    names = [str(error[key]) for key in ("code", "type") if error.get(key) is not None]
    meant = status or next((int(name) for name in names if name.isdigit()), None)
    if any(kinds.get(name) == "quota" for name in names):
        kind = "quota"
    elif meant:
        kind = kinds.get(meant) or ("invalid_request" if 400 <= meant < 500 else "server_error")
    else:
        kind = next((kinds[name] for name in names if name in kinds), "server_error")
    message = error.get("message") or f"The provider said nothing, with status {meant}."
    if kind not in ("rate_limit", "request_too_large") and says_overflow(names, str(message)):
        kind = "context_window_exceeded"
    code = names[0] if names else None
    asked = {"retry_after_ms": retry_after_ms(headers or {}), "should_retry": should_retry(headers or {})}
    failure = Failure(kind, str(message), status=status, code=code, **asked)
    failure.said = error
    raise failure


def says_overflow(names: List[str], message: str) -> bool:
    """Whether an error says that the conversation is longer than the model can read [PROVIDER-39]."""
    return any(name in OVERFLOW_CODES for name in names) or any(words in message.lower() for words in OVERFLOW_WORDS)


def should_retry(headers: Any) -> Optional[bool]:
    return {"true": True, "false": False}.get(headers.get("x-should-retry", ""))


def duration_ms(duration: Any) -> Optional[int]:
    """A time such as 34.5s in milliseconds; None if it is none."""
    seconds = duration[:-1] if isinstance(duration, str) and duration.endswith("s") else ""
    return math.ceil(min(float(seconds) * 1000, LONGEST_MS)) if AMOUNT.fullmatch(seconds) else None


def retry_after_ms(headers: Any) -> Optional[int]:
    """How long a provider asked to wait; what is neither an amount nor a date says nothing [PROVIDER-36]."""
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        amount = headers.get(name, "").strip()
        if AMOUNT.fullmatch(amount):
            return math.ceil(min(float(amount) * factor, LONGEST_MS))
    asked = headers.get("retry-after", "")
    if not asked:
        return None
    try:
        sent = headers.get("date")  # the clock of whoever named the date
        now = parsedate_to_datetime(sent).timestamp() if sent else time.time()
        return max(0, math.ceil((parsedate_to_datetime(asked).timestamp() - now) * 1000))
    except (ValueError, TypeError, OverflowError):
        return None
