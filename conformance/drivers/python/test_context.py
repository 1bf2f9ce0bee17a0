"""Context variables, as far as no case of the suite can show them: to whom the objects belong."""

import unittest
from typing import List

import agent_loop
from agent_loop import Json
from ports import Ports

TOOLS: List[Json] = [{"name": "work", "input_schema": {"type": "object"}}]
SESSION: Json = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Work."}]}


class ContextTest(unittest.TestCase):
    def test_nobody_changes_them_but_by_updates(self) -> None:
        calls = [{"type": "tool_call", "id": id, "name": "work", "input": {}} for id in ("a", "b")]
        script = iter([calls, [{"role": "assistant", "content": "Done."}]])
        kept: List[Json] = []

        def work(call: Json, context: Json) -> Json:
            kept.append({"seen": context["list"].copy(), "list": [call["id"]]})
            context["list"].append(call["id"])
            return {"output": "", "context_updates": {"list": kept[-1]["list"]}}

        given: Json = {"list": []}
        ports = Ports(lambda *_: {"messages": next(script), "stop_reason": "end_turn"}, work, lambda event: None)
        agents = {"main": {"name": "main", "tools": TOOLS}}
        result, _ = agent_loop.run(SESSION, agents, "main", ports, context=given)
        kept[-1]["list"].append("later")
        self.assertEqual((given, [each["seen"] for each in kept]), ({"list": []}, [[], []]))
        self.assertEqual(result["context"], {"list": ["b"]})


if __name__ == "__main__":
    unittest.main()
