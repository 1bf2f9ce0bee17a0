"""Holds this implementation against the exported vectors, with nothing but Python: python3 vectors.py <folder>/vectors

It is also what a test runner of another language looks like: a matcher, and one function for each file of vectors.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import session
from providers import PROVIDERS, client_of, module_of
from stop_table import STOP_TABLE
from translate import Model
from wire import Json

MISSING = object()
REQUEST: Json = {"messages": [{"role": "user", "content": "Hello."}], "tools": []}


def matches(expected: Any, received: Any, exact: bool = False) -> bool:
    """Objects match by subset, lists whole; an object with one $key is a matcher. See spec/kit/conformance.md."""
    if isinstance(expected, dict) and [key[:1] for key in expected] == ["$"]:
        [(name, operand)] = expected.items()
        return (name == "$absent") == (received is MISSING) and MATCHERS[name](operand, received)
    if isinstance(expected, dict):
        return (
            isinstance(received, dict)
            and all(matches(value, received.get(key, MISSING), exact) for key, value in expected.items())
            and (not exact or received.keys() <= expected.keys())
        )
    if isinstance(expected, list):
        both = isinstance(received, list) and len(expected) == len(received)
        return both and all(matches(*pair, exact) for pair in zip(expected, received))
    if isinstance(expected, str) and expected.startswith("$$"):
        expected = expected[1:]
    return (type(expected) is type(received) and expected == received) or is_number(expected, received)


def is_number(expected: Any, received: Any) -> bool:
    """1 and 1.0 are one number of JSON, and true is none."""
    numbers = [value for value in (expected, received) if type(value) in (int, float)]
    return len(numbers) == 2 and expected == received


def contains(part: Any, whole: Any) -> bool:
    if isinstance(whole, str):
        return part in whole
    rest = iter(whole)
    return all(any(matches(item, found) for found in rest) for item in part)


TYPES: Dict[str, Any] = {
    **{"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)},
    **{"integer": int, "number": (int, float)},
}
MATCHERS: Dict[str, Callable[[Any, Any], bool]] = {
    "$absent": lambda _, received: True,
    "$any": lambda _, received: True,
    "$type": lambda kind, received: isinstance(received, TYPES[kind]),
    "$match": lambda pattern, received: isinstance(received, str) and re.search(pattern, received) is not None,
    "$contains": contains,
    "$exact": lambda expected, received: matches(expected, received, True),
    "$not": lambda expected, received: not matches(expected, received),
}


def render(vector: Json, _: str) -> bool:
    """Whether the request is written as it must be."""
    adapter, client = module_of(vector["provider"]), client_of(vector["provider"])
    request = vector["request"]
    model = Model(adapter.PROVIDER, request["model"], adapter.ID_RULE, adapter.NAME_RULE, request, lambda event: None)
    body = {**adapter.render(model, request), **client("", "key", "", vector.get("transport", "json")).settings}
    return matches(vector["expect"], json.loads(json.dumps(body)))


def parse(vector: Json, url: str) -> bool:
    """Whether the answer is read as what it is; it comes over a real connection."""
    Server.answer = vector["response"]
    client = client_of(vector["provider"])(url, "key", "replay", vector["transport"])
    return matches(vector["expect"], client.invoke(REQUEST, lambda event: None))


def validate(vector: Json, _: str) -> bool:
    """Whether a run can start on the messages."""
    return (session.problem({"spec_version": "1.0", "messages": vector["messages"]}) is None) == vector["valid"]


def stop_table(vector: Json, _: str) -> bool:
    """Whether the table has the row."""
    row: Any = STOP_TABLE[vector["stop_reason"]][1 if vector["has_calls"] else 0]
    return bool(row == vector["expect"])


def has(vector: Json) -> bool:
    """Whether the vector is about something that is here: a provider that it speaks, no form of an output, no events."""
    known = vector.get("provider") is None or vector["provider"] in PROVIDERS
    return known and "output_format" not in vector.get("request", {}) and "events" not in vector


CHECKS: Dict[str, Callable[[Json, str], bool]] = {
    "render": render,
    "parse": parse,
    "validate": validate,
    "stop-table": stop_table,
}


class Server(BaseHTTPRequestHandler):
    """Answers every request with the bytes of the vector."""

    answer: Json = {}

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response_only(self.answer["status"])  # no headers but those of the vector
        for name, value in self.answer["headers"].items():
            self.send_header(name, value)
        self.end_headers()
        text, encoded = self.answer.get("text"), self.answer.get("base64", "")
        self.wfile.write(base64.b64decode(encoded) if text is None else text.encode())

    def log_message(self, *args: Any) -> None:
        pass


def failed(folder: Path, name: str, url: str) -> Iterator[str]:
    vectors = [vector for vector in json.loads((folder / f"{name}.json").read_text("utf-8")) if has(vector)]
    wrong: List[str] = [vector["id"] for vector in vectors if not CHECKS[name](vector, url)]
    print(f"{name} {len(vectors)} agree" if not wrong else f"{name} {len(wrong)} of {len(vectors)} differ")
    yield from wrong


def main(folder: Path) -> int:
    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    wrong = [
        f"{name}: {id}" for name in CHECKS for id in failed(folder, name, f"http://127.0.0.1:{server.server_port}")
    ]
    server.shutdown()
    server.server_close()
    print("".join(f"{line}\n" for line in wrong), end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
