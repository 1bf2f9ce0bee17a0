"""What keeps a run going or ends it beside the stop table: limits, conditions, follow-ups, choices, costs."""

import itertools
import unittest
from typing import Any, List
from unittest import mock

import agent_loop
import cost
import openai_settings
import stop_conditions
from agent_loop import Json
from clock import Clock
from ports import Ports
from result import NO_USAGE
from translate import Model

USER: Json = {"role": "user", "content": "Work."}
TOOLS: List[Json] = [{"name": "work", "input_schema": {"type": "object"}}]
CUT = ([{"role": "assistant", "content": "Once"}], "max_tokens")
EMPTY: Any = ([], "end_turn")
DONE = ([{"role": "assistant", "content": "Done."}], "end_turn")


def work(id: str, **arguments: Any) -> Any:
    return [{"type": "tool_call", "id": id, "name": "work", "input": arguments}], "tool_use"


def conduct(script: List[Any], tool: Json, **options: Any) -> Json:
    """The result of a run of scripted responses, with the requests and the session beside it."""
    requests: List[Json] = []
    usage = {**NO_USAGE, "input_tokens": 60, "output_tokens": 40}

    def invoke(request: Json, listen: Any, bounds: Json) -> Json:
        requests.append(request)
        messages, stop_reason = script[len(requests) - 1]
        return {"messages": messages, "stop_reason": stop_reason, "usage": usage}

    session = {"spec_version": "1.0", "id": "s", "messages": [USER]}
    agents = {"main": {"name": "main", "model": "m", "tools": TOOLS}}
    ports = Ports(invoke, lambda call, context: tool, lambda event: None)
    result, after = agent_loop.run(session, agents, "main", ports, options)
    return {**result, "requests": requests, "session": after["messages"]}


class EndingTest(unittest.TestCase):
    def test_limits(self) -> None:
        script = [work("a"), work("b"), work("c"), DONE]
        limits = {"max_total_tokens": 150, "max_tool_calls": 2, "max_failed_turns": 2, "max_turns": 2}
        statuses = ["token_limit", "tool_call_limit", "error_limit", "max_turns"]
        for (option, limit), status in zip(limits.items(), statuses):
            result = conduct(script, {"output": "no", "is_error": True}, **{option: limit})
            self.assertEqual((result["status"], result["turns"]), (status, 2))

    def test_a_deadline_is_in_milliseconds(self) -> None:
        for deadline, status in ((60_000, "deadline"), (60_001, "completed")):
            looks = itertools.chain([0, 0], itertools.repeat(60_000))  # a minute passes once the run has begun
            with mock.patch.object(Clock, "now", lambda clock: next(looks)):
                result = conduct([work("a"), DONE], {"output": ""}, deadline_ms=deadline)
            self.assertEqual(result["status"], status)

    def test_final_results_and_data(self) -> None:
        result = conduct([work("a")], {"data": {"ä": 1}, "final": True})
        self.assertEqual((result["status"], result["stop_condition"]), ("stopped", "final_result"))
        self.assertEqual((result["session"][-1]["output"], result["session"][-1]["data"]), ('{"ä":1}', {"ä": 1}))

    def test_a_circle_of_calls_is_no_progress(self) -> None:
        script = [work("a", n=1), work("b", n=2), work("c", n=1.0), work("d", n=2), DONE]
        result = conduct(script, {"output": "x"}, stop_when=[{"same_call": 2}, {"name": "circle", "no_progress": 2}])
        self.assertEqual((result["stop_condition"], result["turns"]), ("circle", 4))
        self.assertEqual(len(stop_conditions.batches_of(result["session"])), 4)


class FollowUpTest(unittest.TestCase):
    def test_so_many_in_a_row(self) -> None:
        said = [CUT, EMPTY, CUT, EMPTY, EMPTY, DONE]
        options = {"on_max_tokens": "continue", "max_continuations": 1, "on_empty": "retry", "max_empty_retries": 1}
        result = conduct(said, {}, **options)
        self.assertEqual((result["status"], result["turns"], result["empty"]), ("completed", 5, True))
        self.assertEqual(conduct(said, {}, **options, max_turns=1)["status"], "max_tokens")

    def test_a_choice_that_is_not_kept(self) -> None:
        result = conduct([DONE, work("a"), DONE], {"output": ""}, tool_choice={"name": "work"})
        choices = [request.get("tool_choice") for request in result["requests"]]
        self.assertEqual(choices, [{"name": "work"}, {"name": "work"}, None])
        result = conduct([DONE, DONE], {}, tool_choice="required")
        self.assertEqual((result["status"], result["error"]["kind"]), ("error", "tool_choice_violated"))


class CostTest(unittest.TestCase):
    PRICES: Json = {"currency": "USD", "models": {"m": {"input": "1000", "output": "2000.5"}}}

    def test_is_exact_and_adds_up(self) -> None:
        result = conduct([work("a"), DONE], {"output": ""}, prices=self.PRICES, budget="1")
        self.assertEqual((result["status"], result["cost"]), ("completed", "0.28004"))
        self.assertEqual(conduct([work("a")], {"output": ""}, prices=self.PRICES, budget="0.14")["status"], "budget")

    def test_what_nobody_knows_is_no_sum(self) -> None:
        self.assertIsNone(cost.total(["1", None]))
        self.assertEqual(cost.total(["0.1", "0.2", "0"]), "0.3")
        self.assertIsNone(cost.cost_of({"usage": {"input_tokens": 1, "output_tokens": 1}}, self.PRICES, "other"))
        self.assertEqual(conduct([], {}, budget="1")["error"]["kind"], "configuration")


class SettingsTest(unittest.TestCase):
    def test_what_has_no_field_is_told(self) -> None:
        told: List[Json] = []
        thinking = {"mode": "off", "budget_tokens": 9}
        request: Json = {"messages": [USER], "tools": [], "tool_choice": "required"}
        request["settings"] = {"stop_sequences": ["x"], "effort": "high", "thinking": thinking, "temperature": 0}
        model = Model("openai-responses", "m", ".*", ".*", request, told.append)
        fields = openai_settings.responses_settings(model, request)
        self.assertEqual(fields, {"temperature": 0, "reasoning": {"effort": "none"}})
        self.assertEqual([warning["code"] for warning in told], ["setting_dropped"] * 4)

    def test_a_longer_conversation_has_the_same_key(self) -> None:
        shorter: Json = {"messages": [USER], "tools": TOOLS}
        longer = {**shorter, "messages": [USER, {"role": "assistant", "content": "Done."}, USER]}
        other = {**shorter, "messages": [{**USER, "content": "Rest."}]}
        keys = [openai_settings.cache_key(request) for request in (shorter, longer, other)]
        self.assertEqual((keys[0] == keys[1], keys[0] == keys[2], len(keys[0])), (True, False, 64))


if __name__ == "__main__":
    unittest.main()
