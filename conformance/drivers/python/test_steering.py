"""Steering, as far as no case of the suite can show it: what is said while others are asked whether a run may end."""

import unittest
from typing import List

import agent_loop
from agent_loop import Json
from hooks import Hook
from ports import Ports

SESSION: Json = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Work."}]}
DONE: Json = {"messages": [{"role": "assistant", "content": "Done."}], "stop_reason": "end_turn"}


def conduct(inbox: List[str], hooks: List[Hook], **options: int) -> Json:
    ports = Ports(lambda *_: DONE, lambda call, context: {}, lambda event: None, hooks=hooks, inbox=inbox)
    result, after = agent_loop.run(SESSION, {"main": {"name": "main"}}, "main", ports, options)
    return {**result, "said": [message["content"] for message in after["messages"] if message.get("role") == "user"]}


class SteeringTest(unittest.TestCase):
    def test_what_is_said_while_a_stop_hook_is_asked_is_answered(self) -> None:
        inbox: List[str] = []
        asked: List[int] = []

        def stop(call: Json) -> Json:
            inbox.extend([] if asked else ["And this?"])
            asked.append(call["turn"])
            return {}

        result = conduct(inbox, [Hook("stop", stop)])
        self.assertEqual((result["turns"], asked, result["said"]), (2, [1, 2], ["Work.", "And this?"]))

    def test_no_hook_is_asked_about_an_end_that_is_none(self) -> None:
        asked: List[int] = []
        inbox: List[str] = []

        def after_model(call: Json) -> Json:
            inbox.extend(["And this?"] if call["turn"] == 1 else [])
            return {}

        hooks = [Hook("after_model", after_model), Hook("stop", lambda call: asked.append(call["turn"]) or {})]
        self.assertEqual((conduct(inbox, hooks)["turns"], asked), (2, [2]))

    def test_what_no_turn_was_left_for_stays_with_the_caller(self) -> None:
        inbox: List[str] = []
        hook = Hook("after_model", lambda call: inbox.append("And this?") or {})
        result = conduct(inbox, [hook], max_turns=1)
        self.assertEqual((result["status"], inbox, result["said"]), ("completed", ["And this?"], ["Work."]))


class StopTest(unittest.TestCase):
    def test_a_subagent_is_part_of_the_turn_that_is_finished(self) -> None:
        tool = {"name": "ask", "agent": "cook", "input_schema": {"type": "object"}}
        stir = {"name": "stir", "input_schema": {"type": "object"}}
        agents = {"chef": {"name": "chef", "tools": [tool]}, "cook": {"name": "cook", "tools": [stir]}}
        calls = [{"type": "tool_call", "id": id, "name": name, "input": {}} for id, name in (("a", "ask"), ("b", "stir"))]
        script = iter([{**DONE, "messages": [calls[0]]}, {**DONE, "messages": [calls[1]]}, DONE])
        ports = Ports(lambda *_: next(script), lambda *_: {"output": ""}, lambda event: None, asked_to_stop=lambda: bool(asked))
        asked: List[int] = []
        ports.hooks = [Hook("before_tool", lambda call: asked.append(1) or {})]
        result, after = agent_loop.run(SESSION, agents, "chef", ports)
        self.assertEqual((result["stop_condition"], result["turns"]), ("requested", 1))
        self.assertEqual(after["messages"][-1]["output"], "Done.")


if __name__ == "__main__":
    unittest.main()
