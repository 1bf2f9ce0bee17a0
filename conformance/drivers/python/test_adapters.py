"""The adapters on their own: requests as the spec's examples have them, and streams that say what bodies say."""

import json
import random
import re
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Iterator, List, Tuple

import anthropic_messages
import openai_chat
import wire
from translate import Model, join
from wire import Json

SPEC = Path(__file__).resolve().parents[3] / "spec"
USER: Json = {"role": "user", "content": "Hello."}


def example(provider: str) -> Tuple[List[Json], Json]:
    text = (SPEC / "providers" / f"{provider}.md").read_text()
    blocks = [re.search(f"```json {re.escape(kind)}\n(.*?)```", text, re.DOTALL) for kind in ("Message[]", "Wire")]
    messages, request = (json.loads(block.group(1)) for block in blocks if block)
    return messages, request


def render(adapter: Any, model: str, messages: List[Json], warnings: List[Json]) -> Json:
    request = {"messages": messages, "tools": []}
    made = Model(adapter.PROVIDER, model, adapter.ID_RULE, adapter.NAME_RULE, request, warnings.append)
    rendered: Json = adapter.render(made, request)
    return rendered


class RequestTest(unittest.TestCase):
    def test_the_examples_of_the_spec(self) -> None:
        for adapter, name in ((anthropic_messages, "anthropic-messages"), (openai_chat, "openai-chat")):
            messages, request = example(name)
            warnings: List[Json] = []
            rendered = render(adapter, request["model"], messages, warnings)
            self.assertEqual((rendered, warnings), (request, []))

    def test_results_come_before_texts_and_opaque_things_go_home(self) -> None:
        opaque = {"provider": "anthropic-messages", "model": "m", "signature": "s"}
        signed = {"type": "thinking", "content": "Hm.", "opaque": opaque}
        call = {"type": "tool_call", "id": "a.b", "name": "look", "input": None, "raw_input": "{"}
        messages = [USER, signed, call, {"type": "tool_result", "id": "a.b", "output": ""}, USER]
        warnings: List[Json] = []
        _, second, third = render(anthropic_messages, "m", messages, warnings)["messages"]
        self.assertEqual(second["content"][0], {"type": "thinking", "thinking": "Hm.", "signature": "s"})
        self.assertEqual(second["content"][1]["input"], {})
        self.assertEqual(second["content"][1]["id"], third["content"][0]["tool_use_id"])
        self.assertEqual([block["type"] for block in third["content"]], ["tool_result", "text"])
        render(anthropic_messages, "another", messages, warnings)
        render(openai_chat, "m", messages, warnings)
        codes = ["id_mapped", "thinking_dropped", "id_mapped", "thinking_dropped"]
        self.assertEqual([warning["code"] for warning in warnings], codes)

    def test_half_a_surrogate_pair_is_not_sent(self) -> None:
        sent = json.loads(wire.unicode({"a": "x\ud83dy", "b": "\ud83d\ude00"}))
        self.assertEqual(sent, {"a": "x\ufffdy", "b": "\U0001f600"})


ANTHROPIC: Json = {
    "model": "m-1",
    "content": [
        {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"},
        {"type": "text", "text": "I look \U0001f600."},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"where": ["north"]}},
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "trees"}},
        {"type": "tool_use", "id": "toolu_2", "name": "look", "input": {}},
    ],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 9},
}
CHAT: Json = {
    "model": "m-1",
    "choices": [
        {
            "message": {
                "role": "assistant",
                "reasoning_content": "Let me see.",
                "content": "I look \U0001f600.",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"where":["north"]}'}},
                    {"id": "c2", "type": "function", "function": {"name": "look", "arguments": ""}},
                ],
            },
            "finish_reason": "tool_calls",
        }
    ],
    "usage": {"prompt_tokens": 7, "completion_tokens": 9},
}


def pieces(text: str) -> Iterator[str]:
    """A text as a server writes it in JSON, each character in one piece, surrogate pairs in two."""
    units = text.encode("utf-16-le")
    for at in range(0, len(units), 2):
        yield units[at : at + 2].decode("utf-16-le", "surrogatepass")


def anthropic_events() -> Iterator[Json]:
    yield {"type": "message_start", "message": {**ANTHROPIC, "content": [], "stop_reason": None}}
    yield {"type": "ping"}
    fields = {"text": "text_delta", "thinking": "thinking_delta", "signature": "signature_delta"}
    fields["input"] = "input_json_delta"
    for index, block in enumerate(ANTHROPIC["content"]):
        begun = {key: ({} if key == "input" else "") if key in fields else value for key, value in block.items()}
        yield {"type": "content_block_start", "index": index, "content_block": {**begun, "type": block["type"]}}
        for key in fields.keys() & block.keys():
            text = block[key] if key != "input" else json.dumps(block[key]) if block[key] else ""
            for piece in pieces(text):
                delta = {"type": fields[key], "partial_json" if key == "input" else key: piece}
                yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}
    yield {"type": "message_stop"}


def chat_events() -> Iterator[Any]:
    def chunk(delta: Json, finish: Any = None) -> Json:
        return {"model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    message: Any = CHAT["choices"][0]["message"]
    for field in ("reasoning_content", "content"):
        for piece in pieces(message[field]):
            yield chunk({field: piece})
    for index, call in enumerate(message["tool_calls"]):
        yield chunk({"tool_calls": [{**call, "index": index, "function": {"name": "look", "arguments": ""}}]})
    for index, call in enumerate(message["tool_calls"]):
        for piece in pieces(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": index, "id": "", "function": {"name": "look", "arguments": piece}}]})
    yield chunk({}, "tool_calls")
    yield {"choices": [], "usage": CHAT["usage"]}
    yield "[DONE]"


class Server(BaseHTTPRequestHandler):
    """Answers with the body if it is asked for one, and else with the stream, in writes of random sizes."""

    chance = random.Random(7)
    cut = 10**9

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        anthropic = self.path.endswith("/v1/messages")
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if "stream" in request else "application/json")
        self.end_headers()
        if "stream" not in request:
            self.wfile.write(json.dumps(ANTHROPIC if anthropic else CHAT).encode())
            return
        events = anthropic_events() if anthropic else chat_events()
        written = [event if isinstance(event, str) else json.dumps(event) for event in events]
        stream = "".join(f"data: {data}\n\n" for data in written).encode()[: Server.cut]
        while stream:
            size = self.chance.randint(1, 400)
            self.wfile.write(stream[:size])
            self.wfile.flush()
            stream = stream[size:]

    def log_message(self, *args: Any) -> None:
        pass


class ResponseTest(unittest.TestCase):
    server: HTTPServer
    url: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = HTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=cls.server.serve_forever, args=(0.01,), daemon=True).start()
        cls.url = f"http://127.0.0.1:{cls.server.server_port}"

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()

    def invoke(self, adapter: Any, transport: str, cut: int = 10**9) -> Tuple[Json, List[Json]]:
        events: List[Json] = []
        Server.cut = cut
        request = {"messages": [USER], "tools": [{"name": "look", "input_schema": {"type": "object"}}]}
        return adapter(self.url, "key", "m", transport).invoke(request, events.append), events

    def test_a_stream_says_what_the_body_says(self) -> None:
        for adapter in (anthropic_messages.AnthropicMessages, openai_chat.OpenaiChat):
            whole, no_events = self.invoke(adapter, "json")
            streamed, events = self.invoke(adapter, "sse")
            self.assertEqual(streamed, whole)
            self.assertEqual(no_events, [])
            self.assertEqual(whole["usage"]["input_tokens"], 7)
            texts = [message["content"] for message in whole["messages"] if "content" in message]
            self.assertEqual(texts, ["Let me see.", "I look \U0001f600."])
            deltas = [event for event in events if event["type"] == "message_delta"]
            self.assertEqual(join([event["delta"] for event in deltas if event["index"] == 1]), texts[1])

    def test_a_stream_that_breaks_off(self) -> None:
        for adapter in (anthropic_messages.AnthropicMessages, openai_chat.OpenaiChat):
            response, events = self.invoke(adapter, "sse", cut=1500)
            self.assertEqual(response["stop_reason"], "interrupted")
            self.assertEqual(response["error"]["kind"], "stream_interrupted")
            kinds = [event["type"] for event in events]
            self.assertEqual(kinds.count("message_start"), kinds.count("message_end"))

    def test_no_server(self) -> None:
        adapter = openai_chat.OpenaiChat("http://127.0.0.1:9", "key", "m", "json")
        response = adapter.invoke({"messages": [USER], "tools": []}, print)
        self.assertEqual((response["stop_reason"], response["error"]["kind"]), ("error", "network"))


if __name__ == "__main__":
    unittest.main()
