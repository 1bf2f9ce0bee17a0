"""Subagents, as far as no case of the suite can show them: what a snapshot has of them, and what they have of a run."""

import json
import unittest
from typing import Any, Callable, List, Tuple

import agent_loop
from agent_loop import Json
from guardrails import Guardrail
from hooks import Hook
from ports import Ports
from result import NO_USAGE
from tool_calls import ToolFatal

EMPTY = {"type": "object"}
AGENTS: Json = {
    "chef": {
        "name": "chef",
        "tools": [{"name": "ask_cook", "agent": "cook", "input_schema": EMPTY}, {"name": "note", "input_schema": EMPTY}],
    },
    "cook": {"name": "cook", "tools": [{"name": "ask_user", "external": True, "input_schema": EMPTY}]},
}
SESSION: Json = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Cook."}]}
ANSWER: Json = {"id": "c", "path": ["a"], "action": "respond", "output": "Salt."}
USAGE: Json = {**NO_USAGE, "input_tokens": 60, "output_tokens": 40}


def call(id: str, name: str) -> Json:
    return {"type": "tool_call", "id": id, "name": name, "input": {}}


BATCH = [call("b", "note"), call("a", "ask_cook")]


class Kitchen:
    """A chef who notes something and asks the cook, who asks the user."""

    def __init__(self, script: List[Any], note: Callable[[], Json], **ports: Any) -> None:
        self.script, self.noted, self.events = iter(script), 0, []  # type: ignore[var-annotated]
        self.note, self.given = note, ports

    def ports(self) -> Ports:
        return Ports(self.model, self.tool, self.events.append, **self.given)

    def model(self, *_: Any) -> Json:
        said = next(self.script)
        messages = said if isinstance(said, list) else [{"role": "assistant", "content": said}]
        return {"messages": messages, "stop_reason": "end_turn", "usage": USAGE}

    def tool(self, call: Json, context: Json) -> Json:
        self.noted += 1
        return self.note()

    def run(self, **options: Any) -> Tuple[Json, Json]:
        return agent_loop.run(SESSION, AGENTS, "chef", self.ports(), options, {"salt": "none"})

    def resume(self, result: Json, **options: Any) -> Tuple[Json, Json]:
        snapshot = json.loads(json.dumps(result["snapshot"]))
        return agent_loop.resume(snapshot, [ANSWER], AGENTS, self.ports(), options)


class SubagentsTest(unittest.TestCase):
    script = [BATCH, [call("c", "ask_user")], "Soup.", "Done."]

    def test_what_was_executed_is_kept_and_counts_once(self) -> None:
        hook = Hook("after_tool", lambda told: {"add_context": "Mind the salt."} if told["call"]["name"] == "note" else {})
        kitchen = Kitchen(self.script, lambda: {"output": "noted", "context_updates": {"salt": "little"}}, hooks=[hook])
        result, _ = kitchen.run()
        self.assertEqual([each["path"] for each in result["pending"]], [["a"]])
        self.assertEqual(list(result["snapshot"]["unfinished"]), ["b", "a"])
        self.assertEqual(result["snapshot"]["context"], {"salt": "none"})
        self.assertEqual(result["snapshot"]["unsaid"], [{"text": "Mind the salt.", "id": "b"}])
        result, session = kitchen.resume(result)
        self.assertEqual((result["status"], kitchen.noted, result["context"]), ("completed", 1, {"salt": "little"}))
        self.assertEqual([message.get("output") for message in session["messages"][3:5]], ["noted", "Soup."])
        self.assertEqual(session["messages"][5]["content"], "Mind the salt.")
        self.assertEqual((result["usage"]["input_tokens"], result["steps"][0]["subagents"][0]["turns"]), (240, 2))

    def test_a_fatal_error_beside_it_is_remembered(self) -> None:
        def fail() -> Json:
            raise ToolFatal("broken")

        result, session = Kitchen(self.script, fail).run()
        self.assertEqual((result["status"], result["error"]["message"]), ("error", "broken"))
        self.assertEqual([message["outcome"] for message in session["messages"][3:]], ["error", "interrupted"])

    def test_a_guardrail_that_trips_beside_it_ends_the_run(self) -> None:
        guardrail = Guardrail("g", ["tool_output"], lambda told: {"trip": True})
        result, session = Kitchen(self.script, lambda: {"output": "x"}, guardrails=[guardrail]).run()
        self.assertEqual((result["status"], session["messages"][-1]["outcome"]), ("guardrail", "interrupted"))

    def test_what_is_left_counts_from_the_beginning_of_both(self) -> None:
        kitchen = Kitchen(self.script, lambda: {"output": ""})
        result, _ = kitchen.run(max_total_tokens=400)
        result, session = kitchen.resume(result)
        self.assertEqual((result["status"], session["messages"][-1]["content"]), ("completed", "Done."))
        kitchen = Kitchen(self.script, lambda: {"output": ""})
        result, session = kitchen.resume(kitchen.run(max_total_tokens=200)[0])
        self.assertEqual((result["status"], session["messages"][-1]["outcome"]), ("token_limit", "error"))

    def test_a_decision_about_nothing_that_waits_is_refused(self) -> None:
        kitchen = Kitchen(self.script, lambda: {"output": ""})
        snapshot = kitchen.run()[0]["snapshot"]
        for decisions in ([], [{**ANSWER, "path": ["b"]}], [ANSWER, ANSWER], [{**ANSWER, "path": ["a", "c"]}]):
            result, _ = agent_loop.resume(snapshot, decisions, AGENTS, kitchen.ports())
            self.assertEqual(result["error"]["kind"], "configuration")


if __name__ == "__main__":
    unittest.main()
