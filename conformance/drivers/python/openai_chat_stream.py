"""The stream of a Chat Completion, made into the message that would have come without it."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import wire
from openai_chat_message import MARKS, REASONING, calls_of, read, read_call, says
from translate import Model, Streamed
from wire import Answer, Failure, Json

BESIDE = ("citations", "search_results")  # what some servers say beside the choices [CHAT-36]
# The fields that are streamed in pieces; every other one is whole when it comes.
PIECES = (*REASONING, "content", "refusal", "arguments", "input", "text", "thinking", "summary", "data", "transcript")
# What is not merged into the message: calls have their own way, and the rest says nothing.
NOT_MERGED = (*MARKS, "role", "tool_calls", "function_call")

KINDS: Dict[Any, str] = {
    **{400: "invalid_request", 401: "authentication", 402: "quota", 403: "permission", 404: "not_found"},
    **{408: "timeout", 413: "request_too_large", 422: "invalid_request", 429: "rate_limit", 503: "overloaded"},
    **{504: "timeout", 529: "overloaded", "invalid_request_error": "invalid_request"},
    **{"invalid_api_key": "authentication", "authentication_error": "authentication"},
    **{"insufficient_quota": "quota", "billing_not_active": "quota", "billing_hard_limit_reached": "quota"},
    **{"permission_error": "permission", "timeout": "timeout"},
    **{"model_not_found": "not_found", "not_found_error": "not_found", "rate_limit_exceeded": "rate_limit"},
    **{"rate_limit_error": "rate_limit", "overloaded_error": "overloaded", "engine_overloaded": "overloaded"},
}


def read_stream(model: Model, response: Answer, answer: Json, streamed: Streamed) -> None:
    """Build the choice that the same answer would have had without streaming, as far as the stream goes."""
    message: Json = {}
    chosen = False
    try:
        for data in wire.read_events(response):
            if data == "[DONE]":
                if not chosen:  # [CHAT-41]
                    raise Failure("stream_interrupted", "The stream ended without a choice.", "interrupted")
                return
            if data.get("error"):
                wire.fail(None, data["error"], KINDS)
            choice: Json = next((choice for choice in data.get("choices") or [] if not choice.get("index")), {})
            chosen = chosen or bool(choice)
            news = {key: data.get(key) for key in ("model", "usage", *BESIDE)}
            news["finish_reason"] = choice.get("finish_reason")
            answer.update({key: value for key, value in news.items() if value})
            whole = {} if says(message) else choice.get("message")  # [CHAT-39]
            add_delta(model, message, choice.get("delta") or whole or {}, streamed)
            if choice.get("error"):  # beside what came of the text [CHAT-18]
                wire.fail(None, choice["error"], KINDS)
        if "finish_reason" not in answer:  # [CHAT-17]
            raise Failure("stream_interrupted", "The stream ended without finish_reason and [DONE].", "interrupted")
    finally:
        try:
            for call in message.get("tool_calls", []):
                streamed.piece(id(call), "", read_call(model, call))
        finally:  # also where a call is one too many
            streamed.end_all()
            answer["message"] = json.loads(json.dumps(message))  # surrogate pairs that were cut in two are whole again


def add_delta(model: Model, message: Json, delta: Json, streamed: Streamed) -> None:
    told = {field: delta.get(field) for field in (*REASONING, "content")}
    for piece in read(model, told):  # a delta is a small message
        if piece.get("type") != "provider_item":
            streamed.piece(piece.get("type", "text"), piece["content"], {**piece, "content": ""})
    streamed.piece("refusal", delta.get("refusal") or "", {"role": "assistant", "content": ""})
    for part in calls_of(delta):
        calls = message.setdefault("tool_calls", [])
        before = calls[-1:]
        call = place(calls, part)
        if before and before[0] is not calls[-1] and (before[0].get("function") or {}).get("name"):  # it has its name
            streamed.piece(id(before[0]), "", read_call(model, before[0]))
        known, name = call.get("function") or {}, (part.get("function") or {}).get("name")
        if name and known.get("name") not in (None, "", name) and not known.get("arguments"):  # in pieces [CHAT-26]
            known["name"] += name
        merge(call, part)
        written = (part.get("function") or {}).get("arguments") or (part.get("custom") or {}).get("input") or ""
        written = written if isinstance(written, str) else json.dumps(written)
        if written:  # before that, more of the name may come
            streamed.piece(id(call), written, read_call(model, call))
    merge(message, {field: value for field, value in delta.items() if field not in NOT_MERGED})


def merge(whole: Json, piece: Json) -> None:
    """Add a piece of an object to what there is of it."""
    for field, value in piece.items():
        begun = whole.get(field)
        if isinstance(value, str) and isinstance(begun, list):  # a server that goes on in the short form
            value = [{"type": "text", "text": value}] if value else []
        if field in PIECES and isinstance(begun, str) and isinstance(value, str):
            whole[field] = begun + value
        elif isinstance(begun, dict) and isinstance(value, dict):
            merge(begun, value)
        elif isinstance(value, list):
            whole[field] = [{"type": "text", "text": begun}] if begun and isinstance(begun, str) else begun or []
            for item in value:
                merge(place(whole[field], item), item)
        elif begun in (None, "", [], {}) and value is not None:  # what is said again, an id or a name, is not said twice
            whole[field] = value


def place(items: List[Json], piece: Json) -> Json:
    """The item of a list to which a piece belongs, or a new one."""
    index, kind, id = piece.get("index"), piece.get("type"), piece.get("id")
    named = (piece.get("function") or piece.get("custom") or {}).get("name")
    goes_on = index is not None or kind in (None, "text", "thinking", "function")
    for item in reversed(items) if index is not None else items[-1:]:
        if goes_on and item.get("index") == index and kind in (None, item.get("type", kind)):
            if named and id and item.get("id") not in (None, "", id):  # another call under the same index [CHAT-11]
                break
            return item
    items.append({})
    return items[-1]
