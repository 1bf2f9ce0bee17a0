"""Compaction, as far as no case of the suite can show it: which messages stay, and what becomes of what is counted."""

import unittest
from typing import Any, Callable, List

import agent_loop
from agent_loop import Json
from compaction import differing, refused
from hooks import Hook
from limits import reached
from ports import Ports
from result import NO_USAGE, totals
from shortening import LONGEST, shorten_results, shorter, tokens_of, truncate_old
from summary import part_to_replace, summary_of

LONG = "word " * 100
USER: Json = {"role": "user", "content": "Work."}
DONE: Json = {"role": "assistant", "content": "Done."}


def call(id: str, **fields: Any) -> Json:
    return {"type": "tool_call", "id": id, "name": "work", "input": {"text": LONG}, **fields}


def result(id: str, **fields: Any) -> Json:
    return {"type": "tool_result", "id": id, "output": "ok", "outcome": "ok", **fields}


class ShorteningTest(unittest.TestCase):
    def test_only_what_may_be_shortened_is(self) -> None:
        sealed = {"type": "thinking", "content": LONG, "opaque": {"provider": "p", "model": "m", "signature": "s"}}
        plain = {**sealed, "opaque": {"provider": "p", "model": "m"}}
        self.assertEqual(shorter(sealed), sealed)
        self.assertEqual((len(shorter(plain)["content"]), shorter(plain)["compacted"]), (LONGEST, True))
        raw = shorter(call("a", raw_input='{"n":0.10000000000000000001}' + " " * 200))
        self.assertEqual((list(raw["input"]), "raw_input" in raw), (["_compacted", "preview"], False))
        self.assertEqual(shorter(raw), raw)

    def test_the_last_responses_stay(self) -> None:
        session = [USER, call("a"), result("a"), call("b"), call("c"), result("b"), result("c"), USER]
        marks = [bool(message.get("compacted")) for message in truncate_old(session, 1)]
        self.assertEqual(marks, [False, True] + [False] * 6)
        self.assertEqual(truncate_old(session, 3), session)

    def test_a_result_of_parts_keeps_what_is_not_text(self) -> None:
        image = {"type": "image", "media_type": "image/png", "data": ""}
        texts = [{"type": "text", "text": letter * 150} for letter in "ab"]
        large = result("a", output=[texts[0], image, texts[1], image])
        parts = shorten_results([large], 200)[0]["output"]
        self.assertEqual([part["type"] for part in parts], ["text", "image", "text", "image"])
        self.assertLessEqual(sum(len(part.get("text", "")) for part in parts), 200)
        error = result("a", output=LONG, outcome="error", is_error=True)
        self.assertEqual(shorten_results([error], 200), [error])

    def test_an_estimate_leaves_out_what_is_not_sent(self) -> None:
        image = {"type": "image", "media_type": "image/png", "data": ""}
        session = [{**DONE, "status": "incomplete"}, {"role": "user", "content": [{"type": "text", "text": "12345"}, image]}]
        self.assertEqual(tokens_of(session), 2 + 250)


class SummaryTest(unittest.TestCase):
    def test_what_must_stay_stays_in_order(self) -> None:
        system, latest = {"role": "system", "content": "Politely."}, {"role": "user", "content": "And more?"}
        failed = [call("b"), call("c"), result("b", outcome="error", is_error=True), result("c")]
        session = [USER, call("a"), result("a"), system, *failed, latest, {**USER, "synthetic": True}, DONE]
        start, end, staying = part_to_replace(session, 1)
        self.assertEqual((start, end, staying), (1, 10, [system, *failed, latest]))

    def test_a_summary_alone_is_not_summarized(self) -> None:
        summary = {**USER, "synthetic": True, "compacted": True}
        self.assertEqual(part_to_replace([USER, summary, call("a"), result("a")], 1), (1, 1, []))
        start, end, staying = part_to_replace([USER, summary, call("a"), result("a"), DONE], 1)
        self.assertEqual((start, end, staying), (1, 4, []))

    def test_what_is_not_whole_is_no_summary(self) -> None:
        for stop_reason in ("max_tokens", "refusal", "content_filter", "other", "pause", "interrupted"):
            self.assertEqual(summary_of({"messages": [DONE], "stop_reason": stop_reason}), "")
        self.assertEqual(summary_of({"messages": [DONE], "stop_reason": "end_turn"}), "Done.")


class CompactionTest(unittest.TestCase):
    def conduct(self, said: List[Any], check: Callable[[Json], Json], **compaction: Any) -> Json:
        """A run whose every request has 6000 tokens, and whose summaries are asked for without tools."""
        script = iter(said)
        asked: List[Json] = []
        events: List[Json] = []

        def model(request: Json, *_: Any) -> Json:
            asked.append(request)
            usage = {**NO_USAGE, "input_tokens": 6000, "output_tokens": 1}
            summary = [{"role": "assistant", "content": "It was so."}]
            messages = next(script) if request["tools"] else summary
            return {"messages": messages, "stop_reason": "end_turn", "usage": usage, "model": "m"}

        agents = {"main": {"name": "main", "tools": [{"name": "work", "input_schema": {"type": "object"}}]}}
        hooks = [Hook("before_compaction", check)]
        ports = Ports(model, lambda call, context: {"output": "ok"}, events.append, hooks=hooks)
        session = {"spec_version": "1.0", "id": "s", "messages": [USER]}
        options = {"compaction": {"keep_last_turns": 1, "at_tokens": 5000, **compaction}, "stop_when": [{"same_call": 2}]}
        result, after = agent_loop.run(session, agents, "main", ports, options)
        return {**result, "session": after["messages"], "asked": asked, "events": events}

    def test_what_is_counted_follows_the_session(self) -> None:
        said = [[call("a", input={"n": 1})], [call("b", input={"n": 2})], [call("c", input={"n": 2})]]
        result = self.conduct(said, lambda told: {}, strategy="summarize")
        self.assertEqual((result["status"], result["stop_condition"]), ("stopped", "same_call"))
        self.assertEqual((len(result["asked"]), result["usage"]["input_tokens"]), (4, 24000))
        self.assertEqual([each["usage"]["input_tokens"] for each in result["compactions"]], [6000])

    def test_what_a_hook_blocks_is_asked_about_before_the_next_turn(self) -> None:
        turns: List[int] = []
        said = [[call("a")], [call("b", input={})], [call("c", input={"n": 1})], [DONE]]
        result = self.conduct(said, lambda told: turns.append(told["turn"]) or {"block": "No."}, strategy="truncate_old")
        self.assertEqual((turns, "compactions" in result), ([1, 2, 3], False))

    def test_the_events_rebuild_the_session(self) -> None:
        said = [[call("a")], [call("b")], [call("c", input={})], [DONE]]
        for strategy in ("truncate_old", "summarize"):
            result = self.conduct(said, lambda told: {}, strategy=strategy)
            rebuilt = [USER]
            for event in result["events"]:
                rebuilt += [event["message"]] if event["type"] == "message" else []
                if event["type"] == "compaction":
                    rebuilt[event["from"] : event["to"]] = event["messages"]
            self.assertEqual(rebuilt, result["session"])

    def test_attempts_of_a_summary_that_took_nothing_itself_count(self) -> None:
        used = {**NO_USAGE, "input_tokens": 3000, "output_tokens": 7}
        attempt = {"error": {"kind": "overloaded", "message": "Busy."}, "usage": used}
        failed = {"turn": 2, "strategy": "summarize", "before_tokens": 6000, "failed": "Refused.", "attempts": [attempt]}
        state = {"steps": [], "compactions": [failed], "options": {"max_total_tokens": 3007, "max_turns": 9}, "turn": 2}
        self.assertEqual((totals(state)["usage"], reached(state)), (used, ("max_total_tokens", "token_limit")))

    def test_a_strategy_without_a_threshold_is_refused(self) -> None:
        self.assertIn("at_tokens", str(refused({"strategy": "truncate_old"})))
        self.assertIsNone(refused({"max_result_chars": 200}))

    def test_what_differs_is_found(self) -> None:
        a, b, c = ({"role": "user", "content": letter} for letter in "abc")
        self.assertEqual(differing([a, b, c], [a, c]), (1, 2))
        self.assertEqual(differing([a, b], [a, b]), (2, 2))


if __name__ == "__main__":
    unittest.main()
