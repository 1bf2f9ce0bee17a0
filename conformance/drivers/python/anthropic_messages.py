"""The adapter for Anthropic's Messages API: spec/loop/providers/anthropic-messages.md."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, Dict, List, Tuple, Union

import wire
from anthropic_answer import KINDS, read, read_stream, read_usage
from anthropic_settings import anthropic_settings
from bounds import DEFAULTS
from letters import whole_letters
from translate import (
    SILENT_FAILURE,
    Listen,
    Model,
    Streamed,
    arguments_of,
    runs,
    text_of,
    without_unanswered,
)
from wire import Failure, Json

PROVIDER = "anthropic-messages"
OF_RESPONSE = ("container", "stop_sequence", "thread")  # what is opaque in a message, and no field of its block
DOCUMENTS = ("application/pdf", "text/plain")
ID_RULE, NAME_RULE = "[a-zA-Z0-9_-]+", "[a-zA-Z0-9_-]{1,128}"

STOP_REASONS: Dict[Any, str] = {
    **{"end_turn": "end_turn", "tool_use": "tool_use", "max_tokens": "max_tokens", "stop_sequence": "stop_sequence"},
    **{"pause_turn": "pause", "refusal": "refusal", "model_context_window_exceeded": "context_window_exceeded"},
}


class AnthropicMessages:
    """A model behind the Messages API."""

    def __init__(self, base_url: str, api_key: str, model: str, transport: str, wait: wire.Wait = wire.at_once) -> None:
        self.url = f"{base_url}/v1/messages"
        self.headers = {"x-api-key": api_key, "anthropic-version": "2023-06-01"}
        self.api_key, self.model, self.wait = api_key, model, wait
        self.settings = {"stream": True} if transport == "sse" else {}

    def invoke(self, request: Json, listen: Listen, bounds: Json = DEFAULTS) -> Json:
        """One model call. A failure is a response, with what the model had said before it."""
        model = Model(PROVIDER, self.model, ID_RULE, NAME_RULE, request, listen)
        answer: Json = {"content": []}  # the body of the response, or what of it was streamed
        failed: Json = {}
        try:
            body = render(model, request)
            with wire.post(self.url, self.headers, {**body, **self.settings}, self.wait, bounds) as response, wire.readable():
                if wire.is_stream(response):
                    read_stream(model, response, answer, Streamed(listen))
                else:
                    whole = wire.read_json(response, KINDS)
                    read(model, whole)  # or it cannot be read
                    answer.update(whole)
        except Failure as failure:
            failed = failure.as_response(PROVIDER, self.api_key)
        messages, raw = read(model, answer), answer.get("stop_reason") or None
        without = "tool_use" if any(message.get("type") == "tool_call" for message in messages) else "end_turn"
        return {
            "messages": whole_letters(messages),  # [PROVIDER-47]
            "stop_reason": STOP_REASONS.get(raw, "other") if raw else without,  # [ANTHROPIC-30]
            "raw_stop_reason": raw,
            "usage": read_usage(answer.get("usage") or {}),
            "provider": PROVIDER,
            **({"model": answer["model"]} if answer.get("model") else {}),
            **failed,
        }


# Requests


def render(model: Model, request: Json) -> Json:
    messages = [message for message in answered(model, model.known(request["messages"])) if says_something(model, message)]
    leading = list(takewhile(lambda message: message.get("role") == "system", messages))
    system = "\n\n".join(message["content"] for message in leading)
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


def answered(model: Model, messages: List[Json]) -> List[Json]:
    """The messages without calls of the server's own tools that never got a result."""
    kinds = ("server_tool_use", "mcp_tool_use")
    return without_unanswered(
        model, messages, lambda item: item.get("id") if item.get("type") in kinds else None, lambda item: item.get("tool_use_id")
    )


def says_something(model: Model, message: Json) -> bool:
    """False for a system message of nothing but white space. [ANTHROPIC-8]"""
    if message.get("role") != "system" or message["content"].strip():
        return True
    model.warn("empty_message_dropped", "A message with role system has nothing that can be sent.")
    return False


def tool_fields(tool: Json) -> Json:
    return {key: tool[key] for key in ("name", "description", "input_schema") if key in tool}


def render_messages(model: Model, found: List[Tuple[str, List[Json]]]) -> List[Json]:
    rendered: List[Json] = []
    for role, run in found:
        content = content_of(model, role, run)
        before: Json = rendered[-1] if rendered else {"role": None}
        if content and is_misplaced(role, before):  # [ANTHROPIC-7]
            raise Failure("unsupported", "A system message cannot stand here; put it after what the user said.")
        if content and before["role"] == role:  # what stood between them was left out
            before["content"] += f"\n\n{content}" if role == "system" else content
        elif content:
            rendered.append({"role": role, "content": content})
    return rendered


def content_of(model: Model, role: str, run: List[Json]) -> Any:
    if role == "system":
        return "\n\n".join(message["content"] for message in run)
    if role == "user":
        run = sorted(run, key=lambda message: message.get("type") != "tool_result")  # [ANTHROPIC-3]
    content = [block for message in run for block in blocks(model, message)]
    content.sort(key=lambda block: role == "user" and block.get("type") != "tool_result")  # [ANTHROPIC-31]
    while content and content[-1].get("type") in ("thinking", "redacted_thinking"):  # [ANTHROPIC-9]
        content.pop()
        model.warn("thinking_dropped", "Thinking is sent only if something of its response follows it.")
    return content


def is_misplaced(role: str, before: Json) -> bool:
    """Whether a system message would get a neighbour that the API does not let it have. [ANTHROPIC-6]"""
    if role != "system":
        return role == "user" and before["role"] == "system"
    if before["role"] == "assistant":
        return not before["content"][-1].get("type", "").endswith("_tool_result")
    return before["role"] is None


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
        return result(model, message)
    rendered = [{**block, **opaque} for block in parts(model, message["content"])]
    if not rendered:
        model.warn("empty_message_dropped", f"A message with role {kind} has nothing that can be sent.")
    return rendered


def result(model: Model, message: Json) -> List[Json]:
    """A result, and, where it is an error, what the API refuses in one [ANTHROPIC-31]."""
    output = message["output"] if isinstance(message["output"], str) else parts(model, message["output"])
    block = {"type": "tool_result", "tool_use_id": model.id(message["id"])}
    if not message.get("is_error"):
        return [{**block, "content": output}]
    if isinstance(output, str):
        return [{**block, "content": output if output.strip() else SILENT_FAILURE, "is_error": True}]
    texts = [part for part in output if part["type"] == "text"]
    others = [part for part in output if part["type"] != "text"]
    if others:
        model.warn("part_moved", "Images and documents of an error stand behind the results.")
    return [{**block, "content": texts or SILENT_FAILURE, "is_error": True}, *others]


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


CLIENT = AnthropicMessages
