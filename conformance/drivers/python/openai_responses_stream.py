"""The stream of a response of the Responses API, made into the body that the response would have had without it."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Set

import wire
from openai_responses_items import TEXT, has_text, read_item
from translate import Model, Streamed
from wire import Answer, Failure, Json

KINDS: Dict[Any, str] = {
    **{400: "invalid_request", 401: "authentication", 402: "quota", 403: "permission", 404: "not_found"},
    **{408: "timeout", 413: "request_too_large", 422: "invalid_request", 429: "rate_limit", 503: "overloaded"},
    **{504: "timeout", 529: "overloaded", "invalid_request_error": "invalid_request"},
    **{"invalid_prompt": "invalid_request", "previous_response_not_found": "invalid_request"},
    **{"invalid_image": "invalid_request"},
    **{"invalid_image_url": "invalid_request", "image_content_policy_violation": "invalid_request"},
    **{"invalid_api_key": "authentication", "authentication_error": "authentication"},
    **{"insufficient_quota": "quota", "billing_not_active": "quota", "billing_hard_limit_reached": "quota"},
    **{"permission_error": "permission"},
    **{"model_not_found": "not_found", "not_found_error": "not_found"},
    **{"timeout": "timeout", "vector_store_timeout": "timeout"},
    **{"rate_limit_exceeded": "rate_limit", "rate_limit_error": "rate_limit"},
    **{"server_is_overloaded": "overloaded", "slow_down": "overloaded"},
}
ENDS = ("response.completed", "response.incomplete", "response.failed")
# Which event has a piece of what: the list and the type of its part, or the field of the item itself.
PART_DELTAS = {
    "response.output_text.delta": ("content", "output_text"),
    "response.refusal.delta": ("content", "refusal"),
    "response.reasoning_text.delta": ("content", "reasoning_text"),
    "response.reasoning_summary_text.delta": ("summary", "summary_text"),
}
PART_ENDS = {kind.replace(".delta", ".done"): of for kind, of in PART_DELTAS.items()}
FIELD_DELTAS = {
    "response.function_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
}
FIELD_ENDS = {kind.replace(".delta", ".done"): of for kind, of in FIELD_DELTAS.items()}


def read_stream(model: Model, response: Answer, answer: Json, streamed: Streamed) -> None:
    """Build the body that the same answer would have had without streaming, as far as the stream goes."""
    items = Items(model, streamed)
    try:
        for data in wire.read_events(response):
            if data == "[DONE]":
                break
            kind = data.get("type")
            if kind in ENDS or kind is None and "output" in data:  # [RESPONSES-36]
                ended = data if kind is None else data["response"]
                items.end(ended.get("output") or [])
                answer.update({"status": "failed"} if kind == "response.failed" else {}, **ended)
                return
            if kind == "error" or kind is None and data.get("error"):
                wire.fail(None, data.get("error") or {**data, "type": None}, KINDS)
            if kind == "response.created":
                answer.update({field: data["response"].get(field) for field in ("id", "model")})
            else:
                items.take(kind, data)
        raise Failure("stream_interrupted", "The stream ended without its last event.", "interrupted")  # [RESPONSES-19]
    finally:
        streamed.end_all()
        answer["output"] = items.whole()


class Item:
    """One item of a stream, which may still grow."""

    def __init__(self, fields: Json) -> None:
        self.fields = {key: value for key, value in fields.items() if key != "encrypted_content"}  # [RESPONSES-17]
        self.done = False
        self.told: Set[int] = set()  # the places in it of which a piece was streamed


class Items:
    """The items of a stream, in the order in which they began."""

    def __init__(self, model: Model, streamed: Streamed) -> None:
        self.model, self.streamed = model, streamed
        self.items: List[Item] = []
        self.at: Dict[Any, Item] = {}  # by output_index; some servers begin to count anew [RESPONSES-34]

    def take(self, kind: str, data: Json) -> None:
        """Take an event that is about an item; every other says nothing [RESPONSES-18]."""
        index = data.get("output_index")
        if kind == "response.output_item.added" or kind == "response.output_item.done" and not self.is_open(index):
            self.at[index] = self.begin(data["item"])
        if kind == "response.output_item.done":
            self.finish(self.at[index], data["item"])
        elif self.is_open(index) and kind in FIELD_DELTAS:
            self.add(self.at[index], self.at[index].fields, FIELD_DELTAS[kind], 0, data["delta"])
        elif self.is_open(index) and kind in PART_DELTAS:
            self.add_to_part(self.at[index], *PART_DELTAS[kind], data)
        elif self.is_open(index) and kind in FIELD_ENDS:
            fields, field = self.at[index].fields, FIELD_ENDS[kind]
            self.add(self.at[index], fields, field, 0, rest_of(data.get(field), fields.get(field)))
        elif self.is_open(index) and kind in PART_ENDS:
            self.end_part(self.at[index], *PART_ENDS[kind], data)

    def is_open(self, index: Any) -> bool:
        return index in self.at and not self.at[index].done

    def begin(self, fields: Json) -> Item:
        self.items.append(Item(fields))
        self.tell(self.items[-1])
        return self.items[-1]

    def finish(self, item: Item, fields: Json) -> None:
        self.renumber(item, fields.get("content") or [])
        item.fields, item.done = {**fields, **lacking(fields, item.fields)}, True
        self.tell(item)
        for place in range(len(item.fields.get("content") or []) + 1):
            self.streamed.end((id(item), place))

    def renumber(self, item: Item, ended: List[Json]) -> None:
        """Find the texts that the item has in other places, now that it is whole, than their pieces had [RESPONSES-39]."""
        texts = [part.get(TEXT.get(part["type"], ""), "") for part in ended]
        for place, part in enumerate(item.fields.get("content") or []):
            told = part.get(TEXT.get(part["type"], ""), "")
            if item.fields["type"] != "message" or place not in item.told or place < len(texts) and texts[place].startswith(told):
                continue
            to = next((at for at, text in enumerate(texts) if at not in item.told and text.startswith(told)), None)
            if to is not None:
                self.streamed.rename((id(item), place), (id(item), to))
                item.told = {*item.told, to} - {place}

    def tell(self, item: Item) -> None:
        """Stream those messages of an item that came whole."""
        for place, message in read_item(self.model, item.fields):
            written = message.get("content") or ""
            if message.get("type") == "tool_call":
                written = item.fields.get("arguments") or item.fields.get("input") or ""
            new = "" if place in item.told else written if isinstance(written, str) else json.dumps(written)
            item.told.update([place] if new else [])
            self.streamed.piece((id(item), place), new, message)

    def end_part(self, item: Item, field: str, type: str, data: Json) -> None:
        """Take of a text that ends what none of its pieces had [RESPONSES-38]."""
        index = data.get("content_index" if field == "content" else "summary_index") or 0
        parts = (item.fields.get(field) or [])[index : index + 1]
        new = rest_of(data.get(TEXT[type]), parts[0].get(TEXT[type]) if parts else "")
        if new:
            self.add_to_part(item, field, type, {**data, "delta": new})

    def add_to_part(self, item: Item, field: str, type: str, data: Json) -> None:
        index = data.get("content_index" if field == "content" else "summary_index") or 0
        found = item.fields[field] = item.fields.get(field) or []
        found += [{"type": type, TEXT[type]: ""} for _ in range(len(found), index + 1)]
        if item.fields["type"] == "message":
            self.add(item, found[index], TEXT[type], index, data["delta"])
        elif field == "content" or not item.fields.get("content"):  # summaries are told where there are no texts
            between = "\n\n" if 0 in item.told and not found[index][TEXT[type]] else ""
            self.add(item, found[index], TEXT[type], 0, data["delta"], between)
        else:
            found[index][TEXT[type]] += data["delta"]

    def add(self, item: Item, fields: Json, field: str, place: int, delta: str, between: str = "") -> None:
        fields[field] = (fields.get(field) or "") + delta
        if delta:
            begun = {} if place in item.told else dict(read_item(self.model, item.fields))[place]
            if begun.get("type") == "provider_item":  # it is told when it is whole
                return
            self.streamed.piece((id(item), place), between + delta, begun)
            item.told.add(place)

    def end(self, ended: List[Json]) -> None:
        """Take the items of the terminal event, and their order; those that were streamed before are the same items."""
        rest, ids = list(self.items), {fields["id"] for fields in ended if fields.get("id")}
        self.items = []
        for fields in ended:
            same = [item for item in rest if fields.get("id") and item.fields.get("id") == fields["id"]]
            like = [item for item in rest if item.fields["type"] == fields["type"] and item.fields.get("id") not in ids]
            item = next(iter([*same, *like]), None)
            if item:
                rest.remove(item)
                self.items.append(item)
            else:
                item = self.begin(fields)
            self.end_item(item, fields)
        self.items += rest

    def end_item(self, item: Item, fields: Json) -> None:
        begun_as, ended_as = item.fields.get("call_id"), fields.get("call_id")
        if not item.done:
            self.finish(item, fields)
        if begun_as and ended_as and begun_as != ended_as:  # [RESPONSES-35]
            item.fields = {**item.fields, "call_id": begun_as, "final_call_id": ended_as}

    def whole(self) -> List[Json]:
        """The items; surrogate pairs that were cut in two are whole again."""
        found: List[Json] = json.loads(json.dumps([item.fields for item in self.items]))
        return found


def rest_of(whole: Any, known: Any) -> str:
    """What a text that is whole has and its pieces had not [RESPONSES-38]."""
    whole, known = whole or "", known or ""
    return whole[len(known) :] if whole.startswith(known) else ""


def lacking(fields: Json, grown: Json) -> Json:
    """What came of an item in its stream, and is not in the item as it ended [RESPONSES-38]."""
    kept = {key: grown[key] for key in ("arguments", "input") if grown.get(key) and not fields.get(key)}
    for key in ("content", "summary"):
        if grown.get(key) and not any(has_text(part) for part in fields.get(key) or []):
            kept[key] = grown[key]
    return kept
