"""A model call that failed: whether it is made again, how long that takes, and what is told of it."""

import unittest
from typing import Any, List

import agent_loop
from agent_loop import Json
from clock import Clock
from ports import Ports
from result import NO_USAGE, model_calls
from retrying import wait_after
from wire import should_retry

DONE: Json = {"messages": [{"role": "assistant", "content": "Done."}], "stop_reason": "end_turn"}


def failed(kind: str = "overloaded", **more: Any) -> Json:
    return {"messages": [], "stop_reason": "error", "error": {"kind": kind, "message": "busy", **more}}


class Waits(Clock):
    """A clock on which every wait is over at once, and noted."""

    def __init__(self) -> None:
        self.waited: List[float] = []

    def sleep(self, ms: float) -> None:
        self.waited.append(ms)


def conduct(script: List[Json], random: float = 0, said: Any = None, **options: Any) -> Json:
    """The result of a run of scripted responses, with the waits and the events beside it."""
    clock, events, responses = Waits(), [], iter(script)

    def invoke(request: Json, listen: Any, bounds: Json) -> Json:
        if said:
            listen(said)
        return next(responses)

    session = {"spec_version": "1.0", "id": "s", "messages": [{"role": "user", "content": "Work."}]}
    ports = Ports(invoke, lambda call: {}, events.append, clock, lambda: random)
    result, _ = agent_loop.run(session, {"main": {"name": "main", "model": "m"}}, "main", ports, options)
    return {**result, "waits": clock.waited, "events": events}


class RetryTest(unittest.TestCase):
    def test_each_wait_is_twice_as_long_up_to_eight_seconds(self) -> None:
        many = [failed()] * 6 + [DONE]
        self.assertEqual(conduct(many, max_retries=6)["waits"], [500, 1000, 2000, 4000, 8000, 8000])
        self.assertEqual(conduct(many, 1, max_retries=6)["waits"], [375, 750, 1500, 3000, 6000, 6000])
        self.assertEqual(conduct(many)["status"], "error")

    def test_the_provider_knows_best(self) -> None:
        options = {"max_retries": 2, "max_retry_delay_ms": 7000}
        waits = {7000: 7000, 7001: None, 0: 0}
        for asked, wait in waits.items():
            error = failed(retry_after_ms=asked)["error"]
            self.assertEqual(wait_after(error, 0, options, lambda: 0), wait)
        self.assertIsNone(wait_after(failed(should_retry=False)["error"], 0, options, lambda: 0))
        self.assertEqual(wait_after(failed("invalid_request", should_retry=True)["error"], 0, options, lambda: 0), 500)
        self.assertIsNone(wait_after(failed("invalid_request")["error"], 0, options, lambda: 0))
        said = [should_retry({"x-should-retry": word}) for word in ("true", "false", "perhaps")]
        self.assertEqual([*said, should_retry({})], [True, False, None, None])

    def test_what_was_said_is_not_said_twice(self) -> None:
        half = {**failed("stream_interrupted"), "messages": DONE["messages"], "stop_reason": "interrupted"}
        self.assertEqual(conduct([half, DONE])["waits"], [])
        heard = {"type": "message_start", "index": 0, "message": {"role": "assistant"}}
        self.assertEqual(conduct([failed(), DONE], said=heard)["waits"], [])
        warning = {"type": "warning", "code": "c", "message": "m"}
        self.assertEqual(conduct([failed(), DONE], said=warning)["waits"], [500])

    def test_every_try_is_told_and_paid(self) -> None:
        usage = {**NO_USAGE, "input_tokens": 2, "output_tokens": 1}
        prices = {"currency": "USD", "models": {"m": {"input": "1000000", "output": "1000000"}}}
        script = [{**failed(), "usage": usage}, failed(), {**DONE, "usage": usage}]
        result = conduct(script, prices=prices)
        self.assertEqual([call.get("usage") for call in model_calls(result)], [usage, None, usage])
        self.assertEqual([attempt.get("cost") for attempt in result["steps"][0]["attempts"]], ["3", None])
        self.assertEqual((result["cost"], result["usage"]["input_tokens"]), ("6", 4))
        told = [event["type"] for event in result["events"] if "attempt" in event["type"] or "wait" in event["type"]]
        once = ["attempt_start", "attempt_end"]
        self.assertEqual(told, (once + ["wait_start", "wait_end"]) * 2 + once)


if __name__ == "__main__":
    unittest.main()
