"""The adapters on their own: requests as the spec's examples have them."""

import json
import re
import unittest
from pathlib import Path
from typing import Any, List, Tuple

import anthropic_messages
import gemini
import openai_chat
import openai_responses
import wire
from translate import Model, parse_arguments
from wire import Json
from written_numbers import read_exactly

SPEC = Path(__file__).resolve().parents[3] / "spec"
USER: Json = {"role": "user", "content": "Hello."}


def example(provider: str) -> Tuple[List[Json], Json]:
    text = (SPEC / "loop" / "providers" / f"{provider}.md").read_text()
    blocks = [re.search(f"```json {re.escape(kind)}\n(.*?)```", text, re.DOTALL) for kind in ("Message[]", "Wire")]
    messages, request = (json.loads(block.group(1)) for block in blocks if block)
    return messages, request


def render(adapter: Any, model: str, messages: List[Json], warnings: List[Json]) -> Json:
    request = {"messages": messages, "tools": []}
    made = Model(adapter.PROVIDER, model, adapter.ID_RULE, adapter.NAME_RULE, request, warnings.append)
    rendered: Json = adapter.render(made, request)
    return rendered


class RequestTest(unittest.TestCase):
    def test_the_examples_of_the_spec(self) -> None:
        for adapter in (anthropic_messages, gemini, openai_chat, openai_responses):
            messages, request = example(adapter.PROVIDER)
            warnings: List[Json] = []
            rendered = render(adapter, request.get("model", "gemini-3-flash-preview"), messages, warnings)
            self.assertEqual((rendered, warnings), (request, []))

    def test_results_come_before_texts_and_opaque_things_go_home(self) -> None:
        opaque = {"provider": "anthropic-messages", "model": "m", "signature": "s"}
        signed = {"type": "thinking", "content": "Hm.", "opaque": opaque}
        call = {"type": "tool_call", "id": "a.b", "name": "look", "input": None, "raw_input": "{"}
        messages = [USER, signed, call, {"type": "tool_result", "id": "a.b", "output": ""}, USER]
        warnings: List[Json] = []
        _, second, third = render(anthropic_messages, "m", messages, warnings)["messages"]
        self.assertEqual(second["content"][0], {"type": "thinking", "thinking": "Hm.", "signature": "s"})
        self.assertEqual(second["content"][1]["input"], {})
        self.assertEqual(second["content"][1]["id"], third["content"][0]["tool_use_id"])
        self.assertEqual([block["type"] for block in third["content"]], ["tool_result", "text"])
        render(anthropic_messages, "another", messages, warnings)
        render(openai_chat, "m", messages, warnings)
        codes = ["id_mapped", "thinking_dropped", "id_mapped", "thinking_dropped"]
        self.assertEqual([warning["code"] for warning in warnings], codes)

    def test_reasoning_goes_back_with_what_follows_it(self) -> None:
        def made(id: str, message: Json, **more: Any) -> Json:
            return {**message, "opaque": {"provider": "openai-responses", "model": "m", "id": id, **more}}

        thinking = {"type": "thinking", "content": "Hm."}
        text: Json = {"role": "assistant", "content": "Yes."}
        sealed, reference = made("rs_1", thinking, encrypted_content="s"), made("rs_2", thinking)
        warnings: List[Json] = []
        messages = [USER, sealed, made("msg_1", text), USER, reference, made("msg_2", text), sealed, USER]
        rendered = render(openai_responses, "m", messages, warnings)["input"]
        self.assertEqual([item.get("id") for item in rendered], [None, "rs_1", "msg_1", None, None, None])
        self.assertEqual(rendered[1], {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "s"})
        self.assertEqual([warning["code"] for warning in warnings], ["thinking_dropped"] * 2)

    def test_a_system_message_stands_only_where_the_api_has_a_place_for_it(self) -> None:
        def made(**item: Any) -> Json:
            return {"type": "provider_item", "provider": "anthropic-messages", "model": "m", "item": item}

        system: Json = {"role": "system", "content": "Be brief."}
        text, blank = {"role": "assistant", "content": "I look."}, {"role": "user", "content": " "}
        result, call = made(type="web_search_tool_result"), made(type="server_tool_use")
        rendered = render(anthropic_messages, "m", [USER, text, result, system], [])["messages"]
        self.assertEqual([message["role"] for message in rendered], ["user", "assistant", "system"])
        _, second, _ = render(anthropic_messages, "m", [USER, system, blank, system, text], [])["messages"]
        self.assertEqual(second, {"role": "system", "content": "Be brief.\n\nBe brief."})
        for model, before, after in (("m", call, []), ("another", result, []), ("m", USER, [blank, USER])):
            with self.assertRaises(wire.Failure) as refused:
                render(anthropic_messages, model, [USER, text, before, system, *after], [])
            self.assertEqual(refused.exception.error["kind"], "unsupported")

    def test_what_is_left_out_of_a_chat_is_told(self) -> None:
        def made(message: Json, **more: Any) -> Json:
            return {**message, "opaque": {"provider": "openai-chat", "model": "m", **more}}

        beside = {"type": "provider_item", "provider": "openai-chat", "model": "m"}
        thinking = made({"type": "thinking", "content": "Hm."}, field="reasoning")
        nothing: List[Json] = [{"role": "system", "content": ""}, {"role": "assistant", "content": ""}]
        sources = {**beside, "item": {"type": "message", "annotations": [{"type": "url_citation"}]}}
        warnings: List[Json] = []
        messages = [nothing[0], USER, nothing[1], USER, nothing[0], USER, sources, USER, thinking]
        self.assertEqual(render(openai_chat, "m", messages, warnings)["messages"], [USER] * 4)
        codes = ["empty_message_dropped", "empty_message_dropped", "provider_item_dropped", "thinking_dropped"]
        self.assertEqual([warning["code"] for warning in warnings], codes)

    def test_what_was_said_aloud_goes_back_by_its_id(self) -> None:
        own = {"provider": "openai-chat", "model": "m"}
        audio = {"audio": {"id": "audio_1", "data": "UklG", "transcript": "Yes."}}
        alone = {"type": "provider_item", **own, "item": {"type": "message", **audio}}
        text = {"role": "assistant", "content": "Yes.", "opaque": {**own, **audio}}
        for message, content in ((alone, None), (text, "Yes.")):
            warnings: List[Json] = []
            _, rendered, _ = render(openai_chat, "m", [USER, message, USER], warnings)["messages"]
            self.assertEqual(rendered, {"role": "assistant", "content": content, "audio": {"id": "audio_1"}})
            self.assertEqual(warnings, [])

    def test_a_signature_is_sent_where_it_was_and_to_the_model_that_made_it(self) -> None:
        def made(message: Json, **more: Any) -> Json:
            return {**message, "opaque": {"provider": "gemini", "model": "gemini-3-pro", **more}}

        text: Json = {"role": "assistant", "content": "I look."}
        call: Json = {"type": "tool_call", "id": "a", "name": "look", "input": {}}
        done: Json = {"type": "tool_result", "id": "a", "output": ""}
        messages = [USER, made(text, signature="s"), made(text, signature="t", signature_apart=True), made(call), done]
        alone: Json = {"text": "", "thoughtSignature": "t"}
        sent = {"functionCall": {"id": "a", "name": "look", "args": {}}}
        unsigned = {**sent, "thoughtSignature": gemini.NO_SIGNATURE}
        for model, parts in (
            ("gemini-3-pro", [{"text": "I look.", "thoughtSignature": "s"}, {"text": "I look."}, alone, unsigned]),
            ("another", [{"text": "I look."}, {"text": "I look."}, unsigned]),
            ("gemini-2.5-flash", [{"text": "I look."}, {"text": "I look."}, sent]),
        ):
            self.assertEqual(render(gemini, model, messages, [])["contents"][1]["parts"], parts)

    def test_names_that_gemini_refuses(self) -> None:
        for name, is_sent in (("look.at:it-2", True), ("_", True), ("x" * 64, True), ("x" * 65, False), ("2look", False)):
            call: Json = {"type": "tool_call", "id": "a", "name": name, "input": {}}
            done: Json = {"type": "tool_result", "id": "a", "output": ""}
            warnings: List[Json] = []
            _, second, third = render(gemini, "m", [USER, call, done], warnings)["contents"]
            sent = second["parts"][0]["functionCall"]["name"]
            self.assertEqual((sent == name, len(warnings)), (is_sent, 0 if is_sent else 1))
            self.assertEqual(third["parts"][0]["functionResponse"]["name"], sent)
            self.assertRegex(sent, "^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$")

    def test_half_a_surrogate_pair_is_not_sent(self) -> None:
        sent = json.loads(wire.unicode({"a": "x\ud83dy", "b": "\ud83d\ude00"}))
        self.assertEqual(sent, {"a": "x\ufffdy", "b": "\U0001f600"})

    def test_numbers_go_back_as_the_model_wrote_them(self) -> None:
        raw = '{"rate":0.12345678901234567891,"account":12345678901234567890,"n":{"half":[0.50]}}'
        call = {"type": "tool_call", "id": "a", "name": "pay", **parse_arguments(raw)}
        done = {"type": "tool_result", "id": "a", "output": "paid"}
        for adapter in (anthropic_messages, gemini, openai_chat, openai_responses):
            sent = wire.unicode(render(adapter, "m", [USER, call, done], [])).decode().replace("\\", "").replace(" ", "")
            self.assertIn(raw, sent)

    def test_numbers_of_a_body_are_kept_as_they_were_written(self) -> None:
        body = read_exactly('{"input": {"rate": 0.12345678901234567891, "half": 0.5}}')
        kept = parse_arguments(body["input"])
        self.assertEqual(kept["input"], {"rate": 0.12345678901234568, "half": 0.5})
        self.assertEqual(json.loads(kept["raw_input"]), kept["input"])
        self.assertIn("0.12345678901234567891", kept["raw_input"])
        self.assertEqual(parse_arguments(read_exactly('{"n": 1e400}'))["input"], None)

    def test_arguments_in_which_two_names_become_one_are_unreadable(self) -> None:
        two = '{"a": [{"\\ud800": 1, "\\ud801": 2}]}'
        self.assertEqual(parse_arguments(two), {"input": None, "raw_input": two})
        self.assertEqual(parse_arguments('{"\\ud800": 1}')["input"], {"\ud800": 1})


if __name__ == "__main__":
    unittest.main()
