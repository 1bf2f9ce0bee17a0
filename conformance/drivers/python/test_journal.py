"""The journal: its records add up to the state, and a process can end behind each of them."""

import copy
import unittest
from typing import Any, Dict, List

import agent_loop
from journal import Journal, Store
from journal_records import difference
from ports import Ports
from recovery import recover

Json = Dict[str, Any]
SESSION = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Pay.", "com.acme.note": 1}]}
AGENTS = {"main": {"name": "main", "tools": [{"name": "pay", "input_schema": {"type": "object"}}]}}
CALL = {"type": "tool_call", "id": "c", "name": "pay", "input": {}}
SAID = [
    {"messages": [CALL], "stop_reason": "tool_use"},
    {"messages": [{"role": "assistant", "content": "Paid."}], "stop_reason": "end_turn"},
]


class World:
    """A model, a tool and a store; the process ends when so many records are kept."""

    def __init__(self, records: List[Json], ends_after: int = 1000) -> None:
        self.records = records
        self.ends_after = ends_after
        self.paid = 0

    def ports(self) -> Ports:
        return Ports(self.model, self.pay, lambda event: None, journal=Store(lambda: self.records, self.append))

    def model(self, request: Json, listen: Any, bounds: Json) -> Json:
        answered = any(message.get("type") == "tool_result" for message in request["messages"])
        return copy.deepcopy(SAID[1 if answered else 0])

    def pay(self, call: Json, context: Json) -> Json:
        self.paid += 1
        return {"output": "A receipt."}

    def append(self, records: List[Json]) -> None:
        for record in records:  # of an append in which the process ends, some records may be kept
            if len(self.records) >= self.ends_after:
                raise SystemExit("the process ends")
            self.records.append(copy.deepcopy(record))


def run_whole() -> List[Json]:
    world = World([])
    agent_loop.run(SESSION, AGENTS, "main", world.ports())
    return world.records


class JournalTest(unittest.TestCase):
    def test_the_records_add_up_to_what_the_run_returned(self) -> None:
        world = World([])
        result, session = agent_loop.run(SESSION, AGENTS, "main", world.ports())
        state = Journal(Store(lambda: world.records, world.append)).kept
        assert state
        self.assertEqual((state["session"], state["steps"], state["phase"]), (session, result["steps"], "done"))

    def test_a_process_can_end_behind_each_record(self) -> None:
        for count in range(1, len(run_whole())):
            with self.subTest(count):
                first = World([], ends_after=count)
                with self.assertRaises(SystemExit):
                    agent_loop.run(SESSION, AGENTS, "main", first.ports())
                then = World(first.records)
                result, session = recover(AGENTS, then.ports())
                self.assertEqual(result["status"], "completed")
                self.assertEqual(result["turns"], 2)
                outcomes = [message["outcome"] for message in session["messages"] if message.get("type") == "tool_result"]
                lost = first.paid == 1 and then.records[count - 1]["type"] == "tool_started"
                self.assertEqual(outcomes, ["interrupted"] if lost else ["ok"])
                self.assertEqual(first.paid + then.paid, 1)

    def test_what_is_not_different_is_no_record(self) -> None:
        begin = difference(None, {"phase": "turn_boundary", "turn": 0, "session": {"messages": []}, "steps": []})
        assert begin
        self.assertIsNone(difference(begin["snapshot"], copy.deepcopy(begin["snapshot"])))

    def test_a_new_run_begins_only_behind_one_that_has_ended(self) -> None:
        for records, status in ((run_whole(), "completed"), (run_whole()[:-1], "error")):
            kept = len(records)
            result, _ = agent_loop.run(SESSION, AGENTS, "main", World(records).ports())
            self.assertEqual(result["status"], status)
            self.assertEqual(len(records) > kept, status == "completed")

    def test_a_journal_from_which_a_record_is_missing_is_refused_or_goes_on_before_it(self) -> None:
        records = run_whole()
        for lost in range(1, len(records) - 1):
            world = World(records[:lost] + records[lost + 1 :])
            result, session = recover(AGENTS, world.ports())
            self.assertEqual(world.paid, 0, f"record {lost} is missing, and the tool is started again")
            if result["status"] == "error":
                self.assertEqual((result["error"]["kind"], session), ("configuration", SESSION), lost)
            else:
                self.assertEqual(session["messages"][-1]["content"], "Paid.", lost)

    def test_of_an_empty_journal_no_session_is_known(self) -> None:
        result, session = recover(AGENTS, World([]).ports())
        self.assertEqual((result["error"]["kind"], session["id"]), ("configuration", "unknown"))

    def test_a_journal_that_is_not_known_is_refused(self) -> None:
        whole = run_whole()
        later = [{**whole[0], "spec_version": "2.0"}, *whole[1:]]
        for records in ([*whole, {"type": "remark"}], later, whole[1:], [*whole, whole[0]], []):
            with self.subTest(records):
                world = World(copy.deepcopy(records))
                result, _ = recover(AGENTS, world.ports())
                self.assertEqual((result["status"], result["error"]["kind"]), ("error", "configuration"))
                self.assertEqual((world.records, world.paid), (records, 0))

    def test_that_time_has_passed_is_no_record(self) -> None:
        self.assertEqual(
            [record.get("phase", record["type"]) for record in run_whole()],
            ["begin", "deciding", "executing", "tool_started", "tool_finished", "turn_boundary", "deciding", "done"],
        )


if __name__ == "__main__":
    unittest.main()
