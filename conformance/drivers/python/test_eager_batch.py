"""Batches that are executed in part, as far as no case of the suite can show them."""

import json
import unittest
from typing import Any, List

import agent_loop
from agent_loop import Json
from ports import Ports
from tool_calls import ToolFatal

EMPTY = {"type": "object"}
TOOLS: List[Json] = [{"name": "ask", "external": True, "input_schema": EMPTY}, {"name": "work", "input_schema": EMPTY}]
AGENTS: Json = {"main": {"name": "main", "tools": TOOLS}}
SESSION: Json = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Work."}]}


def call(id: str, name: str) -> Json:
    return {"type": "tool_call", "id": id, "name": name, "input": {}}


BATCH = [call("a", "ask"), call("b", "work")]
DONE = [{"role": "assistant", "content": "Done."}]


class EagerBatchTest(unittest.TestCase):
    def ports(self, tool: Any) -> Ports:
        script = iter([BATCH, DONE])
        return Ports(lambda *_: {"messages": next(script), "stop_reason": "end_turn"}, tool, lambda event: None)

    def test_what_a_tool_asked_for_counts_once_when_the_batch_is_done(self) -> None:
        asked: List[str] = []
        value = {"output": "ok", "final": True, "context_updates": {"n": 1}}
        ports = self.ports(lambda call, context: asked.append(call["id"]) or value)
        result, _ = agent_loop.run(SESSION, AGENTS, "main", ports, {"approval_batch": "eager"})
        snapshot = json.loads(json.dumps(result["snapshot"]))
        kept = {**{key: value[key] for key in ("final", "context_updates")}, "result": {"output": "ok"}}
        kept["result"] = {"type": "tool_result", "id": "b", "output": "ok", "outcome": "ok"}
        self.assertEqual((snapshot["unfinished"], "context" in snapshot), ({"b": {"executed": kept}}, False))
        answer = {"id": "a", "action": "respond", "output": "yes"}
        result, _ = agent_loop.resume(snapshot, [answer], AGENTS, ports)
        self.assertEqual((result["status"], asked, result["context"]), ("completed", ["b"], {"n": 1}))

    def test_a_fatal_error_ends_a_run_in_which_a_call_waits(self) -> None:
        def fail(call: Json, context: Json) -> Json:
            raise ToolFatal("broken")

        result, session = agent_loop.run(SESSION, AGENTS, "main", self.ports(fail), {"approval_batch": "eager"})
        self.assertEqual((result["status"], result["error"]["kind"]), ("error", "tool_fatal"))
        self.assertEqual([message["outcome"] for message in session["messages"][3:]], ["interrupted", "error"])

    def test_nothing_was_begun_where_all_wait(self) -> None:
        script = iter([BATCH[:1]])
        ports = Ports(lambda *_: {"messages": next(script), "stop_reason": "end_turn"}, lambda *_: {}, lambda event: None)
        result, _ = agent_loop.run(SESSION, AGENTS, "main", ports, {"approval_batch": "eager"})
        self.assertNotIn("unfinished", result["snapshot"])


if __name__ == "__main__":
    unittest.main()
