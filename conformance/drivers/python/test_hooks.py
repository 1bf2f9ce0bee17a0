"""Hooks, as far as no case of the suite can show them."""

import itertools
import unittest
from typing import Any, List
from unittest import mock

import agent_loop
from agent_loop import Json
from clock import Clock
from hooks import Hook
from ports import Ports

TOOLS: List[Json] = [{"name": "work", "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}]
CALL: Json = {"type": "tool_call", "id": "a", "name": "work", "input": {"n": 1}}
DONE: Json = {"role": "assistant", "content": "Done."}


def conduct(hooks: List[Hook], **options: Any) -> Json:
    """What a run of one call and an answer comes to, with the session beside it."""
    script = iter([[CALL], [DONE], [DONE], [DONE]])
    events: List[Json] = []
    model = lambda *_: {"messages": next(script), "stop_reason": "end_turn"}
    ports = Ports(model, lambda call, context: {"data": [call["input"]]}, events.append, hooks=hooks)
    session = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Work."}]}
    result, after = agent_loop.run(session, {"main": {"name": "main", "tools": TOOLS}}, "main", ports, options)
    return {**result, "session": after["messages"], "events": events}


class HooksTest(unittest.TestCase):
    def test_what_a_hook_makes_invalid_is_shown_to_no_other(self) -> None:
        asked: List[Json] = []
        wrong = Hook("before_tool", lambda call: {"input": {"n": "one"}})
        result = conduct([wrong, Hook("before_tool", lambda call: asked.append(call) or {})])
        self.assertEqual((result["session"][2]["outcome"], asked), ("invalid_arguments", []))
        self.assertIn("/n", result["session"][2]["output"])

    def test_a_new_output_leaves_the_data_as_they_are(self) -> None:
        result = conduct([Hook("after_tool", lambda call: {"output": call["output"] + "!"})])
        self.assertEqual((result["session"][2]["output"], result["session"][2]["data"]), ('[{"n":1}]!', [{"n": 1}]))

    def test_what_is_no_answer_permits_nothing(self) -> None:
        for answer in (True, "yes"):
            result = conduct([Hook("before_tool", lambda call: answer)])  # type: ignore[arg-type, return-value]
            self.assertEqual((result["status"], result["session"][2]["outcome"]), ("completed", "denied"))

    def test_an_answer_that_comes_too_late_is_none(self) -> None:
        with mock.patch.object(Clock, "now", lambda clock, times=itertools.count(0, 500): next(times)):
            result = conduct([Hook("before_tool", lambda call: {})], hook_timeout_ms=400)
        self.assertEqual((result["status"], result["session"][2]["outcome"]), ("completed", "denied"))

    def test_those_around_a_run_are_asked_about_one_that_is_refused(self) -> None:
        asked: List[str] = []
        hooks = [Hook(point, lambda call: asked.append(call["point"]) or {}) for point in ("run_start", "run_end")]
        self.assertEqual((conduct(hooks, max_turn=1)["status"], asked), ("error", ["run_start", "run_end"]))  # [HOOK-42]

    def test_what_keeps_a_run_going_is_said_between_two_turns(self) -> None:
        result = conduct([Hook("stop", lambda call: {"block": "Go on."})], max_stop_blocks=1)
        types = [event["type"] for event in result["events"]]
        said = next(index for index, event in enumerate(result["events"]) if event.get("message", {}).get("synthetic"))
        self.assertEqual(types[said - 1 : said + 2], ["turn_end", "message", "turn_start"])
        self.assertEqual((result["status"], result["turns"]), ("completed", 3))


if __name__ == "__main__":
    unittest.main()
