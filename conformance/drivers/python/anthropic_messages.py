"""The adapter for Anthropic's Messages API: spec/providers/anthropic-messages.md."""

from __future__ import annotations

import base64
from http.client import HTTPResponse
from itertools import takewhile
from typing import Any, Dict, List, Tuple, Union

import wire
from wire import Failure, Json, Listen

PROVIDER = "anthropic-messages"
MAX_TOKENS = 4096
LEGAL = "[a-zA-Z0-9_-]"

EMPTY: Json = {"content": "", "input": {}}

STOP_REASONS = {
    "end_turn": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "stop_sequence": "stop_sequence",
    "pause_turn": "pause",
    "refusal": "refusal",
    "model_context_window_exceeded": "context_window_exceeded",
}
KINDS: Dict[Union[int, str], str] = {
    **{400: "invalid_request", 401: "authentication", 402: "permission", 403: "permission", 404: "not_found"},
    **{408: "timeout", 413: "request_too_large", 429: "rate_limit", 503: "overloaded", 504: "timeout", 529: "overloaded"},
    **{"invalid_request_error": "invalid_request", "authentication_error": "authentication"},
    **{"billing_error": "permission", "permission_error": "permission", "not_found_error": "not_found"},
    **{"timeout_error": "timeout", "request_too_large": "request_too_large", "rate_limit_error": "rate_limit"},
    **{"overloaded_error": "overloaded"},
}


class AnthropicMessages:
    """A model behind the Messages API."""

    def __init__(self, base_url: str, api_key: str, model: str, transport: str) -> None:
        self.url = f"{base_url}/v1/messages"
        self.headers = {"x-api-key": api_key, "anthropic-version": "2023-06-01"}
        self.model = model
        self.streams = transport == "sse"

    def invoke(self, request: Json, listen: Listen) -> Json:
        """One model call. A failure is a response, with what the model had said before it."""
        answer: Json = {"content": []}  # the body of the response, or what of it was streamed
        reader = Reader(self.model, request["tools"])
        failed: Json = {}
        try:
            body = Renderer(self.model, listen).render(request)
            response = wire.post(self.url, self.headers, {**body, **({"stream": True} if self.streams else {})})
            with response, wire.readable():
                if wire.is_stream(response):
                    read_stream(response, answer, reader, listen)
                else:
                    whole = wire.read_json(response, KINDS)
                    reader.messages(whole)  # or it cannot be read
                    answer.update(whole)
        except Failure as failure:
            failed = failure.as_response(PROVIDER)
        raw = answer.get("stop_reason")
        return {
            "messages": reader.messages(answer),
            "stop_reason": STOP_REASONS.get(raw, "other"),
            "raw_stop_reason": raw,
            "usage": read_usage(answer.get("usage") or {}),
            "provider": PROVIDER,
            **({"model": answer["model"]} if answer.get("model") else {}),
            **failed,
        }


class Renderer:
    """Makes a request of a generic one, and warns of what the format cannot carry."""

    def __init__(self, model: str, listen: Listen) -> None:
        self.model = model
        self.warn = wire.Warnings(listen)

    def render(self, request: Json) -> Json:
        messages = self.warn.known(request["messages"])
        leading = list(takewhile(lambda message: message.get("role") == "system", messages))
        system = "\n\n".join(message["content"] for message in leading if message["content"].strip())
        containers = [message["opaque"]["container"] for message in messages if self.made(message) and "container" in message["opaque"]]
        tools = [{**tool_fields(tool), "name": self.legal(tool["name"], 128)} for tool in request["tools"]]
        return {
            "model": self.model,
            "max_tokens": MAX_TOKENS,
            **({"system": system} if system else {}),
            **({"tools": tools} if tools else {}),
            **({"container": containers[-1]["id"]} if containers else {}),
            "messages": self.messages(wire.runs(messages[len(leading) :], results_as="user")),
        }

    def messages(self, runs: List[Tuple[str, List[Json]]]) -> List[Json]:
        rendered = []
        for index, (role, run) in enumerate(runs):
            if role == "system":
                before, after = runs[index - 1 : index], runs[index + 1 : index + 2]
                follows = before and (before[0][0] == "user" or before[0][1][-1].get("type") == "provider_item")
                if not follows or after and after[0][0] != "assistant":  # [ANTHROPIC-7]
                    raise Failure("unsupported", "A system message has no place here: put it after a user message or a tool result.")
                rendered.append({"role": role, "content": "\n\n".join(message["content"] for message in run)})
                continue
            run = sorted(run, key=lambda message: role == "user" and message.get("type") != "tool_result")  # [ANTHROPIC-3]
            content = [block for message in run for block in self.blocks(message)]
            if content:
                rendered.append({"role": role, "content": content})
        return rendered

    def blocks(self, message: Json) -> List[Json]:
        kind = message.get("type") or message["role"]
        opaque = message["opaque"] if self.made(message) else {}
        kept = {key: value for key, value in opaque.items() if key not in ("provider", "model", "container")}
        if kind == "thinking":
            if "redacted" in kept:
                return [{"type": "redacted_thinking", "data": kept.pop("redacted"), **kept}]
            if "signature" in kept:
                return [{"type": "thinking", "thinking": message["content"], **kept}]
            return self.warn("thinking_dropped", "Thinking goes back only to the model that signed it.")
        if kind == "provider_item":
            if (message["provider"], message.get("model")) == (PROVIDER, self.model):
                return [message["item"]]
            return self.warn("provider_item_dropped", f"An item of {message['provider']} goes back only to the model that made it.")
        if kind == "tool_call":
            name, arguments = self.legal(message["name"], 128), wire.arguments_of(message)
            return [{"type": "tool_use", "id": self.legal(message["id"]), "name": name, "input": arguments, **kept}]
        if kind == "tool_result":
            output = message["output"] if isinstance(message["output"], str) else self.parts(message["output"])
            failed = {"is_error": True} if message.get("is_error") else {}
            return [{"type": "tool_result", "tool_use_id": self.legal(message["id"]), "content": output, **failed}]
        blocks = self.parts(message["content"])
        if not blocks:
            return self.warn("empty_message_dropped", f"A message with role {kind} has nothing that can be sent.")
        return [{**block, **kept} for block in blocks]

    def parts(self, content: Union[str, List[Json]]) -> List[Json]:
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return [block for part in parts for block in self.part(part)]

    def part(self, part: Json) -> List[Json]:
        kind, media_type = part["type"], part.get("media_type")
        if kind == "text":
            return [{"type": "text", "text": part["text"]}] if part["text"].strip() else []  # [ANTHROPIC-8]
        source = {"type": "base64", "media_type": media_type, "data": part.get("data")}
        if "url" in part:
            source = {"type": "url", "url": part["url"]}
        elif kind == "document" and media_type == "text/plain":
            text = base64.b64decode(part["data"]).decode("utf-8", "replace")
            source = {"type": "text", "media_type": media_type, "data": text}
        if kind == "image" or kind == "document" and ("url" in part or media_type in ("application/pdf", "text/plain")):
            return [{"type": kind, "source": source, **({"title": part["title"]} if "title" in part else {})}]
        return self.warn("part_dropped", f"The format has no place for a part of type {kind}, {media_type or 'without media type'}.")

    def made(self, message: Json) -> bool:
        """Whether this model made what is opaque in a message [PROVIDER-8]."""
        opaque = message.get("opaque") or {}
        return (opaque.get("provider"), opaque.get("model")) == (PROVIDER, self.model)

    def legal(self, name: str, limit: int = 1000) -> str:
        return self.warn.mapped(name, wire.legal(name, LEGAL, limit))


def tool_fields(tool: Json) -> Json:
    return {key: tool[key] for key in ("name", "description", "input_schema") if key in tool}


class Reader:
    """Makes messages of blocks."""

    def __init__(self, model: str, tools: List[Json]) -> None:
        self.model = model
        self.names = {wire.legal(tool["name"], LEGAL, 128): tool["name"] for tool in tools}

    def messages(self, answer: Json) -> List[Json]:
        messages = [message for block in answer["content"] for message in [self.message(block)] if message.get("content") != "" or "role" not in message]
        if messages and answer.get("container"):
            opaque = messages[-1].get("opaque", {"provider": PROVIDER, "model": self.model})
            messages[-1]["opaque"] = {**opaque, "container": answer["container"]}
        return messages

    def message(self, block: Json) -> Json:
        rest = {key: value for key, value in block.items() if key != "type" and value not in (None, "", [])}
        if block["type"] == "text":
            message: Json = {"role": "assistant", "content": rest.pop("text", "")}
        elif block["type"] == "thinking":
            message = {"type": "thinking", "content": rest.pop("thinking", "")}
        elif block["type"] == "redacted_thinking":
            message, rest = {"type": "thinking", "content": ""}, {"redacted": rest.pop("data", ""), **rest}
        elif block["type"] == "tool_use":
            name = rest.pop("name", "")
            message = {"type": "tool_call", "id": rest.pop("id", ""), "name": self.names.get(name, name)}
            message.update(wire.parse_arguments(rest.pop("input", None)))
        else:
            return {"type": "provider_item", "provider": PROVIDER, "model": self.model, "item": block}
        if rest or message.get("type") == "thinking":
            message["opaque"] = {"provider": PROVIDER, "model": self.model, **rest}
        return message


def read_stream(response: HTTPResponse, answer: Json, reader: Reader, listen: Listen) -> None:
    """Build the body that the same answer would have had without streaming, as far as the stream goes."""
    blocks: Dict[int, Json] = {}
    pieces: Dict[Tuple[int, str], List[str]] = {}
    streamed = wire.Streamed(listen)
    try:
        for data in wire.read_events(response):
            kind, index = data.get("type"), data.get("index")
            if kind == "message_start":
                answer.update({**data["message"], "content": []})
            elif kind == "content_block_start":
                block = data["content_block"]
                message = reader.message(block)
                streamed.piece(index, message.get("content", ""), {**message, **{k: v for k, v in EMPTY.items() if k in message}})
                blocks[index] = block
            elif kind == "content_block_delta":
                add_delta(blocks[index], index, data["delta"], pieces, streamed)
            elif kind == "content_block_stop":
                streamed.end(index)
            elif kind == "message_delta":
                answer.update(data["delta"])
                answer["usage"] = {**(answer.get("usage") or {}), **{k: v for k, v in (data.get("usage") or {}).items() if v is not None}}
            elif kind == "error":
                wire.fail(None, data.get("error"), KINDS)
            elif kind == "message_stop":
                return
        raise Failure("stream_interrupted", "The stream ended without message_stop.", "interrupted")  # [ANTHROPIC-16]
    finally:
        streamed.end_all()
        for (index, field), written in pieces.items():
            begun = blocks[index].get(field)
            blocks[index][field] = wire.join([begun if isinstance(begun, str) else "", *written])
        for block in blocks.values():
            if block["type"] != "tool_use" and isinstance(block.get("input"), str):
                block["input"] = wire.parse_arguments(block["input"])["input"]
        answer["content"] = [blocks[index] for index in sorted(blocks)]


def add_delta(block: Json, index: int, delta: Json, pieces: Dict[Tuple[int, str], List[str]], streamed: "wire.Streamed") -> None:
    for field, value in delta.items():
        if field == "citation":
            block["citations"] = [*(block.get("citations") or []), value]
        elif field != "type" and isinstance(value, str):
            field = "input" if field == "partial_json" else field
            pieces.setdefault((index, field), []).append(value)
            if field in ("text", "thinking", "input") and block["type"] in ("text", "thinking", "tool_use"):
                streamed.piece(index, value, {"role": "assistant", "content": ""})


def read_usage(usage: Json) -> Json:
    read, written, fresh = (usage.get(key) for key in ("cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens"))
    return {
        "input_tokens": None if fresh is None else fresh + (read or 0) + (written or 0),  # [ANTHROPIC-19]
        "output_tokens": usage.get("output_tokens"),
        "cache_read_tokens": read,
        "cache_write_tokens": written,
        "reasoning_tokens": (usage.get("output_tokens_details") or {}).get("thinking_tokens"),
    }
