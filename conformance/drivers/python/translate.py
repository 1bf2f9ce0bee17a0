"""What every translation between the generic format and a provider's needs: whose is what, and what is lost."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from decimal import Decimal
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

from bounds import READABLE, is_deeper
from letters import whole_letters
from written_numbers import read_exactly, write_exactly

Json = Dict[str, Any]
Listen = Callable[[Json], None]
BEGUN = ("role", "type", "id", "name", "provider", "model", "item", "content", "input")
MODEL_MADE = ("thinking", "tool_call", "provider_item")
SILENT_FAILURE = "The tool failed and said nothing."  # what a model reads of an error without an output [PROVIDER-42]


class Model:
    """The model that an adapter speaks with: what it made itself, what its provider refuses, what it is not told."""

    def __init__(self, provider: str, model: str, id_rule: str, name_rule: str, request: Json, listen: Listen) -> None:
        self.made_by = {"provider": provider, "model": request.get("model", model)}  # that of the agent [LOOP-127]
        self.id_rule, self.name_rule = id_rule, name_rule
        self.sent_as = {legal(tool["name"], name_rule): tool["name"] for tool in request["tools"]}
        self.listen = listen
        self.warned: List[Tuple[str, str]] = []

    def warn(self, code: str, message: str) -> None:
        """Tell of a loss, once per request."""
        if (code, message) not in self.warned:
            self.warned.append((code, message))
            self.listen({"type": "warning", "code": code, "message": message})

    def drop(self, setting: str, which: str = "") -> None:
        """Tell of a setting that the provider's format has no field for [PROVIDER-29]."""
        what = f"{setting} {which}".strip()
        self.warn("setting_dropped", f"{what} cannot be sent: {self.made_by['provider']} has no field for it.")

    def opaque(self, message: Json) -> Json:
        """What is opaque in a message, if this model made it [PROVIDER-8]."""
        opaque = dict(message.get("opaque") or {})
        maker = {key: opaque.pop(key, None) for key in self.made_by}
        return opaque if maker == self.made_by else {}

    def item(self, message: Json) -> Optional[Json]:
        """The item of a provider_item, if this model made it."""
        if all(message.get(key) == maker for key, maker in self.made_by.items()):
            item: Json = message["item"]
            return item
        self.warn("provider_item_dropped", "An item of a provider goes back only to the model that made it.")
        return None

    def id(self, id: str) -> str:
        return self.mapped(id, legal(id, self.id_rule))

    def name(self, name: str) -> str:
        return self.mapped(name, legal(name, self.name_rule))

    def mapped(self, name: str, sent: str) -> str:
        if name != sent:
            self.warn("id_mapped", f"The provider refuses the name {name!r}; it is sent as {sent}.")
        return sent

    def tool_call(self, id: Any, name: Any, written: Json, rest: Json) -> Json:
        """A call that the model made; `written` is what parse_arguments gives, `rest` what has no place in it."""
        opaque = {"opaque": {**self.made_by, **rest}} if rest else {}
        return {"type": "tool_call", "id": id or "", "name": self.sent_as.get(name, name or ""), **written, **opaque}

    def known(self, messages: List[Json]) -> List[Json]:
        """The messages that the spec defines; no adapter can carry another."""
        known = [message for message in messages if message.get("type") in (None, "tool_result", *MODEL_MADE)]
        if len(known) < len(messages):
            self.warn("part_dropped", "The format has no place for messages of a type that the spec does not define.")
        return known


def without_unanswered(
    model: Model,
    messages: List[Json],
    called: Callable[[Json], Any],
    answered: Callable[[Json], Any],
    is_over: Callable[[Json], bool] = lambda item: False,
) -> List[Json]:
    """The messages without calls of the server's tools that nothing answers, once a user message follows [PROVIDER-44].

    A call that is over when it is reported is left out at once: a result that is missing stays missing [RESPONSES-41].
    """
    items = [message["item"] for message in messages if message.get("type") == "provider_item"]
    results = {answered(item) for item in items}
    users = [at for at, message in enumerate(messages) if message.get("role") == "user"]
    kept = []
    for at, message in enumerate(messages):
        item = message["item"] if message.get("type") == "provider_item" else {}
        id, may_wait = called(item), not users or at > users[-1]
        if id is None or id in results or (may_wait and not is_over(item)):
            kept.append(message)
        else:
            model.warn("provider_item_dropped", f"The call {id} of the server's own tool has no result.")
    return kept


def runs(messages: List[Json], results_as: str) -> List[Tuple[str, List[Json]]]:
    """The messages in runs of those that go into one message of a provider, each with its role."""
    found: List[Tuple[str, List[Json]]] = []
    for message in messages:
        kind = message.get("type")
        role = results_as if kind == "tool_result" else "assistant" if kind in MODEL_MADE else message["role"]
        if not found or found[-1][0] != role:
            found.append((role, []))
        found[-1][1].append(message)
    return found


def sent_choice(model: Model, request: Json) -> Any:
    """The choice of a request as it can be sent: a word, or {name} with the name under which the tool is declared."""
    choice, names = request.get("tool_choice"), [tool["name"] for tool in request["tools"]]
    if isinstance(choice, dict) and choice["name"] in names:
        return {"name": model.name(choice["name"])}
    if isinstance(choice, dict) or choice == "required" and not names:
        model.drop("tool_choice", "of a tool that the request does not have")
        return None
    return choice if names else None


def legal(name: str, rule: str) -> str:
    """The name itself if it keeps the rule, else another one that does and depends on nothing but the name."""
    if re.fullmatch(rule, name):
        return name
    kept = re.sub("[^a-zA-Z0-9_-]", "_", name)[:31]
    other = f"{kept}_{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return other if re.fullmatch(rule, other) else f"_{other}"  # a name that may not begin with a digit


def text_of(document: Json) -> str:
    return base64.b64decode(document["data"]).decode("utf-8", "replace")


def parse_arguments(written: Any) -> Json:
    """`input` and `raw_input` of a call, from its arguments as the model wrote them [TOOL-1] [TOOL-2] [TOOL-38]."""
    if written is None or isinstance(written, str) and not written.strip():
        return {"input": {}}
    text = written if isinstance(written, str) else write_exactly(written)
    written_numbers: List[str] = []

    def number(text: str) -> Any:
        written_numbers.append(text)
        return finite(text)

    try:
        value = json.loads(text, parse_constant=not_json, parse_float=number)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or is_deeper(value, READABLE) or not is_near(value) or merges_names(value):
        return {"input": None, "raw_input": text}
    exact = is_exact(value) and all(Decimal(each) == Decimal(repr(float(each))) for each in written_numbers)
    return {"input": value} if exact else {"input": value, "raw_input": text}


def is_exact(value: Any) -> bool:
    """Whether numbers that are doubles can hold every whole number of a value."""
    if isinstance(value, (dict, list)):
        return all(map(is_exact, value.values() if isinstance(value, dict) else value))
    return isinstance(value, bool) or not isinstance(value, int) or Decimal(value) == Decimal(repr(float(value)))


def is_near(value: Any) -> bool:
    """Whether a double is near to every whole number of a value [TOOL-46]."""
    if isinstance(value, (dict, list)):
        return all(map(is_near, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or abs(value) < 2**1024 - 2**970


def merges_names(value: Any) -> bool:
    """Whether two names of an object are one once half of a surrogate pair is U+FFFD [TOOL-47]."""
    if isinstance(value, dict) and len({whole_letters(name) for name in value}) < len(value):
        return True
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(merges_names, inner))


def arguments_of(call: Json) -> Json:
    """What a provider is sent as the arguments of a call: those that the model wrote, or none [PROVIDER-10] [PROVIDER-35]."""
    if call["input"] is None:
        return {}
    written = call.get("raw_input", call["input"])
    read: Json = parse_arguments(written)["input"] or {}
    return read_exactly(written) if read and isinstance(written, str) else read


def written_arguments(call: Json) -> str:
    """The same as text, with the numbers that the model wrote as it wrote them [PROVIDER-35]."""
    raw = call.get("raw_input")
    if raw is not None and call["input"] is not None and parse_arguments(raw)["input"] == call["input"]:
        return str(raw)
    return write_exactly(arguments_of(call), separators=(",", ":"))


def not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is a number to Python, and nothing to JSON")


def finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is beyond the numbers of this language")
    return number


def join(pieces: List[str]) -> str:
    """The text of streamed pieces; a surrogate pair that was cut in two becomes one character."""
    return str(json.loads(json.dumps("".join(pieces))))


class Streamed:
    """Tells of messages while they come: message_start, message_delta, message_end."""

    def __init__(self, listen: Listen) -> None:
        self.listen = listen
        self.indexes: Dict[Any, int] = {}  # by whatever the provider knows a message by
        self.open: List[int] = []

    def piece(self, key: Any, delta: str, message: Json) -> None:
        """A piece of a message, which begins with it if it is the first; a text does not begin without one."""
        if key not in self.indexes and (delta or message.get("role") != "assistant"):
            self.indexes[key] = len(self.indexes)
            self.open.append(self.indexes[key])
            empty: Json = {"content": "", "input": {}, "id": message.get("id") or "unknown"}  # the loop makes one later
            begun = {field: empty.get(field, value) for field, value in message.items() if field in BEGUN}
            self.listen({"type": "message_start", "index": self.indexes[key], "message": begun})
        if delta:
            self.listen({"type": "message_delta", "index": self.indexes[key], "delta": delta})

    def rename(self, key: Any, to: Any) -> None:
        """From now on a message that has begun is known by another key."""
        self.indexes[to] = self.indexes.pop(key)

    def end(self, key: Any) -> None:
        index = self.indexes.get(key)
        if index in self.open:
            self.open.remove(index)
            self.listen({"type": "message_end", "index": index})

    def end_all(self) -> None:
        for key in self.indexes:
            self.end(key)
