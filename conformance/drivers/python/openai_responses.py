"""The adapter for OpenAI's Responses API, and the servers that speak it: spec/loop/providers/openai-responses.md."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, Dict, List, Optional, Set

import wire
from bounds import DEFAULTS
from letters import whole_letters
from openai_responses_items import read
from openai_responses_stream import KINDS, read_stream
from openai_settings import responses_settings
from translate import (
    SILENT_FAILURE,
    Listen,
    Model,
    Streamed,
    arguments_of,
    runs,
    text_of,
    without_unanswered,
    written_arguments,
)
from wire import Failure, Json

PROVIDER = "openai-responses"
ID_RULE, NAME_RULE = "(?s:.{1,64})", "[a-zA-Z0-9_-]{1,64}"
KEPT = ("response_id", "conversation", "logprobs")  # what is opaque in a message, and no field of its item

STOP_REASONS: Dict[Any, str] = {
    **{"max_output_tokens": "max_tokens", "content_filter": "content_filter", "failed": "error"},
    **dict.fromkeys(("queued", "in_progress", "cancelled"), "interrupted"),
}


class OpenaiResponses:
    """A model behind the Responses API. Nothing is stored on the server: the session is the whole conversation."""

    def __init__(self, base_url: str, api_key: str, model: str, transport: str, wait: wire.Wait = wire.at_once) -> None:
        self.url = f"{base_url}/responses"
        self.headers = {"authorization": f"Bearer {api_key}"}
        self.api_key, self.model, self.wait = api_key, model, wait
        self.settings = {"stream": True} if transport == "sse" else {}

    def invoke(self, request: Json, listen: Listen, bounds: Json = DEFAULTS) -> Json:
        """One model call. A failure is a response, with what the model had said before it."""
        model = Model(PROVIDER, self.model, ID_RULE, NAME_RULE, request, listen)
        answer: Json = {"output": []}  # the body of the response, or what of it was streamed
        failed: Json = {}
        try:
            body = render(model, request)
            with wire.post(self.url, self.headers, {**body, **self.settings}, self.wait, bounds) as response, wire.readable():
                if wire.is_stream(response):
                    read_stream(model, response, answer, Streamed(listen))
                else:
                    whole = wire.read_body(response, KINDS)
                    if "output" not in whole:  # a response that failed has an error too, beside what was said
                        wire.refuse(whole, KINDS)
                    read(model, whole["output"])  # or it cannot be read
                    answer.update(whole)
            check_status(answer)
        except Failure as failure:
            failed = failure.as_response(PROVIDER, self.api_key)
        messages, raw = read(model, answer["output"]), raw_stop_reason(answer)
        return {
            "messages": whole_letters(messages),  # [PROVIDER-47]
            "stop_reason": stop_reason(raw, messages),
            "raw_stop_reason": raw,
            "usage": read_usage(answer.get("usage") or {}),
            "provider": PROVIDER,
            **({"model": answer["model"]} if answer.get("model") else {}),
            **failed,
        }


def check_status(answer: Json) -> None:
    if answer.get("status") == "failed":  # [RESPONSES-20]
        wire.fail(None, answer.get("error"), KINDS)
    if STOP_REASONS.get(answer.get("status")) == "interrupted":
        raise Failure("stream_interrupted", f"The response came with status {answer['status']}.", "interrupted")


def raw_stop_reason(answer: Json) -> Optional[str]:
    reason = (answer.get("incomplete_details") or {}).get("reason")
    status: Optional[str] = answer.get("status")
    return reason or status if status == "incomplete" else status


def stop_reason(raw: Optional[str], messages: List[Json]) -> str:
    """The generic stop reason [RESPONSES-21]."""
    if raw != "completed" and (raw or not messages):
        return STOP_REASONS.get(raw, "other")
    if any(message.get("type") == "tool_call" for message in messages):
        return "tool_use"
    refused = any("role" in message and message.get("opaque", {}).get("type") == "refusal" for message in messages)
    return "refusal" if refused else "end_turn"


def read_usage(usage: Json) -> Json:
    given, made = usage.get("input_tokens_details") or {}, usage.get("output_tokens_details") or {}
    return {
        "input_tokens": usage.get("input_tokens"),
        "output_tokens": usage.get("output_tokens"),
        "cache_read_tokens": given.get("cached_tokens"),
        "cache_write_tokens": given.get("cache_write_tokens"),
        "reasoning_tokens": made.get("reasoning_tokens"),
    }


# Requests


def render(model: Model, request: Json) -> Json:
    messages = answered(model, model.known(request["messages"]))
    leading = list(takewhile(lambda message: message.get("role") == "system", messages))
    instructions = "\n\n".join(item["content"] for message in leading for item in said(model, message))
    tools = [tool_fields(model, tool) for tool in request["tools"]]
    return {
        "model": model.made_by["model"],
        **({"instructions": instructions} if instructions else {}),
        "input": render_input(model, messages[len(leading) :]),
        **({"tools": tools} if tools else {}),
        "store": False,
        "include": ["reasoning.encrypted_content"],
        **responses_settings(model, request),
    }


def answered(model: Model, messages: List[Json]) -> List[Json]:
    """The messages without calls of the server's own tools that never got a result."""
    kinds = ("shell_call", "local_shell_call", "computer_call", "apply_patch_call")
    called = lambda item: item.get("call_id", "") if item.get("type") in kinds or is_own_call(item) else None
    result_of = lambda item: item.get("call_id") if is_output(item) else None
    return without_unanswered(model, messages, called, result_of, is_own_call)


def is_own_call(item: Json) -> bool:
    """Whether the server made a call in the form of a custom one, and answered it where nobody sees it [RESPONSES-41]."""
    return item.get("type") == "custom_tool_call"


def is_output(item: Json) -> bool:
    return str(item.get("type")).endswith("_output")


def tool_fields(model: Model, tool: Json) -> Json:
    described = {"description": tool["description"]} if "description" in tool else {}
    function = {"name": model.name(tool["name"]), **described, "parameters": {"properties": {}, **tool["input_schema"]}}
    return {"type": "function", **function, "strict": False}  # [RESPONSES-13]


def render_input(model: Model, messages: List[Json]) -> List[Json]:
    calls = {message["id"]: call_item(model, message) for message in messages if message.get("type") == "tool_call"}
    taken: Set[str] = set()  # the ids of items that were sent
    rendered: List[Json] = []
    for role, run in runs(messages, results_as="tool"):
        if role == "assistant":
            rendered += response_items(model, run, taken)
        elif role == "tool":
            rendered += [result_item(model, result, calls[result["id"]]) for result in run]
        else:
            rendered += [item for message in run for item in said(model, message)]
    return rendered


def response_items(model: Model, run: List[Json], taken: Set[str]) -> List[Json]:
    """The items of one response, without what cannot go back."""
    found = [(message.get("type"), item_of(model, message)) for message in run]
    while found and (found[-1][1] is None or found[-1][0] == "thinking"):
        if found.pop()[1]:  # [RESPONSES-4]
            model.warn("thinking_dropped", "Reasoning is sent only if something of its response follows it.")
    rendered: List[Json] = []
    thought_lost = False
    for kind, item in found:
        if item is None:
            thought_lost = thought_lost or kind == "thinking"
            continue
        if thought_lost or item.get("id") in taken:  # [RESPONSES-6]
            item = {field: value for field, value in item.items() if field != "id"}
        taken.update([item["id"]] if "id" in item else [])
        rendered.append(item)
    return rendered


def item_of(model: Model, message: Json) -> Optional[Json]:
    """The item that a message of a model is sent as; None if it is left out."""
    kind, fields = message.get("type"), item_fields(model, message)
    if kind == "tool_call":
        return call_item(model, message)
    if kind == "provider_item":
        return model.item(message)
    if kind == "thinking":
        if fields.get("encrypted_content") or fields.get("content"):  # [RESPONSES-5]
            return {"type": "reasoning", "summary": [], **fields}
        model.warn("thinking_dropped", "Thinking goes back only to the model that made it, and not as a reference.")
        return None
    if not (message["content"] and fields):
        return next(iter(said(model, message)), None)
    part: Json = {"type": "output_text", "text": message["content"], "annotations": fields.pop("annotations", [])}
    if fields.pop("type", None) == "refusal":
        part = {"type": "refusal", "refusal": message["content"]}
    return {"type": "message", "role": "assistant", "status": "completed", **fields, "content": [part]}


def item_fields(model: Model, message: Json) -> Json:
    return {field: value for field, value in model.opaque(message).items() if field not in KEPT}


def call_item(model: Model, call: Json) -> Json:
    fields, arguments = item_fields(model, call), arguments_of(call)
    call_id = model.id(fields.pop("call_id", call["id"]))  # [RESPONSES-35]
    if fields.get("type") == "custom_tool_call":
        written = {"input": arguments.get("input", "")}
    else:
        written = {"arguments": written_arguments(call)}
    return {"type": "function_call", **fields, "call_id": call_id, "name": model.name(call["name"]), **written}


def result_item(model: Model, result: Json, call: Json) -> Json:
    output = result["output"] if isinstance(result["output"], str) else parts(model, result["output"])
    output = output or (SILENT_FAILURE if result.get("is_error") else "")
    return {"type": f"{call['type']}_output", "call_id": call["call_id"], "output": output}  # [RESPONSES-7]


def said(model: Model, message: Json) -> List[Json]:
    """What a person, the system, or another model said."""
    role, content = message["role"], message["content"]
    content = content if isinstance(content, str) else parts(model, content)
    if not content and (role != "user" or isinstance(content, list)):
        model.warn("empty_message_dropped", f"A message with role {role} has nothing that can be sent.")
        return []
    return [{"role": role, "content": content}]


def parts(model: Model, content: List[Json]) -> List[Json]:
    rendered: List[Json] = []
    for part in content:
        rendered += part_of(model, part)
    return rendered


def part_of(model: Model, part: Json) -> List[Json]:
    kind, media_type = part["type"], part.get("media_type")
    url = part.get("url") or f"data:{media_type};base64,{part.get('data')}"
    if kind == "text" and part["text"]:
        return [{"type": "input_text", "text": part["text"]}]
    if kind == "image":
        return [{"type": "input_image", "image_url": url, "detail": "auto"}]
    if kind == "document" and "url" in part:
        return [{"type": "input_file", "file_url": url}]
    if kind == "document" and media_type == "text/plain":
        return [{"type": "input_text", "text": text_of(part)}]
    if kind == "document":
        return [{"type": "input_file", "filename": part.get("title", "document"), "file_data": url}]
    model.warn("part_dropped", f"There is no place for an empty text, or for a part of type {kind}.")
    return []


CLIENT = OpenaiResponses
