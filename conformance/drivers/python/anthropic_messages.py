"""The adapter for Anthropic's Messages API: spec/providers/anthropic-messages.md."""

from __future__ import annotations

from http.client import HTTPResponse
from itertools import takewhile
from typing import Any, Dict, List, Tuple, Union

import wire
from anthropic_settings import anthropic_settings
from translate import Listen, Model, Streamed, arguments_of, join, parse_arguments, runs, text_of
from wire import Failure, Json

PROVIDER = "anthropic-messages"
OF_RESPONSE = ("container", "stop_sequence", "thread")  # what is opaque in a message, and no field of its block
DOCUMENTS = ("application/pdf", "text/plain")
ID_RULE, NAME_RULE = "[a-zA-Z0-9_-]+", "[a-zA-Z0-9_-]{1,128}"

STOP_REASONS: Dict[Any, str] = {
    **{"end_turn": "end_turn", "tool_use": "tool_use", "max_tokens": "max_tokens", "stop_sequence": "stop_sequence"},
    **{"pause_turn": "pause", "refusal": "refusal", "model_context_window_exceeded": "context_window_exceeded"},
}
KINDS: Dict[Any, str] = {
    **{400: "invalid_request", 401: "authentication", 402: "permission", 403: "permission", 404: "not_found"},
    **{408: "timeout", 413: "request_too_large", 429: "rate_limit", 503: "overloaded", 504: "timeout"},
    **{529: "overloaded", "invalid_request_error": "invalid_request", "authentication_error": "authentication"},
    **{"billing_error": "permission", "permission_error": "permission", "not_found_error": "not_found"},
    **{"timeout_error": "timeout", "request_too_large": "request_too_large", "rate_limit_error": "rate_limit"},
    **{"overloaded_error": "overloaded"},
}


class AnthropicMessages:
    """A model behind the Messages API."""

    def __init__(self, base_url: str, api_key: str, model: str, transport: str, wait: wire.Wait = wire.at_once) -> None:
        self.url = f"{base_url}/v1/messages"
        self.headers = {"x-api-key": api_key, "anthropic-version": "2023-06-01"}
        self.model, self.wait = model, wait
        self.settings = {"stream": True} if transport == "sse" else {}

    def invoke(self, request: Json, listen: Listen) -> Json:
        """One model call. A failure is a response, with what the model had said before it."""
        model = Model(PROVIDER, self.model, ID_RULE, NAME_RULE, request, listen)
        answer: Json = {"content": []}  # the body of the response, or what of it was streamed
        failed: Json = {}
        try:
            body = render(model, request)
            with wire.post(self.url, self.headers, {**body, **self.settings}, self.wait) as response, wire.readable():
                if wire.is_stream(response):
                    read_stream(model, response, answer, Streamed(listen))
                else:
                    whole = wire.read_json(response, KINDS)
                    read(model, whole)  # or it cannot be read
                    answer.update(whole)
        except Failure as failure:
            failed = failure.as_response(PROVIDER)
        raw = answer.get("stop_reason")
        return {
            "messages": read(model, answer),
            "stop_reason": STOP_REASONS.get(raw, "other"),
            "raw_stop_reason": raw,
            "usage": read_usage(answer.get("usage") or {}),
            "provider": PROVIDER,
            **({"model": answer["model"]} if answer.get("model") else {}),
            **failed,
        }


# Requests


def render(model: Model, request: Json) -> Json:
    messages = model.known(request["messages"])
    leading = list(takewhile(lambda message: message.get("role") == "system", messages))
    system = "\n\n".join(message["content"] for message in leading if message["content"].strip())
    tools = [{**tool_fields(tool), "name": model.name(tool["name"])} for tool in request["tools"]]
    opaque = [model.opaque(message) for message in messages]
    settings = anthropic_settings(model, request)
    cached = {key: settings[key] for key in ("cache_control",) if key in settings}
    containers = [fields["container"]["id"] for fields in opaque if "container" in fields]
    return {
        "model": model.made_by["model"],
        **settings,
        **({"system": [{"type": "text", "text": system, **cached}] if cached else system} if system else {}),
        **({"tools": tools} if tools else {}),
        **({"container": containers[-1]} if containers else {}),
        "messages": render_messages(model, runs(messages[len(leading) :], results_as="user")),
    }


def tool_fields(tool: Json) -> Json:
    return {key: tool[key] for key in ("name", "description", "input_schema") if key in tool}


def render_messages(model: Model, found: List[Tuple[str, List[Json]]]) -> List[Json]:
    rendered: List[Json] = []
    for index, (role, run) in enumerate(found):
        if role == "system":
            before, after = found[index - 1] if index else None, found[index + 1 : index + 2]
            follows = before and (before[0] == "user" or before[1][-1].get("type") == "provider_item")
            if not follows or after and after[0][0] != "assistant":  # [ANTHROPIC-7]
                raise Failure("unsupported", "A system message cannot stand here; put it after what the user said.")
            rendered.append({"role": role, "content": "\n\n".join(message["content"] for message in run)})
            continue
        if role == "user":
            run = sorted(run, key=lambda message: message.get("type") != "tool_result")  # [ANTHROPIC-3]
        content = [block for message in run for block in blocks(model, message)]
        if content and rendered and rendered[-1]["role"] == role:  # what stood between them was left out
            rendered[-1]["content"] += content
        elif content:
            rendered.append({"role": role, "content": content})
    return rendered


def blocks(model: Model, message: Json) -> List[Json]:
    kind = message.get("type") or message["role"]
    opaque = {key: value for key, value in model.opaque(message).items() if key not in OF_RESPONSE}
    if kind == "thinking":
        if "redacted" in opaque:
            return [{"type": "redacted_thinking", "data": opaque.pop("redacted"), **opaque}]
        if "signature" in opaque:
            return [{"type": "thinking", "thinking": message["content"], **opaque}]
        model.warn("thinking_dropped", "Thinking goes back only to the model that signed it.")
        return []
    if kind == "provider_item":
        item = model.item(message)
        return [item] if item else []
    if kind == "tool_call":
        call = {"id": model.id(message["id"]), "name": model.name(message["name"]), "input": arguments_of(message)}
        return [{"type": "tool_use", **call, **opaque}]
    if kind == "tool_result":
        output = message["output"] if isinstance(message["output"], str) else parts(model, message["output"])
        failed = {"is_error": True} if message.get("is_error") else {}
        return [{"type": "tool_result", "tool_use_id": model.id(message["id"]), "content": output, **failed}]
    rendered = [{**block, **opaque} for block in parts(model, message["content"])]
    if not rendered:
        model.warn("empty_message_dropped", f"A message with role {kind} has nothing that can be sent.")
    return rendered


def parts(model: Model, content: Union[str, List[Json]]) -> List[Json]:
    rendered = []
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        kind, media_type = part["type"], part.get("media_type")
        source = {"type": "base64", "media_type": media_type, "data": part.get("data")}
        if "url" in part:
            source = {"type": "url", "url": part["url"]}
        elif kind == "document" and media_type == "text/plain":
            source = {"type": "text", "media_type": media_type, "data": text_of(part)}
        if kind == "text":
            rendered += [{"type": "text", "text": part["text"]}] if part["text"].strip() else []  # [ANTHROPIC-8]
        elif kind == "image" or kind == "document" and ("url" in part or media_type in DOCUMENTS):
            rendered.append({"type": kind, "source": source, **({"title": part["title"]} if "title" in part else {})})
        else:
            model.warn("part_dropped", f"There is no place for a part of type {kind} and media type {media_type}.")
    return rendered


# Responses

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


def read_stream(model: Model, response: HTTPResponse, answer: Json, streamed: Streamed) -> None:
    """Build the body that the same answer would have had without streaming, as far as the stream goes."""
    found: Dict[int, Json] = {}
    pieces: Pieces = {}
    try:
        for data in wire.read_events(response):
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
