"""Shows what the shared part of the drivers does with what a framework returns, raises or cannot say."""

import asyncio
import json
import sys
import unittest
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[1] / "templates/framework/python")]

from peer import Conversation, Peer, Say
from provider import Provider, answer, call
from scenes import Seen, happens, lost_call, lost_text

PLACE = {"seam": "openai-chat", "transport": "sse", "base_url": "http://127.0.0.1:1"}
MODEL = {**PLACE, "api_key": "any", "model": "gpt-5"}


class LimitReached(Exception):
    """What a framework raises at its limit."""


def given(run: str = "r1", **more: Any) -> dict[str, Any]:
    return {"run": run, "input": "Go on.", "tools": [], "model": MODEL, **more}


def played(*runs: dict[str, Any], begin: Any) -> list[dict[str, str]]:
    async def play() -> list[dict[str, str]]:
        peer = Peer(begin, {LimitReached: "limit"})
        return [await peer.run(run) for run in runs]

    return asyncio.run(play())


def raising(error: BaseException) -> Any:
    async def say(text: str) -> str:
        raise error

    return lambda conversation: say


def naive(executes: bool, raises: bool) -> Any:
    """An agent that executes each call of its stream, and raises at its end, or does not."""

    def agent_of(*, url: str, tools: list[Any], **_: object) -> Any:
        async def say(text: str) -> dict[str, str]:
            message = {"messages": [{"role": "user", "content": text}], "stream": True}
            request = Request(f"{url}/chat/completions", json.dumps(message).encode())
            stream = (await asyncio.to_thread(urlopen, request)).read().decode()
            if executes and tools:
                await tools[0].run({})
            if raises and "[DONE]" not in stream:
                raise ConnectionError("the stream ended before its answer did")
            return {"text": "Half of an", "stop": "stop"}

        return say

    return agent_of


class Scenes(unittest.TestCase):
    def bug_of(self, agent_of: Any, scene: Any) -> str | None:
        played: tuple[Seen, str | None] = asyncio.run(happens(agent_of, scene))
        return played[1]

    def test_a_bug_is_said_in_a_sentence(self) -> None:
        self.assertIn("EXECUTED", self.bug_of(naive(True, True), lost_call("chat")) or "")
        self.assertIn("was told", self.bug_of(naive(False, False), lost_text("chat")) or "")

    def test_what_is_right_is_no_bug(self) -> None:
        self.assertIsNone(self.bug_of(naive(False, True), lost_call("chat")))
        self.assertIsNone(self.bug_of(naive(False, True), lost_text("chat")))


class Endings(unittest.TestCase):
    def test_a_text_is_completed_and_a_word_is_itself(self) -> None:
        said: list[Any] = ["Done.", {"ended": "cut_off", "text": "Do"}]

        def begin(conversation: Conversation) -> Say:
            async def say(text: str) -> Any:
                return said.pop(0)

            return say

        runs = [given(), given("r2", after="r1")]
        self.assertEqual(
            played(*runs, begin=begin), [{"ended": "completed", "text": "Done."}, {"ended": "cut_off", "text": "Do"}]
        )

    def test_what_is_raised_is_an_error_unless_it_has_a_word(self) -> None:
        self.assertEqual(played(given(), begin=raising(LimitReached("2")))[0]["ended"], "limit")
        expected = {"ended": "error", "error": "ValueError: no"}
        self.assertEqual(played(given(), begin=raising(ValueError("no"))), [expected])

    def test_what_cannot_be_said_is_not_begun(self) -> None:
        def begin(conversation: Conversation) -> Say:
            raise NotImplementedError("no such tool")

        self.assertEqual(played(given(), begin=begin), [{"not_expressible": "no such tool"}])


class Conversations(unittest.TestCase):
    def test_go_on_in_the_run_that_is_under_way(self) -> None:
        seen: list[str] = []

        def begin(conversation: Conversation) -> Say:
            async def say(text: str) -> str:
                seen.append(conversation.run)
                return text

            return say

        played(given(), given("r2", after="r1"), begin=begin)
        self.assertEqual(seen, ["r1", "r2"])

    def test_can_be_cancelled(self) -> None:
        async def play() -> dict[str, str]:
            started = asyncio.Event()

            async def say(text: str) -> str:
                started.set()
                return await asyncio.Future()

            peer = Peer(lambda conversation: say, {})
            run = asyncio.create_task(peer.run(given()))
            await started.wait()
            peer.cancel({"run": "r1"})
            peer.cancel({"run": "unknown"})
            return await run

        self.assertEqual(asyncio.run(play()), {"ended": "cancelled"})


class Refusals(unittest.TestCase):
    def refused(self, *messages: dict[str, Any]) -> str | None:
        provider = Provider()
        provider.requests.append({"messages": list(messages)})
        return provider.refuses()

    def test_a_call_has_a_result(self) -> None:
        chat = {"role": "assistant", "tool_calls": [{"id": "c1"}]}
        self.assertEqual(self.refused(chat, {"role": "user"}), "no result of ['c1']")
        self.assertIsNone(self.refused(chat, {"role": "tool", "tool_call_id": "c1"}))
        use = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1"}]}
        result = {"type": "tool_result", "tool_use_id": "c1", "content": "seen"}
        self.assertEqual(self.refused(use, {"role": "user", "content": "Go on."}), "no result of ['c1']")
        self.assertIsNone(self.refused(use, {"role": "user", "content": [result]}))

    def test_calls_of_gemini_have_as_many_results_and_each_signature_once(self) -> None:
        def refused(*contents: list[dict[str, Any]]) -> str | None:
            provider = Provider()
            provider.requests.append({"contents": [{"parts": list(parts)} for parts in contents]})
            return provider.refuses()

        called, result = {"functionCall": {}, "thoughtSignature": "c2ln"}, {"functionResponse": {}}
        self.assertIsNone(refused([called], [result]))
        self.assertEqual(refused([called], [{"text": "Go on."}]), "1 calls are followed by 0 results")
        self.assertIn("is on another", refused([called], [result], [called], [result]) or "")

    def test_gemini_ends_a_stream_with_an_empty_text_and_has_none_if_it_was_cut(self) -> None:
        def streamed(**more: Any) -> str:
            provider = Provider(answer("Half of an", call("look"), **more))
            url = f"{provider.url}/v1beta/models/m:streamGenerateContent?alt=sse"
            return str(urlopen(Request(url, b'{"contents": []}')).read().decode())

        whole, cut = streamed(), streamed(is_cut=True)
        self.assertEqual((whole.count("data: "), whole.count("thoughtSignature"), whole.count("finishReason")), (3, 1, 1))
        self.assertEqual((cut.count("data: "), cut.count("finishReason")), (2, 0))

    def test_a_text_is_not_empty(self) -> None:
        self.assertEqual(self.refused({"role": "user", "content": " "}), "an empty text")


if __name__ == "__main__":
    unittest.main()
