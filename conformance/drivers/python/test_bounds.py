"""The bounds on their own: how deep, how many, how long, and that each takes time linear in what is read."""

import json
import unittest
from pathlib import Path
from typing import Any, List

import wire
from bounds import DEFAULTS, READABLE, Bounded, Enough, is_deeper, is_deeper_text
from options import unknown
from session import name_calls
from translate import parse_arguments
from wire import Json

DEEP = "[" * 100_000 + "]" * 100_000


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


def call(id: str, **fields: Any) -> Json:
    return {"type": "tool_call", "id": id, "name": "save", "input": {}, **fields}


class DefaultsTest(unittest.TestCase):
    def test_the_defaults_are_those_of_the_spec_and_other_names_are_refused(self) -> None:
        table = json.loads((Path(__file__).parents[3] / "spec/bounds.json").read_text())
        self.assertEqual({name: bound["default"] for name, bound in table.items()}, DEFAULTS)
        self.assertIsNone(unknown({"bounds": {"depth": 3}}))
        self.assertIn("no bound depht", unknown({"bounds": {"depht": 3}}) or "")


class DepthTest(unittest.TestCase):
    def test_a_value_and_its_text_are_as_deep_as_their_lists(self) -> None:
        for depth, most in ((0, 0), (3, 3), (4, 3), (1, 0), (50_000, 49_999)):
            self.assertEqual(is_deeper(nested(depth), most), depth > most)
            self.assertEqual(is_deeper_text("[" * depth + '"\\"[[["' + "]" * depth, most), depth > most)

    def test_arguments_of_any_depth_are_named_with_their_bound(self) -> None:
        written = '{"a":' + DEEP + "}"
        self.assertEqual(parse_arguments(written), {"input": None, "raw_input": written})
        response = {"messages": [call("a", **parse_arguments(written)), call("b", input={"a": nested(127)})]}
        deep, fine = Bounded(DEFAULTS, print).within(response)["messages"]
        self.assertEqual(deep["meta"], {"unreadable": "may not be nested deeper than 128 (bounds.depth)"})
        self.assertEqual(fine, response["messages"][1])

    def test_an_answer_of_any_depth_names_the_bound(self) -> None:
        for text in (DEEP, "[" * (READABLE + 1) + "]" * (READABLE + 1)):
            answer: Any = type("Heard", (), {"bounds": DEFAULTS})
            with self.assertRaises(wire.Failure) as failed:
                wire.read_value(text, answer)
            self.assertIn("128 (bounds.depth)", failed.exception.error["message"])


class CallsTest(unittest.TestCase):
    def test_a_stream_is_left_at_the_first_call_too_many_and_ends_what_it_began(self) -> None:
        heard: List[Json] = []
        bounded = Bounded({**DEFAULTS, "calls": 1}, heard.append)
        bounded.listen({"type": "message_start", "index": 0, "message": call("a")})
        with self.assertRaises(Enough):
            bounded.listen({"type": "message_start", "index": 1, "message": call("b")})
        for index in (0, 1, 2):
            bounded.listen({"type": "message_start", "index": 2, "message": call("c")})
            bounded.listen({"type": "message_end", "index": index})
        self.assertEqual([(event["type"], event["index"]) for event in heard], [("message_start", 0), ("message_end", 0)])
        response = bounded.within({"messages": [call("a"), call("b")], "stop_reason": "error"})
        self.assertEqual([message["id"] for message in response["messages"]], ["a"])
        self.assertIn("1 (bounds.calls)", response["error"]["message"])

    def test_many_calls_of_one_id_are_named_in_one_go(self) -> None:
        calls = [call("a") for _ in range(30_000)]
        name_calls(calls, [], lambda code, message: None)
        self.assertEqual([each["id"] for each in calls[:3]], ["a", "a_2", "a_3"])
        self.assertEqual(len({each["id"] for each in calls}), 30_000)


if __name__ == "__main__":
    unittest.main()
