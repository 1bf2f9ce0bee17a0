"""The calls of one response: what is decided about each, by the run and by its caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional

import approval
from execution import Execution
from result import Ending
from state import last_calls
from tool_calls import invalid, judge

if TYPE_CHECKING:
    from agent_loop import Run

Json = Dict[str, Any]


class Batch:
    """The calls of the last response of a run. What is decided about them stands in its state."""

    def __init__(self, run: Run) -> None:
        self.run, self.state = run, run.state
        self.calls = last_calls(run.state)

    def decide(self) -> Optional[Ending]:
        """Judge every call before any is executed."""
        self.state["decisions"] = [self.judge(call) for call in self.calls]
        return self.go_on()

    def go_on(self) -> Optional[Ending]:
        """While a call of a batch waits, nothing of it is executed, unless it is eager [LOOP-33] [LOOP-34] [PERMISSION-11]."""
        waits = any(decision["do"] == "ask" for decision in self.state["decisions"])
        is_eager = self.state["options"]["approval_batch"] == "eager"  # [PERMISSION-19]
        is_over = self.run.ports.clock.is_over()  # the run ends, and waits for nobody [LOOP-110]
        if waits and not is_eager and not is_over and not self.run.suspend():
            return Ending("suspended")
        return Execution(self.run, self.calls).execute()

    def refuse(self, ending: Ending) -> None:
        """Answer the calls of a response that was refused [HOOK-12] [GUARDRAIL-3]."""
        why = ending.reason or "its response was refused"
        tools = self.run.tools
        self.state["decisions"] = [invalid(call, tools) or approval.deny(call, why) for call in self.calls]
        self.go_on()

    def judge(self, call: Json) -> Json:
        refusal = invalid(call, self.run.tools) or self.unwritten(call)
        if refusal:
            return refusal
        changed: Json = {}
        for plugin in self.run.plugins:
            changed = plugin.before_call(call, changed)
        return changed if "do" in changed else judge(call, changed, self.run.tools[call["name"]], self.state["options"])

    def unwritten(self, call: Json) -> Optional[Json]:
        """The answer to a call of a run that cannot be written down any more; nobody is asked about it."""
        result = self.run.journal.unwritten(call)
        return {"do": "answer", "result": result} if result else None

    def resume(self, decisions: List[Json]) -> Optional[Ending]:
        """Do as the caller has decided about each call that waited."""
        by_id = {decision["id"]: decision for decision in decisions if not decision.get("path")}
        for index, call in enumerate(self.calls):
            decision = self.state["decisions"][index]
            if call["id"] in by_id:
                decision = approval.decided(call, decision, by_id[call["id"]], self.run.tools.get(call["name"]))
            if "snapshot" in self.unfinished(call):
                self.unfinished(call)["decisions"] = below(call, decisions)
            self.state["decisions"][index] = self.judge_again(call, decision) if decision["do"] == "run" else decision
        return self.go_on()

    def judge_again(self, call: Json, decision: Json) -> Json:
        """What becomes by now of a call that is to be executed, and about which others are asked once more [HOOK-18]."""
        is_asked_about = call["name"] in self.run.tools and not self.unfinished(call)
        for plugin in self.run.plugins if is_asked_about else []:
            decision = plugin.before_resumed_call(call, decision) if decision["do"] == "run" else decision
        return self.permitted(call, decision) if decision["do"] == "run" else decision  # behind the hooks [HOOK-31]

    def permitted(self, call: Json, decision: Json) -> Json:
        """What becomes of it as far as its tool, rules and mode are concerned [PERMISSION-27]."""
        permissions, tool = self.state["options"].get("permissions"), self.run.tools.get(call["name"])
        if "executed" in self.unfinished(call):
            return decision
        if not tool:
            return approval.deny(call, "its tool is gone")
        if self.unfinished(call) or permissions is None:
            return decision
        return approval.judge_again(call, decision, tool, permissions, self.run.warn)

    def unfinished(self, call: Json) -> Json:
        """What became of a call before the run was suspended, if it was begun."""
        found: Json = self.state.get("unfinished", {}).get(call["id"], {})
        return found


def below(call: Json, decisions: List[Json]) -> List[Json]:
    """The decisions about the calls of a subagent, as it knows them [SUBAGENT-16]."""
    own = [decision for decision in decisions if decision.get("path", [])[:1] == [call["id"]]]
    rest = [(decision["path"][1:], {key: decision[key] for key in decision if key != "path"}) for decision in own]
    return [{**decision, "path": path} if path else decision for path, decision in rest]
