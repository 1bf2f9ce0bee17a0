"""Where a run goes on: what stands around the loop has what it had when the process ended."""

import copy
import unittest
from typing import Any, Callable, Dict, List, Tuple

import agent_loop
from guardrails import Guardrail
from hooks import Hook
from journal import Store
from ports import Ports
from recovery import recover

Json = Dict[str, Any]
SESSION = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Pay and send."}]}
NAMES = ("pay", "send")
TOOLS = [{"name": name, "input_schema": {"type": "object"}} for name in NAMES]
HELPER = {"name": "helper", "tools": [TOOLS[0]]}
CALLS = [{"type": "tool_call", "id": name, "name": name, "input": {}} for name in NAMES]
DONE = {"role": "assistant", "content": "Done."}


class World:
    """A model, tools and a store; the process ends instead of keeping more than so many records."""

    def __init__(self, records: List[Json], ends_after: int = 1000, **around: Any) -> None:
        self.records, self.ends_after, self.around = records, ends_after, around
        self.executed: List[str] = []
        self.events: List[Json] = []

    def ports(self) -> Ports:
        journal = Store(lambda: self.records, self.append)
        return Ports(self.model, self.execute, self.events.append, journal=journal, **self.around)

    def model(self, request: Json, listen: Any, bounds: Json) -> Json:
        if any(message.get("type") == "tool_result" for message in request["messages"]):
            return {"messages": [DONE], "stop_reason": "end_turn"}
        return {"messages": copy.deepcopy(CALLS[: len(request["tools"])]), "stop_reason": "tool_use"}

    def execute(self, call: Json, context: Json) -> Json:
        self.executed.append(call["name"])
        return {"output": f"Raw {call['name']}.", "context_updates": {call["name"]: True}}

    def append(self, records: List[Json]) -> None:
        if len(self.records) >= self.ends_after:
            raise SystemExit("the process ends")
        self.records.extend(copy.deepcopy(records))


Play = Callable[[World], Tuple[Json, Json]]


def run(world: World, tools: List[Json] = TOOLS, **options: Any) -> Tuple[Json, Json]:
    agents = {"main": {"name": "main", "tools": tools}, "helper": HELPER}
    return agent_loop.run(SESSION, agents, "main", world.ports(), options)


def results(session: Json) -> Json:
    return {message["id"]: message for message in session["messages"] if message.get("type") == "tool_result"}


class RecoveryTest(unittest.TestCase):
    def everywhere(self, play: Play, around: Callable[[], Json], check: Callable[[Json, Json, World], None]) -> None:
        """Let the process end behind each record, and look at what the next one comes to."""
        whole = World([], **around())
        play(whole)
        for count in range(1, len(whole.records)):
            first = World([], count, **around())
            with self.subTest(count), self.assertRaises(SystemExit):
                play(first)
            lost = first.records[-1]["id"] if first.records[-1]["type"] == "tool_started" else None
            then = World(first.records, **around())
            with self.subTest(count, record=first.records[-1]):
                result, session = recover({"main": {"name": "main", "tools": TOOLS}, "helper": HELPER}, then.ports())
                for name in NAMES:
                    outcome = results(session)[name]["outcome"] if name in results(session) else None
                    self.assertEqual(outcome == "interrupted", name == lost)
                    self.assertLessEqual([*first.executed, *then.executed].count(name), 1)
                check(result, session, then)

    def test_what_hooks_change_and_add_is_there_once(self) -> None:
        def around() -> Json:
            seen = Hook("after_tool", lambda told: {"output": f"Seen: {told['output']}", "add_context": f"About {told['call']['id']}."})
            return {"hooks": [seen]}

        def check(result: Json, session: Json, then: World) -> None:
            kept = {id: each["output"] for id, each in results(session).items() if each["outcome"] == "ok"}
            self.assertEqual(kept, {id: f"Seen: Raw {id}." for id in kept})
            said = [message["content"] for message in session["messages"] if message.get("synthetic") and "role" in message]
            self.assertEqual(said, [f"About {id}." for id in kept])
            self.assertEqual(result["context"], {id: True for id in kept})

        self.everywhere(run, around, check)

    def test_what_a_guardrail_refuses_ends_the_run_wherever_its_process_ended(self) -> None:
        for point in ("input", "model_output", "tool_input", "tool_output", "final_output"):

            def around(point: str = point) -> Json:
                return {"guardrails": [Guardrail("strict", [point], lambda told: {"trip": True, "reason": "No."})]}

            def check(result: Json, session: Json, then: World, point: str = point) -> None:
                was_lost = any(each["outcome"] == "interrupted" for each in results(session).values())
                self.assertIn((result["status"], was_lost), [("guardrail", False), ("guardrail", True)])
                self.assertEqual((result["guardrail"]["point"], result["reason"]), (point, "No."))

            with self.subTest(point):
                self.everywhere(run, around, check)

    def test_what_a_hook_refuses_is_refused_in_the_next_process(self) -> None:
        asked: List[int] = []

        def around() -> Json:
            return {"hooks": [Hook("after_model", lambda told: asked.append(told["turn"]) or {"block": "Not so."})]}

        def check(result: Json, session: Json, then: World) -> None:
            self.assertEqual((result["stop_condition"], result["reason"], then.executed), ("blocked", "Not so.", []))
            self.assertEqual([each["outcome"] for each in results(session).values()], ["denied", "denied"])

        self.everywhere(run, around, check)

    def test_what_was_said_to_the_run_is_kept_and_heard(self) -> None:
        heard: List[str] = []

        def around(moment: str) -> Json:
            inbox: List[str] = []
            hear = Hook("user_input", lambda told: heard.append(told["message"]["content"]) or {})
            return {"inbox": inbox, "hooks": [Hook(moment, lambda told: inbox.append("Hurry.")), hear]}

        for moment, again in (("run_start", ["Pay and send.", "Hurry."]), ("turn_start", ["Hurry."])):
            said = World([], **around(moment))
            run(said)
            appended = next(n for n, record in enumerate(said.records, 1) if "Hurry." in str(record))
            first = World([], appended, **around(moment))
            with self.subTest(moment), self.assertRaises(SystemExit):
                run(first)
            heard.clear()
            with self.subTest(moment):
                then = World(first.records, hooks=around("none")["hooks"])
                _, session = recover({"main": {"name": "main", "tools": TOOLS}}, then.ports())
                self.assertEqual(heard, again)
                users = [message["content"] for message in session["messages"] if message.get("role") == "user"]
                self.assertEqual(users, ["Pay and send.", "Hurry."])

    def test_what_was_approved_is_executed_once(self) -> None:
        def play(world: World) -> Tuple[Json, Json]:
            agents = {"main": {"name": "main", "tools": TOOLS}}
            options = {"permissions": {"mode": "bypass", "rules": [{"effect": "ask", "match": "pay"}]}}
            result, _ = agent_loop.run(SESSION, agents, "main", world.ports(), options)
            return agent_loop.resume(result["snapshot"], [{"id": "pay", "action": "approve"}], agents, world.ports())

        def check(result: Json, session: Json, then: World) -> None:
            if result["status"] == "suspended":
                self.assertEqual([each["id"] for each in result["pending"]], ["pay"])
                agents = {"main": {"name": "main", "tools": TOOLS}}
                result, session = agent_loop.resume(result["snapshot"], [{"id": "pay", "action": "approve"}], agents, then.ports())
            self.assertEqual((result["status"], set(results(session))), ("completed", set(NAMES)))

        self.everywhere(play, dict, check)

    def test_a_call_that_is_not_permitted_any_more_is_answered_by_what_is_known(self) -> None:
        records = World([])
        run(records)
        started = next(n for n, record in enumerate(records.records, 1) if record["type"] == "tool_started")
        for count, outcome in ((started - 1, "denied"), (started, "interrupted")):
            kept = copy.deepcopy(records.records[:count])
            kept[0]["snapshot"]["options"]["permissions"] = {"mode": "bypass", "rules": [{"effect": "deny", "match": "pay"}]}
            then = World(kept)
            _, session = recover({"main": {"name": "main", "tools": TOOLS}}, then.ports())
            self.assertEqual((results(session)["pay"]["outcome"], then.executed), (outcome, ["send"]))

    def test_a_suspension_that_cannot_be_written_down_is_none(self) -> None:
        tools = [{**TOOLS[0], "external": True}, TOOLS[1]]
        for options in ({}, {"approval_batch": "eager"}):
            world = World([])
            run(world, tools, **options)
            kept = len(world.records) - 1
            taken = World([])

            def append(records: List[Json]) -> None:
                if len(taken.records) + len(records) > kept:
                    raise OSError("another writer")
                taken.records.extend(records)

            taken.append = append  # type: ignore[method-assign]
            result, session = run(taken, tools, **options)
            self.assertEqual((result["status"], result["error"]["kind"]), ("error", "internal"))
            self.assertEqual(set(results(session)), set(NAMES))

    def test_wherever_the_journal_is_taken_nothing_else_is_begun(self) -> None:
        asked: List[str] = []

        def take(records: List[Json], kept: int) -> Callable[[List[Json]], None]:
            def append(new: List[Json]) -> None:
                asked.clear()
                if len(records) >= kept:
                    raise OSError("another writer")
                records.extend(copy.deepcopy(new))

            return append

        whole = World([])
        run(whole)
        for kept in range(len(whole.records) - 1):
            taken = World([], hooks=[Hook("before_tool", lambda told: asked.append(told["call"]["name"]) or {})])
            taken.append = take(taken.records, kept)  # type: ignore[method-assign]
            with self.subTest(kept):
                result, session = run(taken)
                self.assertEqual((result["status"], result["error"]["kind"], asked), ("error", "internal", []))
                started = [record["name"] for record in taken.records if record["type"] == "tool_started"]
                self.assertEqual(taken.executed, started)
                calls = [message["id"] for message in session["messages"] if message.get("type") == "tool_call"]
                self.assertEqual(set(results(session)), set(calls))

    def test_what_a_hook_said_about_a_result_that_is_lost_is_not_said(self) -> None:
        whole = World([])
        run(whole)
        started = next(n for n, record in enumerate(whole.records, 1) if record["type"] == "tool_started")
        unsaid = [{"text": "About pay.", "id": "pay"}, {"text": "About all."}]
        said = {"type": "transition", "phase": "executing", "turn": 1, "set": {"unsaid": unsaid}}
        agents = {"main": {"name": "main", "tools": TOOLS}}
        _, session = recover(agents, World([*copy.deepcopy(whole.records[:started]), said]).ports())
        added = [message["content"] for message in session["messages"] if message.get("synthetic") and "role" in message]
        self.assertEqual(added, ["About all."])

    def test_a_subagent_keeps_no_journal_of_its_own(self) -> None:
        world = World([])
        result, _ = run(world, [{**TOOLS[0], "agent": "helper"}])
        self.assertEqual((result["status"], world.executed), ("completed", ["pay"]))
        self.assertEqual([record["type"] for record in world.records].count("begin"), 1)
        self.assertTrue(all(record["snapshot"]["session"]["id"] == "s" for record in world.records if "snapshot" in record))

    def test_an_end_that_another_loop_has_decided_on_is_kept_to(self) -> None:
        world = World([])
        run(world)
        kept = world.records[:-1] + [{"type": "transition", "phase": "turn_boundary", "turn": 2, "set": {"ending": {"status": "completed"}}}]
        then = World(kept)
        result, _ = recover({"main": {"name": "main", "tools": TOOLS}}, then.ports())
        self.assertEqual((result["status"], result["turns"]), ("completed", 2))
        self.assertNotIn("turn_start", [event["type"] for event in then.events])


if __name__ == "__main__":
    unittest.main()
