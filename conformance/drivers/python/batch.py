"""The calls of one response: what is decided about each, their execution, and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import approval
from clock import TimeIsOver
from context import seen
from result import Ending, failed
from result_texts import RESULT_TEXTS
from session import answered, made_up
from tool_calls import execute_call, invalid, judge

if TYPE_CHECKING:
    from agent_loop import Run

Json = Dict[str, Any]


class Batch:
    """The calls of the last response of a run. What is decided about them stands in its state."""

    def __init__(self, run: Run) -> None:
        self.run, self.state = run, run.state
        self.calls = [message for message in run.response() if message.get("type") == "tool_call"]

    def decide(self) -> Optional[Ending]:
        """Judge every call before any is executed."""
        self.state["decisions"] = [self.judge(call) for call in self.calls]
        return self.suspend() or self.execute()

    def refuse(self, ending: Ending) -> None:
        """Answer the calls of a response that was refused [HOOK-12] [GUARDRAIL-3]."""
        tools = self.run.tools
        self.state["decisions"] = [invalid(call, tools) or deny(call, ending) for call in self.calls]
        self.execute()

    def judge(self, call: Json) -> Json:
        refusal = invalid(call, self.run.tools)
        if refusal:
            return refusal
        changed: Json = {}
        for plugin in self.run.plugins:
            changed = plugin.before_call(call, changed)
        return changed if "do" in changed else judge(call, changed, self.run.tools[call["name"]], self.state["options"])

    def suspend(self) -> Optional[Ending]:
        """While a call of a batch waits, nothing of it is executed [LOOP-33] [LOOP-34] [PERMISSION-11]."""
        waits = any(decision["do"] == "ask" for decision in self.state["decisions"])
        return Ending("suspended") if waits else None

    def execute(self) -> Optional[Ending]:
        """Execute or answer each call, in call order, one at a time; store the results when all are known."""
        waiting = [approval.executable(*each) for each in self.decided() if each[1]["do"] == "run"]
        refused = self.run.first(lambda plugin: plugin.before_batch(waiting))
        if refused:
            self.state["decisions"] = [
                deny(call, refused) if decision["do"] == "run" else decision for call, decision in self.decided()
            ]
        answers = [self.answer(call, decision) for call, decision in self.decided()]
        for plugin in self.run.plugins:
            plugin.before_results(self.calls, answers)
        self.state["decisions"] = []
        self.run.append_results([answer["result"] for answer in answers])
        endings = [plugin.after_results(answers) for plugin in self.run.plugins]
        fatal = next((answer["fatal"] for answer in answers if "fatal" in answer), None)
        if fatal is not None:
            return failed("tool_fatal", fatal)  # the rest of the batch has run [TOOL-18]
        is_final = all(answer.get("final") for answer in answers)  # [LOOP-52]
        final = Ending("stopped", stop_condition="final_result") if is_final else None
        return next((ending for ending in (refused, *endings) if ending), final)

    def decided(self) -> List[Tuple[Json, Json]]:
        """Each call, with what is decided about it."""
        return list(zip(self.calls, self.state["decisions"]))

    def answer(self, call: Json, decision: Json) -> Json:
        """What came of a call: its result, and what its tool asked for."""
        if decision["do"] == "answer":
            return {"result": decision["result"]}
        if self.run.ports.clock.is_over():
            return {"result": made_up(call, "cancelled", RESULT_TEXTS["cancelled_before"])}
        executed = approval.executable(call, decision)
        try:
            value, fatal = execute_call(executed, seen(self.state), self.run.ports.execute_tool, self.run.emit)
        except TimeIsOver:
            return {"result": made_up(call, "cancelled", RESULT_TEXTS["cancelled_while_running"])}
        asked = {key: value[key] for key in ("final", "context_updates", "handoff") if key in value}
        if value.get("is_error"):
            asked.pop("handoff", None)  # [LOOP-95]
        answer = {"result": answered(call, value), **asked, **({"fatal": fatal} if fatal is not None else {})}
        for plugin in self.run.from_within:
            plugin.after_call(executed, answer)
        return answer

    # Suspended runs

    def resume(self, decisions: List[Json]) -> Optional[Ending]:
        """Do as the caller has decided about each call that waited."""
        by_id = {decision["id"]: decision for decision in decisions}
        for index, (call, asked) in enumerate(self.decided()):
            if call["id"] in by_id:
                asked = approval.decided(call, asked, by_id[call["id"]], self.run.tools.get(call["name"]))
            self.state["decisions"][index] = self.judge_again(call, asked)
        return self.suspend() or self.execute()

    def judge_again(self, call: Json, decision: Json) -> Json:
        """What becomes by now of a call that is to be executed [PERMISSION-27]."""
        permissions, tool = self.state["options"].get("permissions"), self.run.tools.get(call["name"])
        if decision["do"] == "run" and not tool:
            return approval.deny(call, "its tool is gone")
        if decision["do"] == "run" and permissions is not None:
            decision = approval.judge_again(call, decision, tool, permissions, self.run.warn)
        for plugin in self.run.plugins:
            decision = plugin.before_resumed_call(call, decision) if decision["do"] == "run" else decision
        return decision

    def pending(self) -> List[Json]:
        """The calls that wait for the caller, in call order [LOOP-35]."""
        return [approval.pending(call, decision) for call, decision in self.decided() if decision["do"] == "ask"]


def deny(call: Json, ending: Ending) -> Json:
    return approval.deny(call, ending.reason or "the run has ended")
