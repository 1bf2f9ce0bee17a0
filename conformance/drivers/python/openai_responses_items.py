"""The items of a response of the Responses API, read as messages."""

from __future__ import annotations

from typing import List, Tuple

from translate import Model, parse_arguments
from wire import Json

TEXT = {"output_text": "text", "refusal": "refusal", "reasoning_text": "text", "summary_text": "text"}


def read(model: Model, items: List[Json]) -> List[Json]:
    return [message for item in items for _, message in read_item(model, item)]


def read_item(model: Model, item: Json) -> List[Tuple[int, Json]]:
    """The messages of an item, each with the place in it where it was found."""
    known = ("type", "content", "role") if item["type"] == "message" else ("type",)
    rest = {key: value for key, value in item.items() if key not in known and value not in (None, "", [])}
    if item["type"] == "message":
        found = [(place, part) for place, part in enumerate(item.get("content") or []) if has_text(part)]
        return [(place, read_part(model, item, part, rest)) for place, part in found]
    if item["type"] == "reasoning":
        return [(0, {"type": "thinking", "content": thought(item), "opaque": {**model.made_by, **rest}})]
    is_ours = item["type"] != "custom_tool_call" or item.get("name") in model.sent_as  # [RESPONSES-40]
    if item["type"] in ("function_call", "custom_tool_call") and is_ours:
        return [(0, read_call(model, item["type"], rest))]
    return [(0, {"type": "provider_item", **model.made_by, "item": item})]  # [RESPONSES-16]


def has_text(part: Json) -> bool:
    return part["type"] not in TEXT or bool(part.get(TEXT[part["type"]]))


def read_part(model: Model, item: Json, part: Json, rest: Json) -> Json:
    if part["type"] not in ("output_text", "refusal"):  # [PROVIDER-19]
        return {"type": "provider_item", **model.made_by, "item": {**item, "content": [part]}}
    of_part = {key: value for key, value in part.items() if key not in ("type", TEXT[part["type"]]) and value}
    refused = {"type": "refusal"} if part["type"] == "refusal" else {}
    return {
        "role": "assistant",
        "content": part[TEXT[part["type"]]],
        "opaque": {**model.made_by, **rest, **of_part, **refused},
    }


def read_call(model: Model, kind: str, rest: Json) -> Json:
    id, name = rest.pop("call_id", ""), rest.pop("name", "")
    final = {"call_id": rest.pop("final_call_id")} if "final_call_id" in rest else {}
    if kind == "custom_tool_call":
        written, final = {"input": {"input": rest.pop("input", "")}}, {**final, "type": kind}
    else:
        written = parse_arguments(rest.pop("arguments", ""))
    return model.tool_call(id, name, written, {**rest, **final})


def thought(item: Json) -> str:
    texts = [[part.get("text") for part in item.get(field) or []] for field in ("content", "summary")]
    return "\n\n".join(text for text in (texts[0] if any(texts[0]) else texts[1]) if text)
