"""A provider on this machine that answers as a script has crafted: for scripts in repro/, without kit and driver."""

import json
import logging
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NoReturn

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
Json = dict[str, Any]


def call(name: str, arguments: str = "{}", number: str = "call_1") -> Json:
    """A call as a model writes it: its arguments are text."""
    return {"id": number, "name": name, "arguments": arguments}


def answer(text: str = "", *calls: Json, reason: str = "", **more: Any) -> Json:
    """One answer of the model. With `is_cut` its stream ends before the last events. Also: thinking, refusal."""
    reason = reason or ("tool_use" if calls else "end_turn")
    return {"text": text, "calls": calls, "reason": reason, "is_cut": False, "thinking": "", "refusal": "", **more}


def written(body: str, *, status: int = 200, kind: str = "") -> Json:
    """One answer, byte for byte."""
    kind = kind or ("application/json" if body.startswith("{") else "text/event-stream")
    return {**answer(), "body": body.encode(), "status": status, "kind": kind}


class Provider:
    """Answers one request after another, at last `ok`: Chat Completions, Responses, Messages, Gemini; streamed if asked."""

    def __init__(self, *answers: Json) -> None:
        self.requests: list[Json] = []
        self._answers = list(answers)
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                status, kind, data, elsewhere = provider._reply(body, self.path)
                self.send_response(status)
                if elsewhere:
                    self.send_header("location", elsewhere)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def refuses(self) -> str | None:
        """What a provider refuses in the last request: a call without a result, an empty text, a repeated id."""
        last = self.requests[-1]
        if "input" in last:
            return next(_refused_responses(last["input"]), None)
        if "contents" in last:
            return next(_refused_contents(last["contents"]), None)
        unread = _refused_chat if "max_completion_tokens" in last or _is_chat(last) else _refused_messages
        return next(unread(last["messages"]), None)

    def _reply(self, body: Json, path: str) -> tuple[int, str, bytes, str]:
        if body.get("thread", {}).get("type") == "continue":
            body = {**body, "messages": self._before(body["thread"]["previous_message_id"]) + body["messages"]}
        self.requests.append(body)
        said = self._answers.pop(0) if self._answers else answer("ok")
        body["answered"] = _blocks(said)
        if "body" in said:
            return said["status"], said["kind"], said["body"], said.get("location", "")
        number = len(self.requests)
        formats = {"chat/completions": _chat, "/responses": _responses, "enerateContent": _gemini}
        write = next((each for part, each in formats.items() if part in path), _messages)
        events = write(said, number)
        if not body.get("stream") and "streamGenerateContent" not in path:
            return 200, "application/json", json.dumps(events[0]).encode(), ""
        lines = events[1][: (-1 if write in (_responses, _gemini) else -2) if said["is_cut"] else None]
        named = "".join(f"{_name_of(each)}data: {json.dumps(each)}\n\n" for each in lines)
        done = "data: [DONE]\n\n" if "chat/completions" in path and not said["is_cut"] else ""
        return 200, "text/event-stream", (named + done).encode(), ""

    def _before(self, number: str) -> list[Json]:
        request = self.requests[int(number.removeprefix("msg_")) - 1]
        return [*request["messages"], {"role": "assistant", "content": request["answered"]}]


def _name_of(event: Json) -> str:
    return f"event: {event['type']}\n" if "type" in event else ""


def verdict(is_there: bool, what: str) -> NoReturn:
    """Ends the script: one line, and exit code 1 if the bug is there."""
    print(what)
    sys.stdout.flush()
    os._exit(1 if is_there else 0)


def _blocks(said: Json) -> list[Json]:
    blocks: list[Json] = list(said.get("content", []))
    if said["thinking"]:
        blocks.append({"type": "thinking", "thinking": said["thinking"], "signature": "c2lnbmF0dXJl"})
    if said["text"]:
        blocks.append({"type": "text", "text": said["text"]})
    for each in said["calls"]:
        blocks.append({"type": "tool_use", "id": each["id"], "name": each["name"], "input": _parsed(each["arguments"])})
    return blocks


def _parsed(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except ValueError:
        return {}


def _chat(said: Json, number: int) -> tuple[Json, list[Json]]:
    reasons = {"tool_use": "tool_calls", "end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}
    message: Json = {"role": "assistant", "content": said["text"] or None}
    calls = [
        {"id": each["id"], "type": "function", "function": {"name": each["name"], "arguments": each["arguments"]}}
        for each in said["calls"]
    ]
    if calls:
        message["tool_calls"] = calls
    usage = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}
    if said["refusal"]:
        message["refusal"] = said["refusal"]
    head = {"id": f"chatcmpl-{number}", "created": 1, "model": "gpt-5"}
    reason = reasons.get(said["reason"], said["reason"])
    choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
    whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
    delta = {**message, **({"tool_calls": [{**each, "index": at} for at, each in enumerate(calls)]} if calls else {})}
    head = {**head, "object": "chat.completion.chunk"}
    chunks = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {**head, "choices": [], "usage": usage},
    ]
    return whole, chunks


def _messages(said: Json, number: int) -> tuple[Json, list[Json]]:
    usage = {"input_tokens": 5, "output_tokens": 5}
    head = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "stop_sequence": None,
    }
    blocks = _blocks(said)
    whole = {**head, "content": blocks, "stop_reason": said["reason"], "usage": usage}
    start: Json = {**head, "content": [], "stop_reason": None, "usage": usage}
    events: list[Json] = [{"type": "message_start", "message": start}]
    written = {each["id"]: each["arguments"] for each in said["calls"]}
    for at, block in enumerate(blocks):
        pieces: list[Json] = []
        empty = block
        if block["type"] == "tool_use":
            pieces = [{"type": "input_json_delta", "partial_json": written.get(block["id"], "{}")}]
            empty = {**block, "input": {}}
        elif block["type"] == "thinking":
            pieces = [{"type": "thinking_delta", "thinking": block["thinking"]}]
            pieces += [{"type": "signature_delta", "signature": block["signature"]}] if "signature" in block else []
            empty = {"type": "thinking", "thinking": "", "signature": ""}
        elif block["type"] == "text":
            pieces, empty = [{"type": "text_delta", "text": block["text"]}], {"type": "text", "text": ""}
        events.append({"type": "content_block_start", "index": at, "content_block": empty})
        events.extend({"type": "content_block_delta", "index": at, "delta": piece} for piece in pieces)
        events.append({"type": "content_block_stop", "index": at})
    delta = {"stop_reason": said["reason"], "stop_sequence": None}
    events += [{"type": "message_delta", "delta": delta, "usage": usage}, {"type": "message_stop"}]
    return whole, events


def _responses(said: Json, number: int) -> tuple[Json, list[Json]]:
    items: list[Json] = []
    if said["thinking"]:
        summary = [{"type": "summary_text", "text": said["thinking"]}]
        items.append({"type": "reasoning", "summary": summary, "encrypted_content": "c2VhbGVk"})
    if said["text"] or said["refusal"]:
        part = {"type": "output_text", "text": said["text"], "annotations": []}
        part = {"type": "refusal", "refusal": said["refusal"]} if said["refusal"] else part
        items.append({"type": "message", "role": "assistant", "status": "completed", "content": [part]})
    for each in said["calls"]:
        names = {"call_id": each["id"], "name": each["name"], "arguments": each["arguments"]}
        items.append({"type": "function_call", "status": "completed", **names})
    items = [{**item, "id": f"{item['type'][:2]}_{number}_{at}"} for at, item in enumerate(items)]
    cut = {"max_tokens": "max_output_tokens", "refusal": "content_filter"}.get(said["reason"])
    head = {"id": f"resp_{number}", "object": "response", "created_at": 1, "model": "gpt-5", "error": None}
    head |= {"tools": [], "tool_choice": "auto", "parallel_tool_calls": True}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    usage = {"input_tokens": 5, "output_tokens": 5, "total_tokens": 10, **details}
    status = "incomplete" if cut else "completed"
    ending = {"incomplete_details": cut and {"reason": cut}, "status": status}
    whole = {**head, "output": items, "usage": usage, **ending}
    events: list[Json] = [{"type": "response.created", "response": {**head, "output": [], "status": "in_progress"}}]
    for at, item in enumerate(items):
        events.extend({"output_index": at, **event} for event in _pieces(item, said["is_cut"]))
    events.append({"type": f"response.{status}", "response": whole})
    return whole, [{**event, "sequence_number": at} for at, event in enumerate(events)]


def _pieces(item: Json, is_cut: bool) -> Iterator[Json]:
    where = {"item_id": item["id"]}
    begun = {**item, "status": "in_progress"}
    if item["type"] == "function_call":
        yield {"type": "response.output_item.added", "item": {**begun, "arguments": ""}}
        yield {"type": "response.function_call_arguments.delta", **where, "delta": item["arguments"]}
        yield {"type": "response.function_call_arguments.done", **where, "arguments": item["arguments"]}
    elif item["type"] == "message":
        where["content_index"] = 0
        part = item["content"][0]
        kind = part["type"]
        field = "text" if kind == "output_text" else "refusal"
        yield {"type": "response.output_item.added", "item": {**begun, "content": []}}
        yield {"type": "response.content_part.added", **where, "part": {**part, field: ""}}
        yield {"type": f"response.{kind}.delta", **where, "delta": part[field]}
        if is_cut:
            return
    else:
        where["summary_index"] = 0
        part = item["summary"][0]
        yield {"type": "response.output_item.added", "item": {**begun, "summary": []}}
        yield {"type": "response.reasoning_summary_part.added", **where, "part": {**part, "text": ""}}
        yield {"type": "response.reasoning_summary_text.delta", **where, "delta": part["text"]}
        if is_cut:
            return
    yield {"type": "response.output_item.done", "item": item}


def _gemini(said: Json, number: int) -> tuple[Json, list[Json]]:
    """Only the first call of a response has a signature, and a stream ends with an empty text."""
    thought = {"text": said["thinking"], "thought": True, "thoughtSignature": "c2lnbmF0dXJl"}
    parts: list[Json] = [thought] if said["thinking"] else []
    parts += [{"text": said["text"]}] if said["text"] else []
    for at, each in enumerate(said["calls"]):
        called = {"id": each["id"], "name": each["name"], "args": _parsed(each["arguments"])}
        seal = {} if at else {"thoughtSignature": f"c2lnbmF0dXJl{number:04}"}
        parts.append({"functionCall": called, **seal})
    finish = {"max_tokens": "MAX_TOKENS", "refusal": "SAFETY"}.get(said["reason"], "STOP")
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 5, "totalTokenCount": 10}

    def body(some: list[Json], **more: Any) -> Json:
        return {"candidates": [{"index": 0, "content": {"role": "model", "parts": some}, **more}]}

    whole = {**body(parts, finishReason=finish), "usageMetadata": usage}
    last = {**body([{"text": ""}], finishReason=finish), "usageMetadata": usage}
    return whole, [*(body([part]) for part in parts), last]


def _refused_contents(contents: list[Json]) -> Iterator[str]:
    seals: list[str] = []
    for content, following in zip(contents, [*contents[1:], {"parts": []}], strict=True):
        calls = [part for part in content["parts"] if "functionCall" in part]
        results = [part for part in following["parts"] if "functionResponse" in part]
        if calls and len(calls) != len(results):
            yield f"{len(calls)} calls are followed by {len(results)} results"
        own = [part["thoughtSignature"] for part in calls if "thoughtSignature" in part]
        if repeated := [seal for seal in own if seal in seals or own.count(seal) > 1]:
            yield f"the signature {repeated[0]} of one call is on another, too"
        seals += own


def _is_chat(request: Json) -> bool:
    return any(each["role"] == "tool" or "tool_calls" in each for each in request["messages"]) or any(
        "function" in tool for tool in request.get("tools", [])
    )


def _refused_chat(messages: list[Json]) -> Iterator[str]:
    unanswered: list[str] = []
    for message in [*messages, {"role": "end"}]:
        if message["role"] == "tool" and message["tool_call_id"] in unanswered:
            unanswered.remove(message["tool_call_id"])
        elif unanswered or message["role"] == "tool":
            yield f"no result of {unanswered}" if unanswered else f"no call of {message['tool_call_id']}"
            return
        else:
            unanswered = [each["id"] for each in message.get("tool_calls") or []]


def _refused_messages(messages: list[Json]) -> Iterator[str]:
    unanswered: list[str] = []
    seen: list[str] = []
    for message in [*messages, {"role": "end", "content": []}]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if missing := [number for number in unanswered if number not in answered]:
            yield f"no result of {missing}"
        unanswered = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if repeated := [number for number in unanswered if number in seen]:
            yield f"the id {repeated[0]} stands twice"
        seen += unanswered
        inner = [each for block in blocks for each in _inside(block)]
        if any(block["type"] == "text" and not block["text"].strip() for block in [*blocks, *inner]):
            yield "an empty text"
        if message["role"] == "assistant" and (not blocks or blocks[-1]["type"] == "thinking"):
            yield "a message of the assistant that ends with thinking, or is empty"


def _inside(block: Json) -> list[Json]:
    content = block.get("content")
    return content if block["type"] == "tool_result" and isinstance(content, list) else []


def _refused_responses(items: list[Json]) -> Iterator[str]:
    called = [item["call_id"] for item in items if item.get("type") in ("function_call", "custom_tool_call")]
    answered = [item["call_id"] for item in items if str(item.get("type")).endswith("_call_output")]
    if missing := [number for number in called if number not in answered]:
        yield f"no result of {missing}"
    if stray := [number for number in answered if number not in called]:
        yield f"no call of {stray[0]}"
    if repeated := [number for at, number in enumerate(called) if number in called[:at]]:
        yield f"the id {repeated[0]} stands twice"
    for item, following in zip(items, [*items[1:], {"role": "user"}], strict=True):
        if item.get("type") == "reasoning" and following.get("role") in ("user", "system", "developer"):
            yield "reasoning without what followed it"
