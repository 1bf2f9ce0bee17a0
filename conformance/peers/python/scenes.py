"""The scenes in which frameworks were seen to break a requirement: what the model answers, and how the bug shows.

Each takes where it is played (`api`, and `stream=True`), and more where it says so. `play` plays one with an agent
of the framework, without kit and driver: it says in one line what happened, and ends with 1 if the bug is there, or 0.
"""

import asyncio
import json
import re
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from provider import Json, Provider, answer, call, verdict, written

Where = tuple[str, bool]
PATH: Json = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
NOTHING: Json = {"type": "object", "properties": {}}
AT: Json = {"type": "object", "properties": {"at": {}}}
ETC = '{"path": "/etc"}'
OK = answer("ok")


@dataclass
class Tool:
    """A tool for the model: `await run(arguments)` gives its text, or throws."""

    name: str
    schema: Json
    run: Callable[[Json], Awaitable[str]]


@dataclass
class Seen:
    """What happened: the requests, what was executed, and how each run ended for its caller."""

    provider: Provider
    executed: list[tuple[str, Any]] = field(default_factory=list)
    endings: list[Json] = field(default_factory=list)

    @property
    def requests(self) -> list[Json]:
        """The bodies, one after another."""
        return self.provider.requests

    @property
    def last(self) -> str:
        """The conversation of the last request, as text."""
        request = self.requests[-1]
        return _text(request.get("messages") or request.get("input") or request.get("contents"))

    def is_told(self, run: int = 0) -> bool:
        """Whether the caller learns that the run gave no whole answer."""
        ending = self.endings[run]
        words = "error|interrupt|length|max_tokens|max_output|filter|refus|limit|cut|cancel|safety|incomplete"
        return "error" in ending or re.search(words, str(ending.get("stop")).lower()) is not None


@dataclass
class Scene:
    """`bug` says in a sentence what is wrong, or nothing. A run is cancelled when a tool gives `CANCEL`."""

    where: Where
    answers: list[Json]
    bug: Callable[[Seen], str | None]
    tools: dict[str, Any] = field(default_factory=dict)
    says: list[str] = field(default_factory=lambda: ["Go on."])
    limit: int | None = None


def play(agent_of: Callable[..., Any], scene: Scene) -> None:
    """Plays a scene, and ends. `agent_of(api, stream, url, tools, limit)` gives `say(text)`: `{text, stop}`."""
    try:
        seen, what = asyncio.run(happens(agent_of, scene))
    except BaseException:
        traceback.print_exc()
        sys.exit(2)
    verdict(what is not None, what or f"not seen: executed {seen.executed}, told {seen.endings}")


async def happens(agent_of: Callable[..., Any], scene: Scene) -> tuple[Seen, str | None]:
    """Plays a scene: what was seen, and the sentence of the bug if it is there."""
    api, stream = scene.where
    provider = Provider(*scene.answers)
    seen = Seen(provider)
    running: list[asyncio.Task[Any]] = []
    loop = asyncio.get_running_loop()

    def tool_of(name: str, given: Any) -> Tool:
        schema, run = given if isinstance(given, tuple) else (given, lambda: "done")

        async def execute(arguments: Any) -> str:
            seen.executed.append((name, arguments))
            said = run()
            if said is not CANCEL:
                return str(said)
            loop.call_soon_threadsafe(running[-1].cancel)
            await asyncio.sleep(30)
            return "late"

        return Tool(name, schema, execute)

    tools = [tool_of(name, given) for name, given in scene.tools.items()]
    say = agent_of(api=api, stream=stream, url=provider.url, tools=tools, limit=scene.limit)
    for text in scene.says:
        running.append(asyncio.ensure_future(_said(say, text)))
        seen.endings.append(await _ending(running[-1]))
    return seen, scene.bug(seen)


CANCEL = object()


async def _said(say: Callable[[str], Awaitable[Json]], text: str) -> Json:
    return await say(text)


async def _ending(task: asyncio.Task[Any]) -> Json:
    done, _ = await asyncio.wait([task], timeout=60)
    if not done:
        task.cancel()
        return {"nothing": "the caller was told nothing within 60 seconds"}
    if task.cancelled():
        return {"error": "cancelled"}
    error = task.exception()
    return {"error": f"{type(error).__name__}: {error}"[:200]} if error else dict(task.result())


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _where(api: str, stream: bool = False) -> Where:
    names = {"anthropic": "anthropic-messages", "chat": "openai-chat", "responses": "openai-responses"}
    return names.get(api, api), stream


def _unasked(where: Where, said: Json, why: str, schema: Json = PATH) -> Scene:
    """A scene in which no tool may be executed."""

    def bug(seen: Seen) -> str | None:
        return f"EXECUTED {seen.executed}, {why}; the caller was told {seen.endings[0]}" if seen.executed else None

    return Scene(where, [said], bug, {"delete_files": schema})


def call_beside(api: str, reason: str, stream: bool = False) -> Scene:
    """A whole call in a response that was cut off (max_tokens) or refused (refusal)."""
    said = answer("", call("delete_files", ETC), reason=reason)
    return _unasked(_where(api, stream), said, f"although the response ended with {reason}")


def refused_call(api: str, stream: bool = False) -> Scene:
    """A call in a response of which the model says that it refuses."""
    said = answer("", call("delete_files", ETC), refusal="I will not.", reason="end_turn")
    return _unasked(_where(api, stream), said, "although the response refused")


def cut_arguments(api: str, stream: bool = True, reason: str = "tool_use", schema: Json = NOTHING) -> Scene:
    """Arguments that are no JSON, of a tool that can do with none."""
    said = answer("", call("delete_files", '{"path": "/et'), reason=reason)
    return _unasked(_where(api, stream), said, 'but the model had written {"path": "/et', schema)


def no_object(api: str, arguments: str = '["/etc"]', stream: bool = False) -> Scene:
    """Arguments that are JSON, and no object."""
    said = answer("", call("delete_files", arguments))
    return _unasked(_where(api, stream), said, f"but the model had written {arguments}", NOTHING)


def list_goes_back(stream: bool = False, beside: tuple[Json, ...] = ()) -> Scene:
    """Arguments that are a list go back as what Anthropic takes only as an object. `beside`: calls that are right."""

    def bug(seen: Seen) -> str | None:
        contents = [said["content"] for request in seen.requests[1:] for said in request["messages"]]
        blocks = [block for content in contents if isinstance(content, list) for block in content]
        inputs = [block["input"] for block in blocks if block.get("type") == "tool_use"]
        wrong = [given for given in inputs if not isinstance(given, dict)]
        return f"{json.dumps(wrong[0])} went back as the input of a call" if wrong else None

    said = answer("", call("delete_files", '["/etc"]'), *beside)
    return Scene(_where("anthropic", stream), [said, OK], bug, {"delete_files": NOTHING, "note": NOTHING})


def broken_constant(api: str, stream: bool = False) -> Scene:
    """Arguments with another value than the constant of the schema."""
    schema = {"type": "object", "properties": {"version": {"const": 2}}, "required": ["version"]}
    said = answer("", call("delete_files", '{"version": 1}'))
    return _unasked(_where(api, stream), said, "but its schema says that version is 2", schema)


def silence(api: str, stream: bool = False) -> Scene:
    """Arguments that are no JSON: the model has to be told, or the caller."""

    def bug(seen: Seen) -> str | None:
        is_silent = len(seen.requests) == 1 and not seen.executed and not seen.is_told()
        return (
            f"the call was not executed, the model not asked again, the caller was told {seen.endings[0]}"
            if is_silent
            else None
        )

    said = answer("", call("delete_files", '{"path": "/et'))
    return Scene(_where(api, stream), [said], bug, {"delete_files": PATH})


def lost_call(api: str) -> Scene:
    """A stream that ends behind a call, cleanly, before its last events."""
    said = answer("", call("delete_files", ETC), is_cut=True)
    return _unasked(_where(api, True), said, "although the stream never ended")


def broken_schema(api: str, stream: bool = False) -> Scene:
    """Arguments without what the schema of the tool requires."""
    schema = {**PATH, "additionalProperties": False}
    said = answer("", call("delete_files", '{"count": 1}'))
    return _unasked(_where(api, stream), said, "but its schema requires path, and has no count", schema)


def _told(where: Where, said: Json, what: str) -> Scene:
    """A scene in which the caller has to learn that there is no whole answer."""

    def bug(seen: Seen) -> str | None:
        told = None if seen.is_told() else f"{what}, and the caller was told {seen.endings[0]}"
        return told and f"{told} after {len(seen.requests)} request(s)"

    return Scene(where, [said], bug)


def lost_text(api: str) -> Scene:
    """A stream that ends in a text, cleanly, before its last events."""
    return _told(_where(api, True), answer("Half of an", is_cut=True), "the stream ended before its answer did")


def lost_arguments(api: str) -> Scene:
    """A stream that ends inside the arguments of a call."""
    said = answer("", call("delete_files", '{"path": "/et'), is_cut=True)
    told = _told(_where(api, True), said, "the stream ended inside the arguments of a call")
    return replace(told, tools={"delete_files": NOTHING})


def refused_text(api: str, stream: bool = False, reason: str = "refusal", refusal: str = "") -> Scene:
    """A response that was filtered, or refused with `refusal`."""
    text = "" if refusal else "No."
    return _told(_where(api, stream), answer(text, reason=reason, refusal=refusal), "the response was refused")


def cut_text(api: str, stream: bool = False) -> Scene:
    """A text that the token limit cut off."""
    return _told(_where(api, stream), answer("Half of an", reason="max_tokens"), "the token limit cut the answer off")


def error_body(api: str, stream: bool = False) -> Scene:
    """The body of an error with status 200."""
    error = {"type": "invalid_request_error", "code": "quota", "message": "quota is wrong"}
    said = written(_text({"type": "error", "error": error}))
    return _told(_where(api, stream), said, "the provider answered with an error")


def error_page(api: str, stream: bool = False) -> Scene:
    """A page of a proxy with status 200."""
    said = written("<!doctype html><html><body>the proxy says hello</body></html>", kind="text/html")
    return _told(_where(api, stream), said, "a proxy answered with a page")


def error_written(api: str, stream: bool, *lines: str) -> Scene:
    """An answer, byte for byte, that is an error or no whole answer."""
    return _told(_where(api, stream), stream_of(*lines), "the answer failed in its stream")


def stream_of(*lines: str) -> Json:
    """A stream with these events."""
    named = [json.loads(line).get("type") if line.startswith("{") else None for line in lines]
    heads = [f"event: {name}\n" if name else "" for name in named]
    return written("".join(f"{head}data: {line}\n\n" for head, line in zip(heads, lines, strict=True)))


def empty_reply(api: str, stream: bool = False) -> Scene:
    """After a tool the model has nothing to say; it must not be asked once more."""

    def bug(seen: Seen) -> str | None:
        return f"the model ended, and was asked {len(seen.requests)} times" if len(seen.requests) > 2 else None

    nothing = [answer(), answer(), answer()]
    return Scene(_where(api, stream), [answer("", call("note")), *nothing], bug, {"note": NOTHING})


def refused_again(api: str, stream: bool = False) -> Scene:
    """A refusal that the caller is not told, or that the model is asked about again."""

    def bug(seen: Seen) -> str | None:
        return f"the model refused, and was asked {len(seen.requests)} times" if len(seen.requests) > 1 else None

    said = (
        answer("", refusal="I will not.", reason="end_turn") if api != "anthropic" else answer("No.", reason="refusal")
    )
    return Scene(_where(api, stream), [said], bug)


def repeated_ids(api: str, stream: bool = False, in_one: bool = False) -> Scene:
    """Two calls under one id, in one response or in two."""

    def bug(seen: Seen) -> str | None:
        if why := seen.provider.refuses():
            return f"executed {seen.executed}, and the provider refuses the next request for: {why}"
        if [arguments.get("n") for _, arguments in seen.executed] != [1, 2]:
            return f"two calls were made, executed: {seen.executed}; the caller was told {seen.endings[0]}"
        back = len(re.findall(r'"n\\?": ?\d', seen.last))
        return None if back == 2 else f"two calls were executed, and {back} of them go back: {seen.last}"

    one, two = (call("count", f'{{"n": {n}}}', "call_0") for n in (1, 2))
    answers = [answer("", one, two)] if in_one else [answer("", one), answer("", two)]
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    return Scene(_where(api, stream), answers, bug, {"count": schema})


def _next(where: Where, said: Json, **more: Any) -> Scene:
    """A run that ends badly, and then the next message: the provider has to take it."""

    def bug(seen: Seen) -> str | None:
        if len(seen.endings) == 2 and not seen.last.count("And now?"):
            return f"the next message was not sent; the caller was told {seen.endings}"
        why = seen.provider.refuses()
        return why and f"executed {seen.executed}; the provider refuses the next message: {why}: {seen.last[:300]}"

    tools = {"delete_files": PATH, "note": NOTHING}
    return Scene(where, [said], bug, **{"tools": tools, "says": ["Go on.", "And now?"], **more})


def next_after(api: str, said: Json, stream: bool = False) -> Scene:
    """The next message after a response."""
    return _next(_where(api, stream), said)


def next_after_call_beside(api: str, reason: str, stream: bool = False) -> Scene:
    """After a call in a response that was cut off or refused."""
    return next_after(api, answer("", call("delete_files", ETC), reason=reason), stream)


def next_after_cut_arguments(api: str, stream: bool = False, reason: str = "max_tokens") -> Scene:
    """After arguments that are no JSON."""
    return next_after(api, answer("", call("delete_files", '{"path": "/et'), reason=reason), stream)


def next_after_lost_call(api: str) -> Scene:
    """After a stream that ended behind a call."""
    return next_after(api, answer("", call("delete_files", ETC), is_cut=True), stream=True)


def next_after_lost_thinking(api: str) -> Scene:
    """After a stream that ended in thinking."""
    return next_after(api, answer(thinking="Hm.", is_cut=True), stream=True)


def next_after_empty_reply(api: str, stream: bool = False) -> Scene:
    """After a response with nothing in it."""
    return next_after(api, answer(), stream)


def next_after_thinking(api: str, stream: bool = False) -> Scene:
    """After a response of nothing but thinking."""
    return next_after(api, answer(thinking="Hm.", reason="max_tokens"), stream)


def next_after_unknown_tool(api: str, stream: bool = False) -> Scene:
    """After a call of a tool that there is not."""
    return next_after(api, answer("", call("nobody")), stream)


def empty_text(stream: bool = False) -> Scene:
    """An empty text beside a call: Anthropic refuses it when it goes back."""

    def bug(seen: Seen) -> str | None:
        why = seen.provider.refuses()
        return why and f"executed {seen.executed}; the provider refuses the next request for {why}: {seen.last[:400]}"

    return Scene(_where("anthropic", stream), [blocks({"type": "text", "text": ""}, LOOK)], bug, {"look": NOTHING})


def empty_output(api: str, stream: bool = False) -> Scene:
    """A tool says nothing."""
    said = answer("", call("note"))
    return _next(_where(api, stream), said, tools={"note": (NOTHING, lambda: "")}, says=["Go on."])


def throwing(api: str, stream: bool = False) -> Scene:
    """A tool throws, and then the user says the next thing."""
    return _next(_where(api, stream), answer("", call("note")), tools={"note": (NOTHING, _throw)})


def _throw() -> str:
    raise RuntimeError("the disk is full")


def _remembered(where: Where, answers: list[Json], tools: dict[str, Any], words: str = "bought for 100") -> Scene:
    """A run that ends badly after something was done: it has to be in the next message."""

    def bug(seen: Seen) -> str | None:
        if words in seen.last:
            return None
        return (
            f"executed {seen.executed}; told {seen.endings[0]}; {words!r} is not in the next request: {seen.last[:300]}"
        )

    return Scene(where, answers, bug, tools, ["Buy it.", "And now?"])


BUY = (NOTHING, lambda: "bought for 100")
FAILURE = written('{"error": {"type": "invalid_request_error", "message": "no"}}', status=400)


def forgotten_by_failure(api: str, stream: bool = False) -> Scene:
    """A tool is done, then the model fails."""
    return _remembered(_where(api, stream), [answer("", call("buy")), FAILURE], {"buy": BUY})


def forgotten_by_throw(api: str, stream: bool = False) -> Scene:
    """Of two tools one throws."""
    said = answer("", call("buy", number="c1"), call("fail", number="c2"))
    return _remembered(_where(api, stream), [said], {"buy": BUY, "fail": (NOTHING, _throw)})


def forgotten_by_cancel(api: str, stream: bool = False) -> Scene:
    """Of two tools one is done when the run is cancelled."""
    bought = threading.Event()

    def buy() -> str:
        bought.set()
        return "bought for 100"

    said = answer("", call("buy", number="c1"), call("wait", number="c2"))
    tools = {"buy": (NOTHING, buy), "wait": (NOTHING, lambda: CANCEL)}
    return _remembered(_where(api, stream), [said], tools)


def forgotten_by_late_cancel(api: str, stream: bool = False) -> Scene:
    """A tool is done, and the run is cancelled in the next turn."""
    answers = [answer("", call("buy", number="c1")), answer("", call("wait", number="c2"))]
    return _remembered(_where(api, stream), answers, {"buy": BUY, "wait": (NOTHING, lambda: CANCEL)})


def forgotten_words(api: str, stream: bool = False) -> Scene:
    """The model fails, and what the user had said is gone."""
    return _remembered(_where(api, stream), [FAILURE], {}, "Buy it.")


def next_after_cancel(api: str, stream: bool = False) -> Scene:
    """The run is cancelled while a tool runs, and then the user says the next thing."""
    return _next(_where(api, stream), answer("", call("wait")), tools={"wait": (NOTHING, lambda: CANCEL)})


def siblings(api: str, arguments: str = '{"at": 5}', called: str = "look", stream: bool = False) -> Scene:
    """A wrong call beside a right one, which has to be executed."""
    schema = {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}
    said = answer("", call("note", number="c1"), call(called, arguments, "c2"))

    def bug(seen: Seen) -> str | None:
        done = [each for each in seen.executed if each[0] == "note"]
        return None if done else f"the call beside it was not executed; the caller was told {seen.endings[0]}"

    return Scene(_where(api, stream), [said], bug, {"note": NOTHING, "look": schema})


def no_arguments(api: str, arguments: str = "", stream: bool = False) -> Scene:
    """Arguments that are nothing, of a tool without parameters."""

    def bug(seen: Seen) -> str | None:
        return None if seen.executed else f"not executed; told {seen.endings[0]}; {seen.last[-300:]}"

    return Scene(_where(api, stream), [answer("", call("note", arguments))], bug, {"note": NOTHING})


def half_a_letter(api: str, stream: bool = False) -> Scene:
    """Half of a surrogate pair in what a tool says."""

    def bug(seen: Seen) -> str | None:
        if len(seen.requests) < 2:
            return f"there is no next request; the caller was told {seen.endings[0]}"
        return "the next request has half of a surrogate pair" if re.search("[\ud800-\udfff]", seen.last) else None

    tools = {"note": (NOTHING, lambda: "cut \ud83d")}
    return Scene(_where(api, stream), [answer("", call("note"))], bug, tools)


def goes_back(api: str, arguments: str, words: str, stream: bool = False) -> Scene:
    """A number of the arguments that goes back as another one."""

    def bug(seen: Seen) -> str | None:
        told = f"there is no next request: {seen.endings[0]}" if len(seen.requests) < 2 else None
        return told or (None if words in seen.last else f"{arguments} went back in {seen.last[:400]}")

    return Scene(_where(api, stream), [answer("", call("pay", arguments))], bug, {"pay": NOTHING})


def illegal_name(api: str, name: str = " read ", stream: bool = False) -> Scene:
    """A call of a name that no provider takes goes back under it."""

    def bug(seen: Seen) -> str | None:
        back = len(seen.requests) > 1 and f'"name": "{name}"' in seen.last
        return f'the name "{name}" goes back, and the provider refuses it' if back else None

    return Scene(_where(api, stream), [answer("", call(name))], bug, {"read": NOTHING})


def illegal_tool(api: str, stream: bool = False, name: str = "calendar.read") -> Scene:
    """A tool whose name the provider does not take is declared under it."""

    def bug(seen: Seen) -> str | None:
        declared = _text([request.get("tools") for request in seen.requests])
        return f'declared as "{name}", which the provider refuses' if f'"{name}"' in declared else None

    return Scene(_where(api, stream), [], bug, {name: NOTHING})


def no_tools(api: str, stream: bool = False) -> Scene:
    """An agent without tools."""

    def bug(seen: Seen) -> str | None:
        return "it sends an empty list of tools" if seen.requests[0].get("tools") == [] else None

    return Scene(_where(api, stream), [], bug)


def null_arguments(api: str, stream: bool = False) -> Scene:
    """Arguments that are no JSON go back as they are, and the provider refuses them."""

    def bug(seen: Seen) -> str | None:
        back = [each for request in seen.requests[1:] for each in _arguments(request)]
        broken = [each for each in back if not isinstance(_read(each), dict)]
        return f"{broken[0]!r} goes back as the arguments of a call" if broken else None

    return Scene(_where(api, stream), [answer("", call("note", '{"path": "/et'))], bug, {"note": NOTHING})


def _arguments(request: Json) -> list[str]:
    calls = [each for message in request.get("messages", []) for each in message.get("tool_calls") or []]
    items = [item for item in request.get("input", []) if item.get("type") == "function_call"]
    return [each["function"]["arguments"] for each in calls] + [item["arguments"] for item in items]


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def went_back(api: str, stream: bool, said: Json, *words: str, tools: tuple[str, ...] = ("look",)) -> Scene:
    """What of a response has to be in the next request: all of `words`, in this order."""

    def bug(seen: Seen) -> str | None:
        if len(seen.requests) < 2:
            return f"there is no next request; executed {seen.executed}; the caller was told {seen.endings[0]}"
        at = 0
        for each in words:
            at = seen.last.find(each, at) + 1
            if at == 0:
                return f"{each!r} is not in its place in the next request: {seen.last[:600]}"
        why = seen.provider.refuses()
        return why and f"the provider refuses the next request for: {why}"

    says = ["Go on."] if tools else ["Go on.", "And now?"]
    return Scene(_where(api, stream), [said], bug, {name: NOTHING for name in tools}, says)


def stayed_away(api: str, stream: bool, said: Json, *words: str, tools: tuple[str, ...] = ()) -> Scene:
    """What of a response must not be in the next request."""

    def bug(seen: Seen) -> str | None:
        found = [each for each in words if each in seen.last] if len(seen.requests) > 1 else []
        return f"{found[0]!r} goes back in {seen.last[:400]}" if found else None

    says = ["Go on."] if tools else ["Go on.", "And now?"]
    return Scene(_where(api, stream), [said], bug, {name: NOTHING for name in tools}, says)


def executed_as(api: str, stream: bool, said: Json, *calls: tuple[str, Json], schema: Json = AT) -> Scene:
    """Calls that have to be executed as the model wrote them."""

    def bug(seen: Seen) -> str | None:
        as_written = sorted(map(_text, seen.executed)) == sorted(map(_text, calls))
        return None if as_written else f"executed {seen.executed}, but the model wrote {list(calls)}: {seen.endings[0]}"

    return Scene(_where(api, stream), [said], bug, {name: dict(schema) for name, _ in calls})


def chunk(delta: Json | None, finish: str | None = None, **choice: Any) -> str:
    """A chunk of Chat Completions."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5"}
    return _text({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish, **choice}]})


def _called(index: int, number: str, arguments: str, **more: Any) -> Json:
    return {
        "index": index,
        "id": number,
        "type": "function",
        "function": {"name": "look", "arguments": arguments},
        **more,
    }


def same_index(api: str = "chat") -> Scene:
    """Two calls under one index, told apart by their ids."""
    one, two = (chunk({"tool_calls": [_called(0, f"call_{at}", f'{{"at": "{at}"}}')]}) for at in "ab")
    said = stream_of(chunk({"role": "assistant"}), one, two, chunk({}, "tool_calls"), "[DONE]")
    return executed_as(api, True, said, ("look", {"at": "a"}), ("look", {"at": "b"}))


def two_pieces(api: str = "chat") -> Scene:
    """Two pieces of one call in one chunk."""
    pieces = [_called(0, "call_a", '{"'), {"index": 0, "function": {"arguments": 'at": '}}]
    rest = {"tool_calls": [{"index": 0, "function": {"arguments": "1}"}}]}
    said = stream_of(chunk({"role": "assistant", "tool_calls": pieces}), chunk(rest), chunk({}, "tool_calls"), "[DONE]")
    return executed_as(api, True, said, ("look", {"at": 1}))


def out_of_turn(api: str = "chat") -> Scene:
    """Pieces of two calls, in turns."""
    heads = [chunk({"tool_calls": [_called(at, f"call_{at}", "")]}) for at in (0, 1)]
    rests = [chunk({"tool_calls": [{"index": at, "function": {"arguments": f'{{"at": {at}}}'}}]}) for at in (0, 1)]
    said = stream_of(chunk({"role": "assistant"}), *heads, *rests, chunk({}, "tool_calls"), "[DONE]")
    return executed_as(api, True, said, ("look", {"at": 0}), ("look", {"at": 1}))


def null_delta(api: str = "chat") -> Scene:
    """A chunk without a delta that has the finish reason."""
    return error_written(api, True, chunk({"role": "assistant", "content": "Half of"}), chunk(None, "length"), "[DONE]")


def error_of_a_choice(api: str = "chat") -> Scene:
    """A failure that stands beside the last choice."""
    error = {"code": 502, "message": "the model broke"}
    first = chunk({"role": "assistant", "content": "Half of"})
    return error_written(api, True, first, chunk({"content": ""}, "stop", error=error), "[DONE]")


def error_chunk(api: str = "chat") -> Scene:
    """A failure in place of a chunk."""
    error = _text({"error": {"code": 502, "message": "the model broke"}})
    return error_written(api, True, chunk({"role": "assistant", "content": "Half of"}), error)


def ids_missing(api: str = "chat", stream: bool = True) -> Scene:
    """Calls without ids: each gets one of its own."""
    calls = [{**_called(at, "", f'{{"at": {at}}}'), "id": None} for at in (0, 1)]
    for each in calls:
        del each["id"]
    said = stream_of(chunk({"role": "assistant", "tool_calls": calls}), chunk({}, "tool_calls"), "[DONE]")

    def bug(seen: Seen) -> str | None:
        if len(seen.executed) < 2 or len(seen.requests) < 2:
            return f"two calls without ids came; executed {seen.executed}; the caller was told {seen.endings[0]}"
        back = [call for message in seen.requests[1]["messages"] for call in message.get("tool_calls") or []]
        numbers = [call.get("id") for call in back]
        if len(back) == 2 and all(numbers) and len(set(numbers)) == 2:
            return None
        return f"two calls without ids go back under the ids {numbers}"

    return Scene(_where(api, stream), [said], bug, {"look": NOTHING})


def blocks(*content: Json) -> Json:
    """An answer of Messages with these blocks."""
    return answer(content=content, reason="tool_use")


LOOK: Json = {"type": "tool_use", "id": "toolu_a", "name": "look", "input": {}}


def unsigned_thinking(api: str = "anthropic") -> Scene:
    """Thinking that a server gave without a signature goes back as if it had one."""
    said = blocks({"type": "thinking", "thinking": "I think."}, LOOK)
    return stayed_away(api, False, said, '"type": "thinking"', tools=("look",))


def unknown_block(api: str = "anthropic") -> Scene:
    """A block of a type that is new goes back in its place, as it came."""
    dream = {"type": "dream_1", "depth": 3}

    def bug(seen: Seen) -> str | None:
        if len(seen.requests) < 2:
            return f"there is no next request; executed {seen.executed}; the caller was told {seen.endings[0]}"
        content = seen.requests[1]["messages"][1]["content"]
        return (
            None
            if len(content) == 3 and content[1] == dream
            else f"{_text(dream)} came, and goes back in {_text(content)}"
        )

    said = blocks({"type": "text", "text": "I look."}, dream, LOOK)
    return Scene(_where(api), [said], bug, {"look": NOTHING})


def server_tool(api: str = "anthropic") -> Scene:
    """What a tool of the server did goes back in its place, as what it is."""
    said: Json = {"type": "text", "text": "I search."}
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "hills"}}
    hit = {"type": "web_search_result", "url": "https://example.com/", "title": "Hills", "page_age": None}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1"}
    found["content"] = [{**hit, "encrypted_content": "c2VhbGVk"}]

    def bug(seen: Seen) -> str | None:
        if len(seen.requests) < 2:
            return f"there is no next request; the caller was told {seen.endings[0]}"
        messages = [message for message in seen.requests[1]["messages"] if message["role"] == "assistant"]
        content = [block for message in messages for block in message["content"]]
        back = [block.get("type") for block in content]
        is_as_it_came = back == ["text", "server_tool_use", "web_search_tool_result", "tool_use"]
        return None if is_as_it_came else f"what the server's tool did went back as {_text(content)}"

    return Scene(_where(api), [blocks(said, use, found, LOOK)], bug, {"look": NOTHING})


def thinking_goes_back(api: str, stream: bool = False) -> Scene:
    """Signed thinking before a call goes back as it came."""
    seal = "c2VhbGVk" if api == "responses" else "c2lnbmF0dXJl"
    return went_back(api, stream, answer("", call("look"), thinking=" I think.\n"), " I think.\\n", seal)


def interleaved(api: str = "anthropic") -> Scene:
    """Signed thinking between two calls keeps its place."""
    one, two = ({"type": "thinking", "thinking": f"{word}.", "signature": "c2ln"} for word in ("One", "Two"))
    said = blocks(one, LOOK, two, {**LOOK, "id": "toolu_b"})
    return went_back(api, False, said, "One.", '"toolu_a"', "Two.", '"toolu_b"')


def redacted(api: str = "anthropic") -> Scene:
    """Redacted thinking goes back with its data."""
    return went_back(api, False, blocks({"type": "redacted_thinking", "data": "ZW5jcnlwdGVk"}, LOOK), "ZW5jcnlwdGVk")


def forgotten_thinking(api: str = "anthropic", stream: bool = False) -> Scene:
    """Signed thinking of a run that ended at its limit is in the next message."""
    scene = went_back(api, stream, answer("", call("look"), thinking="I think."), "I think.", "c2lnbmF0dXJl")
    scene.says, scene.limit = ["Go on.", "And now?"], 1
    return scene


def _items(*output: Json) -> Json:
    """A response of the Responses API with these items."""
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5", "status": "completed"}
    usage = {"input_tokens": 5, "output_tokens": 5, "total_tokens": 10}
    rest = {"error": None, "parallel_tool_calls": True, "tools": [], "tool_choice": "auto", "usage": usage}
    return written(_text({**head, "output": output, **rest}))


def _thought_said_called(number: int, text: str) -> list[Json]:
    """A thought, a text and a call, as items of one response."""
    summary = [{"type": "summary_text", "text": "They want it."}]
    part = {"type": "output_text", "text": text, "annotations": []}
    said = {"type": "message", "role": "assistant", "status": "completed", "content": [part], "phase": "commentary"}
    called = {"type": "function_call", "status": "completed", "name": "look", "arguments": "{}"}
    return [
        {"id": f"rs_{number}", "type": "reasoning", "summary": summary, "encrypted_content": f"c2VhbGVk{number}000"},
        {"id": f"msg_{number}", **said},
        {"id": f"fc_{number}", **called, "call_id": f"call_{number}"},
    ]


def _sent_items(seen: Seen) -> list[Json]:
    """What the model had said, in the next request."""
    return [item for item in seen.requests[1]["input"] if item.get("role") != "user" and "output" not in item]


def items_in_order(api: str = "responses") -> Scene:
    """The items of a response go back in the order in which they came: thinking before what was thought of."""
    items = [*_thought_said_called(1, "I look."), *_thought_said_called(2, "And again.")]

    def bug(seen: Seen) -> str | None:
        if len(seen.requests) < 2:
            return f"there is no next request; the caller was told {seen.endings[0]}"
        came, back = ([item.get("type") for item in each] for each in (items, _sent_items(seen)))
        return None if came == back else f"{came} came, and went back as {back}"

    return Scene(_where(api), [_items(*items)], bug, {"look": NOTHING})


def phase_goes_back(api: str = "responses") -> Scene:
    """A text between thoughts and calls goes back as such: without its phase it reads as an answer."""

    def bug(seen: Seen) -> str | None:
        if len(seen.requests) < 2:
            return f"there is no next request; the caller was told {seen.endings[0]}"
        said = [item for item in _sent_items(seen) if item.get("role") == "assistant"]
        phases = [item.get("phase") for item in said]
        return None if phases == ["commentary"] else f"a text of the phase commentary went back in {_text(said)}"

    return Scene(_where(api), [_items(*_thought_said_called(1, "I look."))], bug, {"look": NOTHING})


def elsewhere(api: str, stream: bool = False) -> Scene:
    """A redirect to another origin is followed, and the key goes along."""
    other = Provider()
    said = {**written('{"moved": true}', status=307), "location": f"{other.url}/there"}

    def bug(seen: Seen) -> str | None:
        return f"followed to another origin; the caller was told {seen.endings[0]}" if other.requests else None

    return Scene(_where(api, stream), [said], bug)


def no_seal(api: str = "responses") -> Scene:
    """Reasoning that was cut off goes back in the next message, with half of its seal."""
    head = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5",
        "output": [],
        "status": "in_progress",
    }
    item = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "aGFsZg"}
    piece = {"item_id": "rs_1", "output_index": 0, "summary_index": 0, "delta": "They want."}
    events = [
        {"type": "response.created", "response": head, "sequence_number": 0},
        {"type": "response.output_item.added", "output_index": 0, "item": item, "sequence_number": 1},
        {"type": "response.reasoning_summary_text.delta", **piece, "sequence_number": 2},
    ]
    return stayed_away(api, True, stream_of(*map(_text, events)), "aGFsZg", '"rs_1"')


def failed_response(api: str = "responses") -> Scene:
    """A response that failed, as its last event says."""
    head = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5",
        "output": [],
        "status": "in_progress",
    }
    failed = {**head, "status": "failed", "error": {"code": "server_error", "message": "the model broke"}}
    events = [{"type": "response.created", "response": head}, {"type": "response.failed", "response": failed}]
    return error_written(api, True, *map(_text, events))


def failed_body(api: str = "responses") -> Scene:
    """A response that failed, as its status says."""
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5", "output": [], "status": "failed"}
    body = {**head, "error": {"code": "server_error", "message": "the model broke"}, "parallel_tool_calls": True}
    said = written(_text({**body, "tools": [], "tool_choice": "auto"}))
    return _told(_where(api), said, "the response failed")
