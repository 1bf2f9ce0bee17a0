"""The driver as a process: what it answers while it waits for a tool, for its time, or for a provider."""

import json
import socket
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, List

Json = Any
DRIVER = Path(__file__).with_name("driver.py")
TOOL = {"name": "look", "input_schema": {"type": "object"}}
CALL = {"type": "tool_call", "id": "c", "name": "look", "input": {}}
BUSY = {"code": -32000, "message": "busy", "data": {"error": {"kind": "overloaded", "message": "busy"}}}


class DriverTest(unittest.TestCase):
    def setUp(self) -> None:
        command = [sys.executable, "-B", str(DRIVER)]
        self.driver = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.end)

    def end(self) -> None:
        assert self.driver.stdin and self.driver.stdout
        self.driver.stdin.close()  # a driver ends with its kit, whatever it waits for [DRIVER-21]
        self.assertEqual(self.driver.wait(), 0)
        self.driver.stdout.close()

    def send(self, *messages: Json) -> None:
        assert self.driver.stdin
        self.driver.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
        self.driver.stdin.flush()

    def next(self, *wanted: str) -> Json:
        """The next message that is not an event, or an event of a wanted type."""
        assert self.driver.stdout
        while True:
            message = json.loads(self.driver.stdout.readline())
            if message.get("method") != "event" or message["params"]["event"]["type"] in wanted:
                return message

    def run_with(self, model: Json, **more: Any) -> None:
        session = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Look."}]}
        agents = {"main": {"name": "main", "tools": [TOOL]}}
        params = {"run": "r", "session": session, "agents": agents, "agent": "main", "model": model, **more}
        self.send({"id": 1, "method": "run", "params": params})

    def answer(self, **answer: Json) -> None:
        self.send({"id": self.next()["id"], **answer})

    def test_a_deadline_that_passes_while_a_tool_runs(self) -> None:
        self.run_with({"seam": "generic"}, clock="virtual", options={"deadline_ms": 1000})
        self.answer(result={"messages": [CALL], "stop_reason": "tool_use"})
        self.assertEqual(self.next()["method"], "tool/execute")
        self.send({"method": "unheard_of"}, {"id": 2, "method": "unheard_of", "params": {}})
        self.assertEqual(self.next()["error"]["code"], -32601)
        self.send({"id": 3, "method": "clock/advance", "params": {"run": "r", "ms": 1000}})
        self.assertEqual(self.next()["method"], "tool/abort")
        self.assertEqual(self.next()["result"]["result"]["status"], "deadline")
        self.assertEqual(self.next()["id"], 3)

    def test_a_wait_ends_when_the_clock_has_come_so_far_and_not_before(self) -> None:
        self.run_with({"seam": "generic"}, clock="virtual")
        self.answer(error=BUSY)
        wait = self.next("wait_start")["params"]["event"]["wait_ms"]
        self.send({"id": 2, "method": "clock/advance", "params": {"run": "r", "ms": wait - 1}})
        self.assertEqual(self.next("wait_end")["id"], 2)
        self.send({"id": 3, "method": "clock/advance", "params": {"run": "r", "ms": 1}})
        self.assertEqual(self.next("wait_end")["method"], "event")
        asked = self.next()
        self.assertEqual((asked["method"], self.next()["id"]), ("model/invoke", 3))  # what was due has happened by then
        self.send({"id": asked["id"], "result": {"messages": [], "stop_reason": "end_turn"}})
        self.assertEqual(self.next()["result"]["result"]["status"], "completed")

    def test_the_kit_is_heard_while_a_provider_says_nothing(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            model = {"seam": "openai-chat", "base_url": f"http://127.0.0.1:{server.getsockname()[1]}", "api_key": "k"}
            self.run_with({**model, "model": "m", "transport": "sse"})
            provider, _ = server.accept()
            with provider:
                self.read_request(provider)
                self.send({"id": 2, "method": "barrier", "params": {"run": "r"}})
                self.assertEqual(self.next()["id"], 2)
                head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
                provider.sendall(head + self.chunk("a") + self.chunk(" tree")[:20])
                self.assertEqual(self.next("message_delta")["method"], "event")
                self.send({"id": 3, "method": "barrier", "params": {"run": "r"}})
                self.assertEqual(self.next()["id"], 3)
                provider.sendall(self.chunk(" tree")[20:] + b"data: [DONE]\n\n")
        self.assertEqual(self.next()["result"]["result"]["final_text"], "a tree")

    def read_request(self, provider: socket.socket) -> None:
        read = b""
        while b"\r\n\r\n" not in read:
            read += provider.recv(65536)
        head, _, body = read.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if b"content-length" in line)
        while len(body) < length:
            body += provider.recv(65536)

    def chunk(self, text: str) -> bytes:
        choices: List[Json] = [{"index": 0, "delta": {"content": text}, "finish_reason": None}]
        return f"data: {json.dumps({'choices': choices})}\n\n".encode()


if __name__ == "__main__":
    unittest.main()
