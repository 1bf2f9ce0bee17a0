"""Guardrails, as far as no case of the suite can show them: what they are shown, and at which time."""

import unittest
from typing import Any, Callable, List

import agent_loop
from agent_loop import Json
from clock import Clock
from guardrails import Guardrail
from hooks import Hook
from ports import Ports

TOOLS: List[Json] = [{"name": "work", "input_schema": {"type": "object"}}]
SESSION: Json = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Work."}]}
CALL: Json = {"type": "tool_call", "id": "a", "name": "work", "input": {}}


class Standing(Clock):
    """A clock that somebody else moves."""

    time = 0.0

    def now(self) -> float:
        return self.time


def conduct(script: List[Any], check: Callable[[Json], Json], point: str, clock: Clock, **more: Any) -> Json:
    responses = iter(script)
    model = lambda *_: {"messages": next(responses), "stop_reason": "end_turn"}
    guardrails = [Guardrail("g", [point], check)]
    tool = more.pop("tool", lambda call, context: {"output": "secret"})
    ports = Ports(model, tool, lambda event: None, clock, guardrails=guardrails, hooks=more.pop("hooks", []))
    result, after = agent_loop.run(SESSION, {"main": {"name": "main", "tools": TOOLS}}, "main", ports, more)
    return {**result, "session": after["messages"]}


class GuardrailsTest(unittest.TestCase):
    def test_is_shown_what_is_stored(self) -> None:
        shown: List[str] = []
        check = lambda told: shown.append(told["output"]) or {"trip": True}
        hook = Hook("after_tool", lambda call: {"output": "redacted"})
        result = conduct([[CALL]], check, "tool_output", Clock(), hooks=[hook])
        self.assertEqual((shown, result["session"][-1]["output"]), (["redacted"], "redacted"))
        self.assertEqual(result["session"][-1]["meta"], {"guardrail": "g"})

    def test_a_final_text_is_not_told_that_nobody_could_look_at_in_time(self) -> None:
        clock = Standing()

        def after_model(call: Json) -> Json:
            clock.time = 1000
            return {}

        script = [[{"role": "assistant", "content": "secret"}]]
        hook = Hook("after_model", after_model)
        result = conduct(script, lambda told: {"trip": True}, "final_output", clock, hooks=[hook], deadline_ms=1000)
        self.assertEqual((result["status"], result["final_text"]), ("deadline", ""))

    def test_what_is_no_finding_has_let_nothing_pass(self) -> None:
        for finding in (None, {}, "fine"):
            result = conduct([[CALL]], lambda told: finding, "tool_input", Clock())  # type: ignore[arg-type, return-value]
            self.assertEqual((result["status"], result["session"][-1]["outcome"]), ("guardrail", "denied"))

    def test_what_was_refused_is_no_longer_what_is_sent(self) -> None:
        thought = {"type": "thinking", "content": "hm", "meta": {"turn": 1}}
        result = conduct([[thought, CALL]], lambda told: {"trip": True}, "model_output", Clock())
        marks = [(message.get("status"), message.get("meta")) for message in result["session"][1:]]
        refused = ("incomplete", {"guardrail": "g"})
        self.assertEqual(marks, [("incomplete", {"turn": 1, "guardrail": "g"}), refused, ("incomplete", None)])


if __name__ == "__main__":
    unittest.main()
