"""The adapter for OpenAI's Chat Completions API, and for the many servers that speak it: spec/providers/openai-chat.md."""

from __future__ import annotations

import base64
import json
from http.client import HTTPResponse
from itertools import takewhile
from typing import Any, Dict, List, Tuple, Union

import wire
from wire import Failure, Json, Listen

PROVIDER = "openai-chat"
ID_LIMIT, NAME_LIMIT = 40, 64
NAME = "[a-zA-Z0-9_-]"
REASONING = ("reasoning_details", "reasoning_content", "reasoning")
PIECES = ("content", "refusal", "reasoning_content", "reasoning", "arguments", "input", "text", "summary", "thinking", "data")
READ = (*REASONING, "role", "content", "refusal", "tool_calls", "function_call")

STOP_REASONS = {
    **{"stop": "end_turn", "eos": "end_turn", "tool_calls": "tool_use", "function_call": "tool_use"},
    **{"length": "max_tokens", "model_length": "max_tokens", "content_filter": "content_filter", "error": "error"},
}
KINDS: Dict[Union[int, str], str] = {
    **{400: "invalid_request", 401: "authentication", 402: "permission", 403: "permission", 404: "not_found"},
    **{408: "timeout", 413: "request_too_large", 422: "invalid_request", 429: "rate_limit"},
    **{503: "overloaded", 504: "timeout", 529: "overloaded"},
    **{"invalid_request_error": "invalid_request", "invalid_api_key": "authentication"},
    **{"authentication_error": "authentication", "insufficient_quota": "permission", "permission_error": "permission"},
    **{"model_not_found": "not_found", "not_found_error": "not_found", "timeout": "timeout"},
    **{"rate_limit_exceeded": "rate_limit", "rate_limit_error": "rate_limit"},
    **{"overloaded_error": "overloaded", "engine_overloaded": "overloaded"},
}


class OpenaiChat:
    """A model behind the Chat Completions API."""

    def __init__(self, base_url: str, api_key: str, model: str, transport: str) -> None:
        self.url = f"{base_url}/chat/completions"
        self.headers = {"authorization": f"Bearer {api_key}"}
        self.model = model
        self.settings = {"stream": True, "stream_options": {"include_usage": True}} if transport == "sse" else {}

    def invoke(self, request: Json, listen: Listen) -> Json:
        """One model call. A failure is a response, with what the model had said before it."""
        answer: Json = {"message": {}}  # the only choice, and what belongs to all: model, usage
        reader = Reader(self.model, request["tools"])
        failed: Json = {}
        try:
            body = Renderer(self.model, listen).render(request)
            response = wire.post(self.url, self.headers, {**body, **self.settings})
            with response, wire.readable():
                if wire.is_stream(response):
                    read_stream(response, answer, reader, listen)
                else:
                    whole = wire.read_json(response, KINDS)
                    choice = {**whole, **whole["choices"][0]}
                    choice["message"] = choice["message"] if "finish_reason" not in choice else choice.get("message") or {}
                    reader.messages(choice["message"])  # or it cannot be read
                    answer.update(choice)
        except Failure as failure:
            failed = failure.as_response(PROVIDER)
        messages, raw = reader.messages(answer["message"]), answer.get("finish_reason") or None
        usual = "tool_use" if any(message.get("type") == "tool_call" for message in messages) else "end_turn"
        stop_reason = STOP_REASONS.get(raw, "other") if raw else usual
        if stop_reason == "error":
            failed = failed or Failure("server_error", "The provider ended the response with finish reason error.").as_response(PROVIDER)
        return {
            "messages": messages,
            "stop_reason": "refusal" if answer["message"].get("refusal") else stop_reason,  # [CHAT-16]
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
        system = "\n\n".join(message["content"] for message in leading)
        rendered: List[Json] = [{"role": "system", "content": system}] if system else []
        for role, run in wire.runs(messages[len(leading) :], results_as="tool"):
            if role == "assistant":
                rendered += self.assistant(run)
            elif role == "tool":
                rendered += self.results(run)
            else:
                rendered += [found for message in run for found in self.said(role, message["content"])]
        tools = [self.tool(tool) for tool in request["tools"]]
        return {"model": self.model, "messages": rendered, **({"tools": tools} if tools else {})}

    def tool(self, tool: Json) -> Json:
        described = {"description": tool["description"]} if "description" in tool else {}
        parameters = {"properties": {}, **tool["input_schema"]}  # [CHAT-8]
        return {"type": "function", "function": {"name": self.name(tool["name"]), **described, "parameters": parameters}}

    def assistant(self, run: List[Json]) -> List[Json]:
        text, rendered, calls, parts = "", {}, [], []
        for message in run:
            kind = message.get("type")
            if kind == "tool_call":
                calls.append(self.call(message))
            elif kind == "thinking" and "part" in self.opaque(message):
                parts.append(message["opaque"]["part"])
            elif kind == "thinking":
                rendered.update(self.thinking(message))
            elif kind == "provider_item":
                mine = (message["provider"], message.get("model")) == (PROVIDER, self.model)
                if not mine:
                    self.warn("provider_item_dropped", f"An item of {message['provider']} goes back only to the model that made it.")
                elif "type" in message["item"]:
                    parts.append(message["item"])
                else:
                    rendered.update(message["item"])
            else:
                text += message["content"]
        content: Any = [*([{"type": "text", "text": text}] if text else []), *parts] if parts else text or None
        if calls:
            rendered["tool_calls"] = calls
        if content is None and not rendered:
            return self.warn("empty_message_dropped", "A message with role assistant has nothing that can be sent.")
        return [{"role": "assistant", "content": content, **rendered}]

    def thinking(self, message: Json) -> Json:
        opaque = self.opaque(message)
        if opaque.get("field") not in REASONING:
            self.warn("thinking_dropped", "Thinking goes back only to the model that made it.")
            return {}
        return {opaque["field"]: opaque.get("reasoning_details", message["content"])}  # [CHAT-10]

    def call(self, call: Json) -> Json:
        kept = {key: value for key, value in self.opaque(call).items() if key not in ("provider", "model", "type")}
        name, arguments = self.name(call["name"]), wire.arguments_of(call)
        if self.opaque(call).get("type") == "custom":
            body: Json = {"type": "custom", "custom": {"name": name, "input": arguments.get("input", "")}}
        else:
            written = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
            body = {"type": "function", "function": {"name": name, "arguments": written}}
        return {"id": self.warn.mapped(call["id"], wire.legal(call["id"], ".", ID_LIMIT)), **body, **kept}

    def results(self, run: List[Json]) -> List[Json]:
        rendered, moved = [], []
        for result in run:
            parts = self.parts(result["output"])
            text = "\n".join(part["text"] for part in parts if part["type"] == "text")
            moved += [part for part in parts if part["type"] != "text"]
            tool_call_id = wire.legal(result["id"], ".", ID_LIMIT)
            rendered.append({"role": "tool", "tool_call_id": tool_call_id, "content": text})
        return [*rendered, *([{"role": "user", "content": moved}] if moved else [])]  # [CHAT-5]

    def said(self, role: str, content: Union[str, List[Json]]) -> List[Json]:
        content = content if isinstance(content, str) else self.parts(content)
        if content == []:
            return self.warn("empty_message_dropped", f"A message with role {role} has nothing that can be sent.")
        return [{"role": role, "content": content}]

    def parts(self, content: Union[str, List[Json]]) -> List[Json]:
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return [rendered for part in parts for rendered in self.part(part)]

    def part(self, part: Json) -> List[Json]:
        kind, media_type = part["type"], part.get("media_type")
        if kind == "text":
            return [{"type": "text", "text": part["text"]}] if part["text"] else []  # [PROVIDER-11]
        if kind == "document" and "data" in part and media_type == "text/plain":
            return [{"type": "text", "text": base64.b64decode(part["data"]).decode("utf-8", "replace")}]
        url = part.get("url") or f"data:{media_type};base64,{part.get('data')}"
        if kind == "image":
            return [{"type": "image_url", "image_url": {"url": url}}]
        if kind == "document" and "data" in part:
            return [{"type": "file", "file": {"filename": part.get("title", "document"), "file_data": url}}]
        return self.warn("part_dropped", f"The format has no place for a part of type {kind}.")

    def opaque(self, message: Json) -> Json:
        """What is opaque in a message, if this model made it [PROVIDER-8]."""
        opaque = message.get("opaque") or {}
        return opaque if (opaque.get("provider"), opaque.get("model")) == (PROVIDER, self.model) else {}

    def name(self, name: str) -> str:
        return self.warn.mapped(name, wire.legal(name, NAME, NAME_LIMIT))


class Reader:
    """Makes messages of the message of an answer: thinking, then text, then calls."""

    def __init__(self, model: str, tools: List[Json]) -> None:
        self.made_by = {"provider": PROVIDER, "model": model}
        self.names = {wire.legal(tool["name"], NAME, NAME_LIMIT): tool["name"] for tool in tools}

    def messages(self, message: Json) -> List[Json]:
        content = message.get("content") or []
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        rest = {key: value for key, value in message.items() if key not in READ and value not in (None, "", [], {})}
        thinking, texts = self.thinking(message), []
        for part in [*parts, {"type": "text", "text": message.get("refusal") or ""}]:
            if part["type"] == "thinking":
                thinking.append(self.thinking_part(part))
            elif part["type"] != "text":
                texts.append({"type": "provider_item", **self.made_by, "item": part})
            elif part["text"]:
                texts.append({"role": "assistant", "content": part["text"], **({"opaque": {**self.made_by, **rest}} if rest else {})})
                rest = {}
        if rest:
            texts.append({"type": "provider_item", **self.made_by, "item": rest})
        function = message.get("function_call")
        calls = message.get("tool_calls") or ([{"function": function}] if function else [])
        return [*thinking, *texts, *(self.call(call) for call in calls)]

    def thinking(self, message: Json) -> List[Json]:
        field = next((field for field in REASONING if message.get(field)), None)
        if not field:
            return []
        details = message.get("reasoning_details") or []
        told = message.get("reasoning_content") or message.get("reasoning")
        text = told or "".join(detail.get("text") or detail.get("summary") or "" for detail in details)
        kept = {"reasoning_details": details} if details else {}
        return [{"type": "thinking", "content": text, "opaque": {**self.made_by, "field": field, **kept}}]

    def thinking_part(self, part: Json) -> Json:
        written = part.get("thinking") or ""
        text = written if isinstance(written, str) else "".join(piece.get("text", "") for piece in written)
        return {"type": "thinking", "content": text, "opaque": {**self.made_by, "part": part}}

    def call(self, call: Json) -> Json:
        rest = {key: value for key, value in call.items() if key not in ("id", "index", "function", "custom") and value is not None}
        if rest.get("type", "function") == "function":
            rest.pop("type", None)
        custom = call.get("custom")
        function = custom or call["function"]
        name = function.get("name") or ""
        arguments = {"input": {"input": custom.get("input", "")}} if custom else wire.parse_arguments(function.get("arguments"))
        opaque = {"opaque": {**self.made_by, **rest}} if rest else {}
        return {"type": "tool_call", "id": call.get("id") or "", "name": self.names.get(name, name), **arguments, **opaque}


def read_stream(response: HTTPResponse, answer: Json, reader: Reader, listen: Listen) -> None:
    """Build the choice that the same answer would have had without streaming, as far as the stream goes."""
    message: Json = {}
    told = wire.Streamed(listen)
    try:
        for data in wire.read_events(response):
            if data == "[DONE]":
                return
            if data.get("error"):
                wire.fail(None, data["error"], KINDS)
            choice: Json = next((choice for choice in data.get("choices") or [] if not choice.get("index")), {})
            known = {"model": data.get("model"), "usage": data.get("usage"), "finish_reason": choice.get("finish_reason")}
            answer.update({key: value for key, value in known.items() if value})
            add_delta(message, choice.get("delta") or {}, reader, told)
        if "finish_reason" not in answer:  # [CHAT-17]
            raise Failure("stream_interrupted", "The stream ended with neither a finish_reason nor [DONE].", "interrupted")
    finally:
        told.end_all()
        answer["message"] = json.loads(json.dumps(message))  # a surrogate pair that was cut in two becomes one character


def add_delta(message: Json, delta: Json, reader: Reader, told: wire.Streamed) -> None:
    said = {field: delta.get(field) for field in (*REASONING, "content")}
    for piece in reader.messages(said):  # a delta is a small message
        if piece.get("type") != "provider_item":
            told.piece(piece.get("type", "text"), piece["content"], {**piece, "content": ""})
    told.piece("refusal", delta.get("refusal") or "", {"role": "assistant", "content": ""})
    function = delta.get("function_call")
    calls = delta.get("tool_calls") or ([{"function": function}] if function else [])
    for piece in calls:
        call = place(message.setdefault("tool_calls", []), piece)
        merge(call, piece)
        written = (piece.get("function") or {}).get("arguments") or (piece.get("custom") or {}).get("input") or ""
        begun = {**reader.call(call), "input": {}}
        told.piece(id(call), written if isinstance(written, str) else json.dumps(written), begun)
    merge(message, {field: value for field, value in delta.items() if field not in ("tool_calls", "function_call")})


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
            begun = whole[field] = [{"type": "text", "text": begun}] if begun and isinstance(begun, str) else begun or []
            for item in value:
                merge(place(begun, item), item)
        elif begun in (None, "", [], {}):  # what is said again, an id or a name, is not said twice
            whole[field] = value


def place(items: List[Json], piece: Json) -> Json:
    """The item of a list to which a piece belongs: a new one, if none has its index and no other id [CHAT-11]."""
    index, name = piece.get("index"), (piece.get("function") or piece.get("custom") or {}).get("name")
    for item in items[-1:] if index is None else reversed(items):
        if item.get("index") == index and item.get("type") == piece.get("type", item.get("type")):
            if not (name and item.get("id") and piece.get("id") not in (None, "", item["id"])):
                return item
            break
    items.append({})
    return items[-1]


def read_usage(usage: Json) -> Json:
    asked, told = usage.get("prompt_tokens_details") or {}, usage.get("completion_tokens_details") or {}
    given, made, thought = usage.get("prompt_tokens"), usage.get("completion_tokens"), told.get("reasoning_tokens")
    if thought and None not in (given, made) and usage.get("total_tokens") == given + made + thought:
        made += thought  # a server that counts its reasoning apart
    return {
        "input_tokens": given,
        "output_tokens": made,
        "cache_read_tokens": asked.get("cached_tokens", usage.get("prompt_cache_hit_tokens")),
        "cache_write_tokens": asked.get("cache_write_tokens"),
        "reasoning_tokens": thought,
    }
