"""The adapters on their own: a stream says what the body says, and one that breaks off says so."""

import io
import json
import random
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Callable, Dict, Iterator, List, Tuple

import anthropic_messages
import gemini
import openai_chat
import openai_responses
import wire
from anthropic_answer import EVENTS
from gemini_answer import KINDS, Reading, told
from openai_chat_message import read
from openai_chat_stream import read_stream
from openai_responses_stream import Items
from translate import Model, Streamed, join
from wire import Json



class Heard(io.BytesIO):
    """An answer that has come whole."""

    bounds = wire.Answer.bounds
    events = wire.Answer.events


USER: Json = {"role": "user", "content": "Hello."}
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
RESPONSES: Json = {
    "model": "m-1",
    "status": "completed",
    "output": [
        {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Let me see."}]},
        {"id": "msg_1", "type": "message", "content": [{"type": "output_text", "text": "I look \U0001f600."}]},
        {"id": "fc_1", "type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"where":["north"]}'},
        {"id": "ws_1", "type": "web_search_call", "status": "completed"},
        {"id": "fc_2", "type": "function_call", "call_id": "c2", "name": "look", "arguments": ""},
    ],
    "usage": {"input_tokens": 7, "output_tokens": 9},
}


GEMINI: Json = {
    "modelVersion": "m-1",
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [
                    {"text": "Let me see.", "thought": True},
                    {"text": "I look \U0001f600."},
                    {"functionCall": {"id": "c1", "name": "look", "args": {"where": ["north"]}}, "thoughtSignature": "c2ln"},
                    {"executableCode": {"language": "PYTHON", "code": "1"}},
                    {"functionCall": {"id": "c2", "name": "look"}},
                ],
            },
            "finishReason": "STOP",
        }
    ],
    "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 9},
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


def gemini_events() -> Iterator[Json]:
    candidate: Any = GEMINI["candidates"][0]
    for part in candidate["content"]["parts"]:
        for piece in [{**part, "text": piece} for piece in pieces(part["text"])] if "text" in part else [part]:
            yield {"modelVersion": "m-1", "candidates": [{"content": {"parts": [piece]}}]}
    yield {**GEMINI, "candidates": [{**candidate, "content": {"parts": [{"text": ""}]}}]}


def responses_events() -> Iterator[Json]:
    yield {"type": "response.created", "response": {**RESPONSES, "output": [], "status": "in_progress", "usage": None}}
    for index, item in enumerate(RESPONSES["output"]):
        at = {"output_index": index, "item_id": item["id"], "summary_index": 0, "content_index": 0}
        empty = {"summary": [], "content": [], "arguments": ""}
        begun = {key: empty.get(key, value) for key, value in item.items()}
        yield {"type": "response.output_item.added", **at, "item": begun}
        for part in item.get("summary", []):
            for piece in pieces(part["text"]):
                yield {"type": "response.reasoning_summary_text.delta", **at, "delta": piece}
        for part in item.get("content", []):
            for piece in pieces(part["text"]):
                yield {"type": "response.output_text.delta", **at, "delta": piece}
        for piece in pieces(item.get("arguments", "")):
            yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
        yield {"type": "response.output_item.done", **at, "item": item}
    yield {"type": "response.completed", "response": {**RESPONSES, "output": []}}


# What the server says under the end of a path: the whole body, and its stream.
ANSWERS: Dict[str, Tuple[Json, Callable[[], Iterator[Any]]]] = {
    "messages": (ANTHROPIC, anthropic_events),
    "m:generateContent": (GEMINI, gemini_events),
    "m:streamGenerateContent?alt=sse": (GEMINI, gemini_events),
    "completions": (CHAT, chat_events),
    "responses": (RESPONSES, responses_events),
}
CLIENTS: List[Any] = [
    anthropic_messages.AnthropicMessages,
    gemini.Gemini,
    openai_chat.OpenaiChat,
    openai_responses.OpenaiResponses,
]


class Server(BaseHTTPRequestHandler):
    """Answers with the body if it is asked for one, and else with the stream, in writes of random sizes."""

    chance = random.Random(7)
    cut = 10**9

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body, events = ANSWERS[self.path.split("/")[-1]]
        self.send_response(200)
        is_stream = "stream" in request or self.path.endswith("alt=sse")
        self.send_header("content-type", "text/event-stream" if is_stream else "application/json")
        self.end_headers()
        if not is_stream:
            self.wfile.write(json.dumps(body).encode())
            return
        written = [event if isinstance(event, str) else json.dumps(event) for event in events()]
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
        for adapter in CLIENTS:
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
        for adapter in CLIENTS:
            response, events = self.invoke(adapter, "sse", cut=1500)
            self.assertEqual(response["stop_reason"], "interrupted")
            self.assertEqual(response["error"]["kind"], "stream_interrupted")
            kinds = [event["type"] for event in events]
            self.assertEqual(kinds.count("message_start"), kinds.count("message_end"))

    def test_items_of_the_last_event_are_those_that_were_streamed(self) -> None:
        heard: List[Json] = []
        model = Model("openai-responses", "m", ".*", ".*", {"tools": []}, heard.append)
        items = Items(model, Streamed(heard.append))
        search, call = {"type": "search"}, {"type": "function_call", "name": "look", "arguments": "{}"}
        begun = [search, {**call, "id": "1", "call_id": "c1"}, {**call, "id": "2", "call_id": "c2"}]
        for index, item in enumerate(begun):
            items.take("response.output_item.done", {"output_index": index, "item": item})
        items.end([search, {**call, "id": "2", "call_id": "c2"}, {**call, "id": "9", "call_id": "c9"}])
        found = [(item.get("call_id"), item.get("final_call_id")) for item in items.whole()]
        self.assertEqual(found, [(None, None), ("c2", None), ("c1", "c9")])
        self.assertEqual([event["type"] for event in heard].count("message_end"), 3)

    def test_what_an_event_of_an_unknown_name_carries_may_be_anything(self) -> None:
        stream = b"event: ping\ndata: still here\n\nevent: weather\ndata: []\n\nevent: error\ndata: {}\n\n"
        heard: Any = Heard(stream)
        self.assertEqual(list(wire.read_events(heard, EVENTS)), [{}])
        for data, names in ((b"data: []\n\n", EVENTS), (b"event: error\ndata: x\n\n", EVENTS), (stream, None)):
            heard = Heard(data)
            with self.assertRaises(wire.Failure) as failed:
                list(wire.read_events(heard, names))
            self.assertEqual(failed.exception.error["kind"], "invalid_response")

    def test_a_whole_message_in_a_stream_is_read_once(self) -> None:
        model = Model("openai-chat", "m", ".*", ".*", {"tools": []}, lambda event: None)
        begun: List[Json] = [{"role": "assistant", "content": ""}, {"padding": "x"}, {}]
        told = [{"delta": delta} for delta in begun] + [{"message": {"content": "Yes."}}] * 2
        stream = "".join(f"data: {json.dumps({'choices': [choice]})}\n\n" for choice in told) + "data: [DONE]\n\n"
        answer: Json = {}
        response: Any = Heard(stream.encode())
        read_stream(model, response, answer, Streamed(lambda event: None))
        self.assertEqual(read(model, answer["message"]), [{"role": "assistant", "content": "Yes."}])

    def test_a_signature_ends_the_text_that_it_came_with(self) -> None:
        heard: List[Json] = []
        reading = Reading(Model("gemini", "m", ".*", ".*", {"tools": []}, heard.append), Streamed(heard.append))
        for text, more in (("One ", {}), ("two.", {"thoughtSignature": "s"}), ("Three.", {}), ("", {"thoughtSignature": "t"})):
            reading.part({"text": text, **more})
        reading.part({"text": "", "thoughtSignature": "u"})
        one, three, alone = reading.response()["messages"]
        own = {"provider": "gemini", "model": "m"}
        self.assertEqual((one["content"], one["opaque"]), ("One two.", {**own, "signature": "s"}))
        self.assertEqual((three["content"], three["opaque"]), ("Three.", {**own, "signature": "t", "signature_apart": True}))
        self.assertEqual(alone["item"], {"text": "", "thoughtSignature": "u"})
        self.assertEqual([event["type"] for event in heard].count("message_end"), 3)

    def test_what_an_error_of_gemini_says_in_its_details(self) -> None:
        details = [{"retryDelay": "34.5s"}, {"reason": "API_KEY_INVALID"}, "x"]
        said = {"code": 400, "status": "INVALID_ARGUMENT", "message": "No.", "details": details}
        with self.assertRaises(wire.Failure) as failed:
            wire.fail(400, said, KINDS)
        told_of = {"code": "INVALID_ARGUMENT", "retry_after_ms": 34500, "kind": "authentication", "message": "No.", "status": 400}
        self.assertEqual(told(failed.exception).error, told_of)

    def test_no_server(self) -> None:
        adapter = openai_chat.OpenaiChat("http://127.0.0.1:9", "key", "m", "json")
        response = adapter.invoke({"messages": [USER], "tools": []}, print)
        self.assertEqual((response["stop_reason"], response["error"]["kind"]), ("error", "network"))


if __name__ == "__main__":
    unittest.main()
