"""The answer of the Messages API, whole or streamed, read as messages."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import wire
from translate import Model, Streamed, join, parse_arguments
from wire import Answer, Failure, Json

KINDS: Dict[Any, str] = {
    **{400: "invalid_request", 401: "authentication", 402: "quota", 403: "permission", 404: "not_found"},
    **{408: "timeout", 413: "request_too_large", 429: "rate_limit", 503: "overloaded", 504: "timeout"},
    **{529: "overloaded", "invalid_request_error": "invalid_request", "authentication_error": "authentication"},
    **{"billing_error": "quota", "permission_error": "permission", "not_found_error": "not_found"},
    **{"timeout_error": "timeout", "request_too_large": "request_too_large", "rate_limit_error": "rate_limit"},
    **{"overloaded_error": "overloaded"},
}
# The events that a streamed answer is made of; what others have as data may be anything. [ANTHROPIC-17]
EVENTS = (
    *("message_start", "message_delta", "message_stop", "error"),
    *("content_block_start", "content_block_delta", "content_block_stop"),
)
Pieces = Dict[Tuple[int, str], List[str]]  # what was streamed of each field of each block


def read(model: Model, answer: Json) -> List[Json]:
    messages = [read_block(model, block) for block in answer["content"]]
    messages = [message for message in messages if "role" not in message or message["content"]]
    kept = {key: answer[key] for key in ("container", "stop_sequence") if answer.get(key)}  # [ANTHROPIC-22]
    if messages and kept:
        messages[-1]["opaque"] = {**messages[-1].get("opaque", model.made_by), **kept}
    return messages


def read_block(model: Model, block: Json) -> Json:
    rest = {key: value for key, value in block.items() if key != "type" and value not in (None, "", [])}
    if block["type"] == "text":
        text = {"role": "assistant", "content": rest.pop("text", "")}
        return {**text, **({"opaque": {**model.made_by, **rest}} if rest else {})}
    if block["type"] == "thinking":
        return {"type": "thinking", "content": rest.pop("thinking", ""), "opaque": {**model.made_by, **rest}}
    if block["type"] == "redacted_thinking":
        redacted = {"redacted": rest.pop("data", ""), **rest}
        return {"type": "thinking", "content": "", "opaque": {**model.made_by, **redacted}}
    if block["type"] == "tool_use":
        written = parse_arguments(rest.pop("input", None))
        return model.tool_call(rest.pop("id", ""), rest.pop("name", ""), written, rest)
    return {"type": "provider_item", **model.made_by, "item": block}


def read_stream(model: Model, response: Answer, answer: Json, streamed: Streamed) -> None:
    """Build the body that the same answer would have had without streaming, as far as the stream goes."""
    found: Dict[int, Json] = {}
    pieces: Pieces = {}
    try:
        for data in wire.read_events(response, EVENTS):
            kind, index = data.get("type"), data.get("index")
            if kind == "message_start":
                answer.update({**data["message"], "content": []})
            elif kind == "content_block_start":
                message = read_block(model, data["content_block"])
                found[index] = data["content_block"]
                streamed.piece(index, message.get("content", ""), message)
            elif kind == "content_block_delta":
                add_delta(found[index], index, data["delta"], pieces, streamed)
            elif kind == "content_block_stop":
                streamed.end(index)
            elif kind == "message_delta":
                told = {key: count for key, count in (data.get("usage") or {}).items() if count is not None}
                answer.update({**data["delta"], "usage": {**(answer.get("usage") or {}), **told}})
            elif kind == "error":
                wire.fail(None, data.get("error"), KINDS)
            elif kind == "message_stop":
                return
        raise Failure("stream_interrupted", "The stream ended without message_stop.", "interrupted")  # [ANTHROPIC-16]
    finally:
        streamed.end_all()
        for (index, field), written in pieces.items():
            begun = found[index].get(field)
            found[index][field] = join([begun if isinstance(begun, str) else "", *written])
        for block in found.values():
            if block["type"] != "tool_use" and isinstance(block.get("input"), str):
                block["input"] = parse_arguments(block["input"])["input"]
        answer["content"] = [found[index] for index in sorted(found)]


def add_delta(block: Json, index: int, delta: Json, pieces: Pieces, streamed: Streamed) -> None:
    for field, value in delta.items():
        if field == "citation":
            block["citations"] = [*(block.get("citations") or []), value]
        elif field != "type" and isinstance(value, str):
            field = "input" if field == "partial_json" else field
            pieces.setdefault((index, field), []).append(value)
            if field == {"text": "text", "thinking": "thinking", "tool_use": "input"}.get(block["type"]):
                streamed.piece(index, value, {"role": "assistant", "content": ""})


def read_usage(usage: Json) -> Json:
    cached, stored = usage.get("cache_read_input_tokens"), usage.get("cache_creation_input_tokens")
    fresh: Any = usage.get("input_tokens")
    return {
        "input_tokens": None if fresh is None else fresh + (cached or 0) + (stored or 0),  # [ANTHROPIC-19]
        "output_tokens": usage.get("output_tokens"),
        "cache_read_tokens": cached,
        "cache_write_tokens": stored,
        "reasoning_tokens": (usage.get("output_tokens_details") or {}).get("thinking_tokens"),
    }
