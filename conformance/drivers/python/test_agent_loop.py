"""The loop on its own: its table is the spec's, its check of arguments converts nothing, and a run needs no kit."""

import copy
import json
import unittest
from pathlib import Path
from typing import Any, List

import agent_loop
from agent_loop import Json
from json_schema import check
from ports import Ports
from result_texts import RESULT_TEXTS
from session import problem
from stop_table import STOP_TABLE

SPEC = Path(__file__).resolve().parents[3] / "spec"


def call(id: str, name: str = "look") -> Json:
    return {"type": "tool_call", "id": id, "name": name, "input": {}}


def result(id: str) -> Json:
    return {"type": "tool_result", "id": id, "output": "", "outcome": "ok"}


def session(*messages: Json) -> Json:
    return {"spec_version": "1.0", "id": "s", "messages": list(messages)}


USER = {"role": "user", "content": "Look."}


class StopTableTest(unittest.TestCase):
    def test_is_the_table_of_the_spec(self) -> None:
        spec = json.loads((SPEC / "stop-table.json").read_text())
        self.assertEqual({key: {"no_calls": row[0], "calls": row[1]} for key, row in STOP_TABLE.items()}, spec)


class ResultTextsTest(unittest.TestCase):
    def test_are_those_of_the_spec(self) -> None:
        spec = json.loads((SPEC / "result-texts.json").read_text())
        self.assertEqual(RESULT_TEXTS, {key: spec[key]["text"] for key in RESULT_TEXTS})


class SchemaTest(unittest.TestCase):
    def broken(self, value: Any, schema: Any) -> List[str]:
        return [pointer for pointer, _ in check(value, schema)]

    def test_converts_nothing(self) -> None:
        wrong = [("1", "integer"), (True, "integer"), (1.5, "integer"), (1, "boolean"), (0, "null"), ({}, "array")]
        for value, kind in wrong:
            self.assertEqual(self.broken({"a": value}, {"type": "object", "properties": {"a": {"type": kind}}}), ["/a"])
        self.assertEqual(self.broken(1.0, {"type": "integer"}), [])
        self.assertEqual(self.broken(None, {"type": ["string", "null"]}), [])

    def test_equality_is_that_of_json(self) -> None:
        self.assertEqual(self.broken(True, {"enum": [1]}), [""])
        self.assertEqual(self.broken([{"a": 1.0}], {"const": [{"a": 1}]}), [])

    def test_names_every_value(self) -> None:
        schema: Json = {"required": ["x"], "properties": {"a/b": {"items": {"type": "string"}}}}
        schema["additionalProperties"] = False
        self.assertEqual(self.broken({"a/b": ["", 1, 2], "~": 0}, schema), ["/x", "/a~1b/1", "/a~1b/2", "/~0"])


class StartTest(unittest.TestCase):
    def test_what_a_run_can_start_on(self) -> None:
        half = {"role": "assistant", "content": "I", "status": "incomplete"}
        batch = [USER, call("a"), call("b"), result("a"), result("b")]
        for messages in ([USER], [USER, half], batch, [USER, {"type": "x"}, USER]):
            self.assertIsNone(problem(session(*messages)))

    def test_what_it_cannot_start_on(self) -> None:
        answer = {"role": "assistant", "content": "I see."}
        broken = [[], [USER, answer], [USER, call("a")], [USER, call("a"), USER], [USER, result("a")]]
        broken += [[USER, call("a"), result("a"), result("a")], [USER, call("a"), USER, result("a")]]
        broken += [[USER, call("a"), call("b"), result("b"), result("a")]]
        for messages in broken:
            self.assertIsNotNone(problem(session(*messages)), messages)


class RunTest(unittest.TestCase):
    def test_runs_and_leaves_the_given_session_alone(self) -> None:
        nothing, answer = {"role": "assistant", "content": ""}, {"role": "assistant", "content": "I see."}
        script = [[call("a"), call("a", "peek")], [nothing, answer]]
        responses = iter([{"messages": said, "stop_reason": "end_turn"} for said in script])
        events: List[Json] = []
        ports = Ports(lambda request, listen, bounds: next(responses), lambda call, context: {"output": "a tree"}, events.append)
        given = session(USER)
        before = copy.deepcopy(given)
        agents = {"main": {"name": "main", "tools": [{"name": "look", "input_schema": {"type": "object"}}]}}
        result, after = agent_loop.run(given, agents, "main", ports)
        self.assertEqual(given, before)
        self.assertEqual((result["status"], result["turns"], result["final_text"]), ("completed", 2, "I see."))
        self.assertEqual(result["steps"][0]["outcomes"], ["ok", "unknown_tool"])
        self.assertEqual([message.get("id") for message in after["messages"]], [None, "a", "a_2", "a", "a_2", None])
        appended = [event["message"] for event in events if event["type"] == "message"]
        self.assertEqual(given["messages"] + appended, after["messages"])
        self.assertEqual([event["seq"] for event in events], list(range(len(events))))


if __name__ == "__main__":
    unittest.main()
