"""The answer of Gemini's generateContent read as messages: each chunk of a stream is an answer with the parts that are new."""

from __future__ import annotations

import re
from typing import Any, Dict, List

import wire
from translate import Model, Streamed, join, parse_arguments
from wire import Answer, Failure, Json
from written_numbers import write_exactly

KINDS: Dict[Any, str] = {
    **{400: "invalid_request", 401: "authentication", 402: "quota", 403: "permission", 404: "not_found"},
    **{408: "timeout", 413: "request_too_large", 429: "rate_limit", 503: "overloaded", 504: "timeout"},
    529: "overloaded",
}
STOP_REASONS: Dict[Any, str] = {
    **{"STOP": "end_turn", "MAX_TOKENS": "max_tokens", "SAFETY": "content_filter", "RECITATION": "content_filter"},
    **{"LANGUAGE": "content_filter", "BLOCKLIST": "content_filter", "PROHIBITED_CONTENT": "content_filter"},
    **{"SPII": "content_filter", "IMAGE_SAFETY": "content_filter", "IMAGE_PROHIBITED_CONTENT": "content_filter"},
    **{"IMAGE_RECITATION": "content_filter", "MODEL_ARMOR": "content_filter"},
}
# The words for a call or an answer that the model failed to write. [GEMINI-10]
FAILED = (
    *("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"),
    "MISSING_THOUGHT_SIGNATURE",
)
# How the API says that a conversation is longer than the model can read.
OVERFLOW = re.compile("exceeds the maximum number of tokens|input context is too long", re.IGNORECASE)
UNSAID = "FINISH_REASON_UNSPECIFIED"
OF_TEXT = {"text", "thought", "thoughtSignature"}
OF_ANSWER = ("candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId")


class Reading:
    """Puts the parts of one answer together as messages, and tells of them while they come."""

    def __init__(self, model: Model, streamed: Streamed) -> None:
        self.model, self.streamed = model, streamed
        self.messages: List[Json] = []
        self.growing: List[str] = []  # the pieces of the text that is the last message, while it is open
        self.is_signed = False  # it has its signature: what comes next is another part
        self.ending: Json = {}  # finishReason, finishMessage and blockReason
        self.usage: Json = {}
        self.version: Any = None

    def chunk(self, chunk: Json) -> None:
        """Take what a chunk says. What it says of all of the answer holds until a later one says otherwise."""
        candidate = (chunk.get("candidates") or [{}])[0]
        for part in (candidate.get("content") or {}).get("parts") or []:
            self.part(part)
        told = {field: candidate.get(field) for field in ("finishReason", "finishMessage")}
        told["blockReason"] = (chunk.get("promptFeedback") or {}).get("blockReason")
        self.ending.update({field: word for field, word in told.items() if word not in (None, "", UNSAID)})
        self.usage.update(chunk.get("usageMetadata") or {})
        self.version = chunk.get("modelVersion") or self.version

    def part(self, part: Json) -> None:
        if isinstance(part.get("text"), str) and part.keys() <= OF_TEXT:
            self.text(part)
            return
        self.close()
        if "functionCall" in part:
            self.call(part)
        elif part:
            self.item(part)

    def text(self, part: Json) -> None:
        """A piece of a text or of a thought [GEMINI-9]."""
        piece, signature, is_thought = part["text"], part.get("thoughtSignature"), bool(part.get("thought"))
        if not piece and not signature:
            return
        if self.growing and (self.is_signed or is_thought != ("type" in self.messages[-1])):
            self.close()
        if not self.growing and not piece:
            self.item(part)
            return
        if not self.growing:
            own = {"opaque": {**self.model.made_by}}
            self.messages.append({"type": "thinking", "content": "", **own} if is_thought else {"role": "assistant", "content": ""})
        self.growing.append(piece)
        if signature:
            apart = {} if piece else {"signature_apart": True}  # on an empty text of its own [GEMINI-17]
            self.messages[-1]["opaque"] = {**self.model.made_by, "signature": signature, **apart}
            self.is_signed = True
        begun = {key: value for key, value in self.messages[-1].items() if key != "opaque"}
        self.streamed.piece(len(self.messages) - 1, piece, begun)

    def call(self, part: Json) -> None:
        rest = {key: value for key, value in part.items() if key not in ("functionCall", "thoughtSignature")}
        called, signature = part["functionCall"], part.get("thoughtSignature")
        written = "" if called.get("args") is None else write_exactly(called["args"], separators=(",", ":"))
        kept = {**({"signature": signature} if signature else {}), **({"beside": rest} if rest else {})}
        self.add(self.model.tool_call(called.get("id"), called.get("name"), parse_arguments(written), kept), written)

    def item(self, part: Json) -> None:
        """What no generic message fits [PROVIDER-19]."""
        self.add({"type": "provider_item", **self.model.made_by, "item": part})

    def add(self, message: Json, written: str = "") -> None:
        """A message that has come whole."""
        self.messages.append(message)
        self.streamed.piece(len(self.messages) - 1, written, message)
        self.streamed.end(len(self.messages) - 1)

    def close(self) -> None:
        """The text that was open, if one was, has all of its pieces."""
        if self.growing:
            self.messages[-1]["content"] = join(self.growing)
            self.growing, self.is_signed = [], False
            self.streamed.end(len(self.messages) - 1)

    def failure(self) -> None:
        """Raise that the model failed to write a call or an answer, if it did [GEMINI-10]."""
        word = self.ending.get("finishReason")
        if word in FAILED:
            reason = self.ending.get("finishMessage") or f"The model ended its answer with {word}."
            raise Failure("invalid_response", reason, code=word)

    def response(self) -> Json:
        """The response, as far as it has come."""
        self.close()
        word = self.ending.get("finishReason")
        calls = any(message.get("type") == "tool_call" for message in self.messages)
        stop_reason = STOP_REASONS.get(word, "other") if word else "end_turn"
        if not word and "blockReason" in self.ending:
            word, stop_reason = self.ending["blockReason"], "content_filter"  # [GEMINI-11]
        return {
            "messages": self.messages,
            "stop_reason": "tool_use" if stop_reason == "end_turn" and calls else stop_reason,
            "raw_stop_reason": word,
            "usage": read_usage(self.usage),
            "model": self.version or self.model.made_by["model"],
        }


def read_whole(response: Answer, reading: Reading) -> None:
    whole = wire.read_json(response, KINDS)
    if not any(field in whole for field in OF_ANSWER):
        raise Failure("invalid_response", "Expected an answer with candidates.")
    reading.chunk(whole)
    reading.failure()


def read_stream(response: Answer, reading: Reading) -> None:
    """Take the chunks of a stream. It has no last event of its own: it is whole if one of them says how it ended."""
    try:
        for chunk in wire.read_events(response):
            if chunk == "[DONE]":
                break
            wire.refuse(chunk, KINDS)
            reading.chunk(chunk)
        reading.failure()
        if not reading.ending.keys() & {"finishReason", "blockReason"}:
            raise Failure("stream_interrupted", "The stream ended without a finishReason.", "interrupted")
    finally:
        reading.close()


def read_usage(usage: Json) -> Json:
    """What was counted [GEMINI-13]; of what is counted, a count of 0 is left out."""
    asked, thought = usage.get("promptTokenCount"), usage.get("thoughtsTokenCount")
    told = [count for count in (usage.get("candidatesTokenCount"), thought) if count is not None]
    given = [count for count in (asked, usage.get("toolUsePromptTokenCount")) if count is not None]
    return {
        "input_tokens": sum(given) if given else None,
        "output_tokens": sum(told) if told or asked is not None else None,
        "cache_read_tokens": usage.get("cachedContentTokenCount"),
        "cache_write_tokens": None,
        "reasoning_tokens": thought,
    }


def told(failure: Failure) -> Failure:
    """A failure with what an error says in its words and its details: its name, how long to wait, and what is wrong."""
    said = failure.said if isinstance(failure.said, dict) else {}
    details = [detail for detail in said.get("details") or [] if isinstance(detail, dict)]
    waits = [wait for wait in (wire.duration_ms(detail.get("retryDelay")) for detail in details) if wait is not None]
    if isinstance(said.get("status"), str):
        failure.error["code"] = said["status"]
    if waits:
        failure.error.setdefault("retry_after_ms", waits[0])  # [GEMINI-12]
    if any(detail.get("reason") == "API_KEY_INVALID" for detail in details):
        failure.error["kind"] = "authentication"  # [GEMINI-19]
    if failure.error["kind"] == "invalid_request" and OVERFLOW.search(failure.error["message"]):
        failure.error["kind"] = "context_window_exceeded"  # [GEMINI-18]
    return failure
