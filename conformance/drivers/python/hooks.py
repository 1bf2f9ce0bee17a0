"""Hooks: code of the caller that a run asks at named points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from approval import deny, executable, skip, wrong_change
from clock import TimeIsOver
from keeping_on import said
from permissions import fits
from plugin import Plugin
from result import Ending, text_of
from session import answered
from state import last_calls

Json = Dict[str, Any]

# A check that broke has not permitted anything [HOOK-14]; the hooks of the other points only look [HOOK-15].
CHECKS = ("user_input", "before_model", "after_model", "before_tool")
ADDING = ("user_input", "before_model")  # of the points that may end a run; what others answer beside is ignored


@dataclass
class Hook:
    """What is asked, where, and about which tools; `*` in their name stands for any text.

    It cannot be left before it returns, unless it looks at the clock of the run, which then raises TimeIsOver.
    """

    point: str
    ask: Callable[[Json], Optional[Json]]  # what is told -> what is answered, if anything, schemas/hook.schema.json
    tool: str = "*"


class Hooks(Plugin):
    """Asks the hooks of a run, and does what they say."""

    def begin(self) -> Optional[Ending]:
        self.tell("run_start")
        return None

    def begin_again(self) -> None:
        self.tell("run_start")

    def heard(self, messages: List[Json]) -> Optional[Ending]:
        for message in messages:
            blocked = self.listen("user_input", {"message": message})
            if blocked:
                return blocked
        return None

    def before_turn(self) -> Optional[Ending]:
        blocked = self.listen("before_model", {})
        if not blocked:
            self.run.append(said(unsaid["text"]) for unsaid in self.in_call_order(self.run.state.pop("unsaid", [])))
        return blocked

    def in_call_order(self, all_unsaid: List[Json]) -> List[Json]:
        """What hooks have to say about calls, whenever these were executed, and behind it the rest [HOOK-30]."""
        places = {call["id"]: place for place, call in enumerate(last_calls(self.run.state))}
        return sorted(all_unsaid, key=lambda unsaid: places.get(unsaid.get("id", ""), len(places)))

    def turn_started(self) -> None:
        self.tell("turn_start")

    def after_model(self, messages: List[Json]) -> Optional[Ending]:
        return self.listen("after_model", {"messages": messages})

    def looks_at(self, point: str) -> bool:
        return point == "model_output" and any(hook.point == "after_model" for hook in self.run.ports.hooks)

    def before_call(self, call: Json, changed: Json) -> Json:
        """What becomes of a call: other arguments [HOOK-6], or an answer; {} if it stays as it is."""
        told = {"call": executable(call, changed)}
        for reply in self.replies("before_tool", told, call["name"]):
            answer = answer_of(call, reply)
            if answer:
                return answer
            if "input" in reply:
                told["call"] = {**told["call"], "input": reply["input"]}
                changed = {"input": reply["input"]}
                wrong = wrong_change(call, reply["input"], self.run.tools[call["name"]])
                if wrong:
                    return wrong
        return changed

    def before_resumed_call(self, call: Json, decision: Json) -> Json:
        """The decision about a call that is executed by now, unless a hook answers it; its arguments stay [HOOK-19]."""
        replies = self.replies("before_tool", {"call": executable(call, decision)}, call["name"])
        answers = (answer_of(call, reply) for reply in replies)
        return next((answer for answer in answers if answer), decision)  # [HOOK-18]

    def after_call(self, call: Json, answer: Json) -> None:
        result = answer["result"]
        failed = {"outcome": result["outcome"]} if result.get("is_error") else {}
        point = "tool_failure" if failed else "after_tool"
        told = {"call": call, "output": result["output"], **failed}
        for reply in self.replies(point, told, call["name"]):
            if "output" in reply:  # [HOOK-9]
                told["output"] = reply["output"]
                kept = {key: result[key] for key in ("data",) if key in result}
                fatal = {"is_error": True} if "fatal" in answer else {}
                answer["result"] = {**answered(call, {**reply, **fatal}), **kept}
            self.note(reply, id=call["id"])

    def turn_ended(self) -> None:
        self.tell("turn_end")

    def before_end(self, ending: Ending) -> Optional[Ending]:
        counters, most = self.run.state["counters"], self.run.state["options"]["max_stop_blocks"]
        if ending.status != "completed" or counters.get("stop_blocks", 0) >= most or not self.run.may_go_on():
            return ending  # no hook could keep the run going [HOOK-36]
        replies = self.replies("stop", {"status": "completed", "final_text": text_of(self.run.response())})
        reason = next((reply["block"] for reply in replies if "block" in reply), None)
        if reason is None or not self.run.may_go_on():
            return ending
        counters["stop_blocks"] = counters.get("stop_blocks", 0) + 1
        self.run.append([said(reason)])  # [HOOK-13]
        return None

    def before_compaction(self, compaction: Json) -> bool:
        told = {"compaction": compaction, "messages": [dict(message) for message in self.run.messages]}
        return not any("block" in reply for reply in self.replies("before_compaction", told))

    def after_compaction(self, compaction: Json) -> None:
        self.tell("after_compaction", compaction=compaction)

    def end(self, ending: Ending) -> None:
        self.tell("run_end", status=ending.status, final_text=self.run.final_text(ending))

    # Asking

    def tell(self, point: str, **told: Any) -> None:
        """Ask the hooks of a point from which nothing follows."""
        for _ in self.replies(point, told):
            pass

    def listen(self, point: str, told: Json) -> Optional[Ending]:
        """The end of the run if one of the hooks blocks; what they add is said to the model before it is called."""
        for reply in self.replies(point, told):
            if "block" in reply:
                return Ending("stopped", stop_condition="blocked", reason=reply["block"])  # [HOOK-11] [HOOK-12]
            if point in ADDING:
                self.note(reply)
        return None

    def note(self, reply: Json, **about: str) -> None:
        if "add_context" in reply:
            self.run.state.setdefault("unsaid", []).append({"text": reply["add_context"], **about})  # [HOOK-10]

    def replies(self, point: str, told: Json, tool: str = "") -> Iterator[Json]:
        """What the hooks of a point answer, one after another [HOOK-1]. Who changes `told` tells the next one [HOOK-3]."""
        for hook in self.run.ports.hooks:
            if hook.point != point or (tool and not fits(hook.tool, tool)):  # [HOOK-2]
                continue
            state = self.run.state
            about = {"turn": state["turn"], "agent": state["agent"], "session_id": state["session"]["id"]}  # [HOOK-17]
            reply, failure = self.reply(hook, {"point": point, **about, **told})
            if failure and point in CHECKS:
                yield {"block": failure}
            elif failure:
                self.run.warn("hook_failed", failure)
            elif reply:
                yield reply

    def reply(self, hook: Hook, told: Json) -> Tuple[Json, str]:
        """What a hook answers, or why it has failed; nothing, where the time of the run is over [LOOP-105]."""
        clock, most = self.run.ports.clock, self.run.state["options"].get("hook_timeout_ms")
        late, began = f"A hook has not answered in time at {hook.point}.", clock.now()
        try:
            with clock.within(most):
                reply = hook.ask(told) or {}
        except TimeIsOver:
            return {}, "" if clock.is_over() else late
        except Exception as thrown:
            return {}, f"A hook failed at {hook.point}: {thrown}"
        if most is not None and clock.now() - began >= most:
            return {}, late  # it looks at no clock
        if not isinstance(reply, dict):
            return {}, f"A hook answers with an object at {hook.point}, not with {reply!r}."
        return reply, ""


def answer_of(call: Json, reply: Json) -> Optional[Json]:
    """The decision that answers a call as a hook says, if it says so."""
    if "block" in reply:
        return deny(call, reply["block"])  # [HOOK-5]
    if reply.get("skip"):
        return skip(call)  # [HOOK-7]
    return {"do": "answer", "result": answered(call, reply)} if "output" in reply else None  # [HOOK-8]
