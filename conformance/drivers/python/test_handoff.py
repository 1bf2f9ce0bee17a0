"""Handoffs, as far as no case of the suite can show them: which reason to end a run counts first."""

import unittest
from typing import Any, List

import agent_loop
from agent_loop import Json
from guardrails import Guardrail
from ports import Ports

TOOLS: List[Json] = [{"name": "close", "input_schema": {"type": "object"}}]
SESSION: Json = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Work."}]}
CALL: Json = {"type": "tool_call", "id": "a", "name": "close", "input": {}}


def conduct(value: Json, **options: Any) -> Json:
    ports = Ports(lambda *_: {"messages": [CALL], "stop_reason": "tool_use"}, lambda *_: value, lambda event: None)
    ports.guardrails = [Guardrail("g", ["tool_output"], lambda told: {"trip": "secret" in told["output"]})]
    agents = {"main": {"name": "main", "tools": TOOLS}, "other": {"name": "other", "limits": {"max_turns": 9}}}
    return agent_loop.run(SESSION, agents, "main", ports, options)[0]


class HandoffTest(unittest.TestCase):
    def test_a_guardrail_ends_a_run_before_nobody_goes_on(self) -> None:
        self.assertEqual(conduct({"output": "secret", "handoff": None})["status"], "guardrail")
        self.assertEqual(conduct({"output": "", "handoff": None})["stop_condition"], "no_active_agent")

    def test_what_cannot_be_done_is_an_error_of_the_call(self) -> None:
        for value in ({"output": "", "handoff": ["other"]}, {"output": "", "context_updates": "x"}):
            result = conduct(value, max_turns=1)
            self.assertEqual((result["status"], result["steps"][0]["outcomes"]), ("max_turns", ["error"]))

    def test_the_limits_are_those_of_the_first_agent(self) -> None:
        result = conduct({"output": "", "handoff": "other"}, max_turns=1)
        self.assertEqual((result["status"], result["agent"]), ("max_turns", "other"))


if __name__ == "__main__":
    unittest.main()
