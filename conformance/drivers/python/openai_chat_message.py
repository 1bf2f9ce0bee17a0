"""A message of the Chat Completions API, read as generic messages."""

from __future__ import annotations

from typing import Any, List, Union

from translate import Model, parse_arguments
from wire import Json

REASONING = ("reasoning_details", "reasoning_content", "reasoning")
MARKS = ("padding", "channel", "token_id")  # how some servers mark their pieces [CHAT-37]
READ = (*REASONING, *MARKS, "role", "content", "refusal", "tool_calls", "function_call")


def read(model: Model, message: Json) -> List[Json]:
    """The messages of a message: thinking, then text, then calls."""
    content = message.get("content") or []
    found = [{"type": "text", "text": content}] if isinstance(content, str) else content
    rest = {key: value for key, value in message.items() if key not in READ and says(value)}
    thinking, texts = read_thinking(model, message), []
    refusal = {"type": "text", "text": message.get("refusal") or ""}
    for part in [*found, refusal]:
        if part["type"] == "thinking":
            thinking.append({**thought(part["thinking"]), "opaque": {**model.made_by, "part": part}})
        elif part["type"] != "text":
            texts.append({"type": "provider_item", **model.made_by, "item": part})
        elif part["text"] and texts and "role" in texts[-1] and part is not refusal:
            texts[-1]["content"] += part["text"]  # [CHAT-24]
        elif part["text"]:
            opaque = {"opaque": {**model.made_by, **rest}} if rest else {}
            texts.append({"role": "assistant", "content": part["text"], **opaque})
            rest = {}
    if rest:
        texts.append({"type": "provider_item", **model.made_by, "item": {"type": "message", **rest}})
    return [*thinking, *texts, *(read_call(model, found) for found in calls_of(message))]


def says(value: Any) -> bool:
    """False for what some servers send in place of nothing. [CHAT-27]"""
    return any(map(says, value.values())) if isinstance(value, dict) else value not in (None, "", [])


def calls_of(message: Json) -> List[Json]:
    old = message.get("function_call")
    return message.get("tool_calls") or ([{"function": old}] if old else [])


def read_thinking(model: Model, message: Json) -> List[Json]:
    field = next((field for field in REASONING if message.get(field)), None)
    if not field and message.get("reasoning_content") == "" and calls_of(message):  # [CHAT-43]
        return [{**thought(""), "opaque": {**model.made_by, "field": "reasoning_content"}}]
    if not field:
        return []
    details = message.get("reasoning_details") or []
    told = message.get("reasoning_content") or message.get("reasoning")
    told = told or "".join(detail.get("text") or detail.get("summary") or "" for detail in details)
    kept = {"reasoning_details": details} if details else {}
    return [{**thought(told), "opaque": {**model.made_by, "field": field, **kept}}]


def thought(told: Union[str, List[Json]]) -> Json:
    text = told if isinstance(told, str) else "".join(part.get("text", "") for part in told)
    return {"type": "thinking", "content": text}


def read_call(model: Model, call: Json) -> Json:
    known = ("id", "index", "function", "custom")
    rest = {key: value for key, value in call.items() if key not in known and value not in (None, "function")}
    is_custom = says(call.get("custom"))
    body = call["custom"] if is_custom else call.get("function") or {}
    written = {"input": {"input": body.get("input", "")}} if is_custom else parse_arguments(body.get("arguments"))
    return model.tool_call(call.get("id"), body.get("name"), written, rest)
