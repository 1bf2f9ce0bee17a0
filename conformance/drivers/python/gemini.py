"""The adapter for Gemini's generateContent: spec/loop/providers/gemini.md."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any, List, Union

import wire
from bounds import DEFAULTS
from gemini_answer import Reading, read_stream, read_whole, told
from gemini_settings import gemini_settings
from letters import whole_letters
from translate import SILENT_FAILURE, Listen, Model, Streamed, arguments_of, runs, without_unanswered
from wire import Failure, Json

PROVIDER = "gemini"
ID_RULE, NAME_RULE = "(?s:.+)", "[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"
# What Google documents for a call without a signature. [GEMINI-7]
NO_SIGNATURE = "skip_thought_signature_validator"
ASKS_FOR_NONE = re.compile("(?:^|/)gemini-[12][.-]")


class Gemini:
    """A model behind generateContent and streamGenerateContent."""

    def __init__(self, base_url: str, api_key: str, model: str, transport: str, wait: wire.Wait = wire.at_once) -> None:
        self.url = f"{base_url}/v1beta"
        self.verb = "streamGenerateContent?alt=sse" if transport == "sse" else "generateContent"
        self.headers = {"x-goog-api-key": api_key}
        self.api_key, self.model, self.wait = api_key, model, wait
        self.settings: Json = {}  # whether the answer is streamed is said by the path

    def invoke(self, request: Json, listen: Listen, bounds: Json = DEFAULTS) -> Json:
        """One model call. A failure is a response, with what the model had said before it."""
        model = Model(PROVIDER, self.model, ID_RULE, NAME_RULE, request, listen)
        reading = Reading(model, Streamed(listen))
        failed: Json = {}
        try:
            body = render(model, request)
            with wire.post(self.address(model), self.headers, body, self.wait, bounds) as response, wire.readable():
                if wire.is_stream(response):
                    read_stream(response, reading)
                else:
                    reading = Reading(model, Streamed(lambda event: None))
                    read_whole(response, reading)
        except Failure as failure:
            failed = told(failure).as_response(PROVIDER, self.api_key)
        answered = reading.response()
        if failed and not reading.version:
            del answered["model"]  # none has answered
        return {**answered, "messages": whole_letters(answered["messages"]), "provider": PROVIDER, **failed}  # [PROVIDER-47]

    def address(self, model: Model) -> str:
        """Where a model is asked: it is named in the path, alone or with the collection that it is in."""
        name = str(model.made_by["model"])
        return f"{self.url}/{name if '/' in name else f'models/{name}'}:{self.verb}"


# Requests


def render(model: Model, request: Json) -> Json:
    messages = model.known(answered(model, request["messages"]))
    leading = list(takewhile(lambda message: message.get("role") == "system", messages))
    system = "\n\n".join(message["content"] for message in leading if says_something(model, message))
    names = {message["id"]: model.name(message["name"]) for message in messages if message.get("type") == "tool_call"}
    contents: List[Json] = []
    before = ""
    for role, run in runs(messages[len(leading) :], results_as="results"):
        if role == "system" and any(says_something(model, message) for message in run):
            raise Failure("unsupported", "A system message cannot stand here; put it into the instructions.")  # [PROVIDER-5]
        parts = parts_of(model, role, run, names)
        if parts and role == before:  # what stood between them was left out
            contents[-1]["parts"] += parts
        elif parts:
            contents.append({"role": "model" if role == "assistant" else "user", "parts": parts})
            before = role
    declared = [function(model, tool) for tool in request["tools"]]
    return {
        "contents": signed(model, contents),
        **({"systemInstruction": {"parts": [{"text": system}]}} if system else {}),
        **({"tools": [{"functionDeclarations": declared}]} if declared else {}),
        **gemini_settings(model, request),
    }


def answered(model: Model, messages: List[Json]) -> List[Json]:
    """The messages without calls of the server's own tools that never got a result."""

    def id_in(*fields: str) -> Any:
        return lambda item: next((item[field].get("id") for field in fields if field in item), None)

    called, results = id_in("toolCall", "executableCode"), id_in("toolResponse", "codeExecutionResult")
    return without_unanswered(model, messages, called, results)


def says_something(model: Model, message: Json) -> bool:
    if message["content"]:
        return True
    model.warn("empty_message_dropped", f"A message with role {message['role']} has nothing that can be sent.")
    return False


def function(model: Model, tool: Json) -> Json:
    described = {"description": tool["description"]} if "description" in tool else {}
    return {"name": model.name(tool["name"]), **described, "parametersJsonSchema": tool["input_schema"]}


def parts_of(model: Model, role: str, run: List[Json], names: Json) -> List[Json]:
    """The parts of a run of messages that go into one content."""
    if role == "system":
        return []
    if role == "results":
        return [{"functionResponse": result(model, message, names)} for message in run]
    if role == "assistant":
        return [part for message in run for part in model_parts(model, message)]
    rendered = []
    for message in run:
        said = parts(model, message["content"])
        rendered += said
        if not said:
            model.warn("empty_message_dropped", "A message with role user has nothing that can be sent.")
    return rendered


def model_parts(model: Model, message: Json) -> List[Json]:
    kind, opaque = message.get("type"), model.opaque(message)
    if kind == "tool_call":
        call = {"id": model.id(message["id"]), "name": model.name(message["name"]), "args": arguments_of(message)}
        return [{**opaque.get("beside", {}), "functionCall": call, **signature_of(opaque)}]
    if kind == "provider_item":
        item = model.item(message)
        return [item] if item else []
    if kind == "thinking" and not is_own(model, message):
        model.warn("thinking_dropped", "Thinking goes back only to the model that made it.")
        return []
    text = {"text": message["content"], **({"thought": True} if kind == "thinking" else {})}
    if opaque.get("signature_apart"):
        return [text, {**text, "text": "", **signature_of(opaque)}]  # [GEMINI-17]
    return [{**text, **signature_of(opaque)}] if text["text"] or opaque or says_something(model, message) else []


def is_own(model: Model, message: Json) -> bool:
    opaque = message.get("opaque") or {}
    return all(opaque.get(key) == maker for key, maker in model.made_by.items())


def signature_of(opaque: Json) -> Json:
    """The signature on the part that it came with [GEMINI-6]."""
    return {"thoughtSignature": opaque["signature"]} if "signature" in opaque else {}


def signed(model: Model, contents: List[Json]) -> List[Json]:
    """The contents, in which the first call of each response has a signature, where the model asks for one [GEMINI-7]."""
    for content in [] if ASKS_FOR_NONE.search(model.made_by["model"]) else contents:
        first = next((part for part in content["parts"] if content["role"] == "model" and "functionCall" in part), {})
        if first:
            first.setdefault("thoughtSignature", NO_SIGNATURE)
    return contents


def result(model: Model, message: Json, names: Json) -> Json:
    """A result under the id and the name of its call, with its text apart from its images and documents [GEMINI-2] [GEMINI-5]."""
    found = parts(model, message["output"])
    text = "\n".join(part["text"] for part in found if "text" in part)
    media = [part for part in found if "text" not in part]
    response = {"error": text or SILENT_FAILURE} if message.get("is_error") else {"output": text}  # [GEMINI-4]
    called = {"id": model.id(message["id"]), "name": names.get(message["id"], "unknown")}
    return {**called, "response": response, **({"parts": media} if media else {})}


def parts(model: Model, content: Union[str, List[Json]]) -> List[Json]:
    rendered: List[Json] = []
    if isinstance(content, str):
        return [{"text": content}] if content else []
    for part in content:
        kind, media_type = part["type"], part.get("media_type")
        if kind == "text" and part["text"]:
            rendered.append({"text": part["text"]})
        elif kind in ("image", "document") and "data" in part:
            rendered.append({"inlineData": {"mimeType": media_type, "data": part["data"]}})
        elif kind in ("image", "document"):
            rendered.append({"fileData": {**({"mimeType": media_type} if media_type else {}), "fileUri": part["url"]}})
        else:
            model.warn("part_dropped", f"A part of type {kind} has nothing that can be sent.")
    return rendered


CLIENT = Gemini
