"""The adapter for OpenAI's Chat Completions API, and the many servers that speak it: spec/loop/providers/openai-chat.md."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, List, Tuple, Union

import wire
from bounds import DEFAULTS
from letters import whole_letters
from openai_chat_message import REASONING, read
from openai_chat_stream import BESIDE, KINDS, read_stream
from openai_settings import chat_settings
from translate import (
    SILENT_FAILURE,
    Listen,
    Model,
    Streamed,
    arguments_of,
    runs,
    text_of,
    written_arguments,
)
from wire import Failure, Json

PROVIDER = "openai-chat"
ID_RULE, NAME_RULE = "(?s:.{1,40})", "[a-zA-Z0-9_-]{1,64}"
STOP_REASONS = {
    **{"stop": "end_turn", "eos": "end_turn", "tool_calls": "tool_use", "function_call": "tool_use"},
    **{"length": "max_tokens", "model_length": "max_tokens", "content_filter": "content_filter", "error": "error"},
    # How other servers spell them. [CHAT-42]
    **{"tool_call": "tool_use", "eos_token": "end_turn", "end_turn": "end_turn", "end": "end_turn"},
    **{"max_tokens": "max_tokens"},
}


class OpenaiChat:
    """A model behind the Chat Completions API."""

    def __init__(self, base_url: str, api_key: str, model: str, transport: str, wait: wire.Wait = wire.at_once) -> None:
        self.url = f"{base_url}/chat/completions"
        self.headers = {"authorization": f"Bearer {api_key}"}
        self.api_key, self.model, self.wait = api_key, model, wait
        self.settings = {"stream": True, "stream_options": {"include_usage": True}} if transport == "sse" else {}

    def invoke(self, request: Json, listen: Listen, bounds: Json = DEFAULTS) -> Json:
        """One model call. A failure is a response, with what the model had said before it."""
        model = Model(PROVIDER, self.model, ID_RULE, NAME_RULE, request, listen)
        answer: Json = {"message": {}}  # the first choice, with what stands beside it: model and usage
        failed: Json = {}
        try:
            body = render(model, request)
            with wire.post(self.url, self.headers, {**body, **self.settings}, self.wait, bounds) as response, wire.readable():
                if wire.is_stream(response):
                    read_stream(model, response, answer, Streamed(listen))
                else:
                    whole = wire.read_json(response, KINDS)
                    choice = {"message": {}, **whole, **whole["choices"][0]}
                    read(model, choice["message"])  # or it cannot be read
                    answer.update(choice)
        except Failure as failure:
            failed = failure.as_response(PROVIDER, self.api_key)
        beside = {field: answer[field] for field in BESIDE if answer.get(field) and answer["message"].get("content")}
        messages, raw = read(model, {**answer["message"], **beside}), answer.get("finish_reason") or None
        calls = any(message.get("type") == "tool_call" for message in messages)
        stop_reason = STOP_REASONS.get(raw, "other") if raw else "tool_use" if calls else "end_turn"  # [CHAT-19]
        if stop_reason == "error" and not failed:
            ended = Failure("server_error", "The provider ended the response with an error.")
            failed = ended.as_response(PROVIDER, self.api_key)
        return {
            "messages": whole_letters(messages),  # [PROVIDER-47]
            "stop_reason": "refusal" if answer["message"].get("refusal") else stop_reason,  # [CHAT-16]
            "raw_stop_reason": raw,
            "usage": read_usage(answer.get("usage") or {}),
            "provider": PROVIDER,
            **({"model": answer["model"]} if answer.get("model") else {}),
            **failed,
        }


def read_usage(usage: Json) -> Json:
    asked, told = usage.get("prompt_tokens_details") or {}, usage.get("completion_tokens_details") or {}
    given, made, thought = usage.get("prompt_tokens"), usage.get("completion_tokens"), told.get("reasoning_tokens")
    cached = (asked.get("cached_tokens"), usage.get("prompt_cache_hit_tokens"), usage.get("cached_tokens"))
    if given and made and thought and usage.get("total_tokens") == given + made + thought:
        made += thought  # a server that counts its reasoning apart
    return {
        "input_tokens": given,
        "output_tokens": made,
        "cache_read_tokens": next((tokens for tokens in cached if tokens is not None), None),
        "cache_write_tokens": asked.get("cache_write_tokens"),
        "reasoning_tokens": thought,
    }


# Requests


def render(model: Model, request: Json) -> Json:
    messages = model.known(request["messages"])
    leading = list(takewhile(lambda message: message.get("role") == "system", messages))
    system = "\n\n".join(found["content"] for message in leading for found in said(model, message))
    rendered: List[Json] = [{"role": "system", "content": system}] if system else []
    for role, run in runs(messages[len(leading) :], results_as="tool"):
        if role == "assistant":
            rendered += assistant(model, run)
        elif role == "tool":
            rendered += results(model, run)
        else:
            rendered += [found for message in run for found in said(model, message)]
    tools = [{"type": "function", "function": function(model, tool)} for tool in request["tools"]]
    declared = {"tools": tools} if tools else {}
    return {"model": model.made_by["model"], "messages": rendered, **declared, **chat_settings(model, request)}


def function(model: Model, tool: Json) -> Json:
    described = {"description": tool["description"]} if "description" in tool else {}
    return {"name": model.name(tool["name"]), **described, "parameters": {"properties": {}, **tool["input_schema"]}}


def assistant(model: Model, run: List[Json]) -> List[Json]:
    text, fields, calls, others = "", {}, [], []
    for message in run:
        kind, opaque = message.get("type"), model.opaque(message)
        if kind == "tool_call":
            calls.append(call(model, message, opaque))
        elif kind == "thinking" and "part" in opaque:
            others.append(opaque["part"])
        elif kind == "thinking" and opaque.get("field") in REASONING:  # [CHAT-10]
            thought = opaque.get("reasoning_details", message["content"])
            before = fields.get(opaque["field"])
            fields[opaque["field"]] = before + thought if type(before) is type(thought) else thought
        elif kind == "thinking":
            model.warn("thinking_dropped", "Thinking goes back only to the model that made it.")
        elif kind == "provider_item":
            added, beside = item_of(model, message)
            others += added
            fields.update(beside)
        elif message["content"]:
            text += message["content"]
            fields.update(said_aloud(opaque))
        else:
            model.warn("empty_message_dropped", "A message with role assistant has nothing that can be sent.")
    content: Any = [*others, *([{"type": "text", "text": text}] if text else [])] if others else text or None
    if not (content or calls or "audio" in fields):
        if fields:
            model.warn("thinking_dropped", "Thinking is sent only if something of its response stands beside it.")
        return []
    return [{"role": "assistant", "content": content, **fields, **({"tool_calls": calls} if calls else {})}]


def item_of(model: Model, message: Json) -> Tuple[List[Json], Json]:
    """What a provider_item adds to an assistant message: a part of its content, or fields beside it."""
    item = model.item(message)
    if item is None:
        return [], {}
    if item.get("type", "message") != "message":
        return [item], {}
    aloud = said_aloud(item)
    if not aloud:
        model.warn("provider_item_dropped", "The API takes nothing back of what came beside a text but audio.")
    return [], aloud


def said_aloud(fields: Json) -> Json:
    """The audio among the fields of a message, as the API takes it back: by its id."""
    id = (fields.get("audio") or {}).get("id")
    return {"audio": {"id": id}} if id else {}


def call(model: Model, message: Json, opaque: Json) -> Json:
    id, name, arguments = model.id(message["id"]), model.name(message["name"]), arguments_of(message)
    if opaque.get("type") == "custom":
        return {"id": id, "custom": {"name": name, "input": arguments.get("input", "")}, **opaque}
    function = {"name": name, "arguments": written_arguments(message)}
    return {"id": id, "type": "function", "function": function, **opaque}


def results(model: Model, run: List[Json]) -> List[Json]:
    rendered, moved = [], []
    for result in run:
        content = parts(model, result["output"])
        text = "\n".join(part["text"] for part in content if part["type"] == "text")
        beside = [part for part in content if part["type"] != "text"]
        moved += beside
        if not text and not beside and result.get("is_error"):
            text = SILENT_FAILURE
        rendered.append({"role": "tool", "tool_call_id": model.id(result["id"]), "content": text})
    return [*rendered, *([{"role": "user", "content": moved}] if moved else [])]  # [CHAT-5]


def said(model: Model, message: Json) -> List[Json]:
    role, content = message["role"], message["content"]
    content = content if isinstance(content, str) else parts(model, content)
    if not content and (role != "user" or isinstance(content, list)):
        model.warn("empty_message_dropped", f"A message with role {role} has nothing that can be sent.")
        return []
    return [{"role": role, "content": content}]


def parts(model: Model, content: Union[str, List[Json]]) -> List[Json]:
    rendered = []
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        kind, media_type = part["type"], part.get("media_type")
        url = part.get("url") or f"data:{media_type};base64,{part.get('data')}"
        if kind == "text" and part["text"]:
            rendered.append({"type": "text", "text": part["text"]})
        elif kind == "text" and not isinstance(content, str):  # [PROVIDER-11]
            model.warn("part_dropped", "A text without text cannot be sent.")
        elif kind == "text":
            continue
        elif kind == "image":
            rendered.append({"type": "image_url", "image_url": {"url": url}})
        elif kind == "document" and "data" in part and media_type == "text/plain":
            rendered.append({"type": "text", "text": text_of(part)})
        elif kind == "document" and "data" in part:
            rendered.append({"type": "file", "file": {"filename": part.get("title", "document"), "file_data": url}})
        else:
            model.warn("part_dropped", f"There is no place for a part of type {kind} and media type {media_type}.")
    return rendered


CLIENT = OpenaiChat
