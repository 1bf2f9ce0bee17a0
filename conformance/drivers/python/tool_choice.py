"""Whether the model may, must or must not call a tool, and what follows when it does not keep to that."""

from __future__ import annotations

from typing import Any, Dict, Optional

from plugin import Plugin
from result import Ending, failed

Json = Dict[str, Any]


class ToolChoice(Plugin):
    """Insists, once, on a choice that the model did not keep."""

    def before_end(self, ending: Ending) -> Optional[Ending]:
        state, choice = self.run.state, choice_of(self.run.state)
        violations = unkept(state, ending.status, state["steps"][-1]["tool_calls"])
        if violations > 1:  # [LOOP-62]
            return failed("tool_choice_violated", f"The model calls no tool, though it must: {choice}.")
        if not violations or not self.run.may_go_on():
            return ending
        self.run.append([reminder(choice)])  # [LOOP-61]
        return None


def choice_of(state: Json) -> Any:
    """The choice for the request of the turn that has begun; None if the model is free [LOOP-60]."""
    options = state["options"]
    always = options.get("tool_choice_for") == "every_turn"
    return options.get("tool_choice") if state["turn"] == 1 or always or was_insisted(state) else None


def was_insisted(state: Json) -> bool:
    """Whether the model was told before this turn that it has to call a tool."""
    return bool(state["turn"] > 1 and state["counters"].get("insisted_turn") == state["turn"] - 1)


def unkept(state: Json, status: str, calls: int) -> int:
    """How many responses in a row should have called a tool, and would end the run as completed without one; 2 at most."""
    must_call = choice_of(state) not in (None, "auto", "none")
    if not must_call or calls or status != "completed":
        return 0
    if was_insisted(state):
        return 2
    state["counters"]["insisted_turn"] = state["turn"]
    return 1


def reminder(choice: Any) -> Json:
    tool = f"the tool {choice['name']}" if isinstance(choice, dict) else "a tool"
    return {"role": "user", "content": f"You have called no tool. Call {tool}.", "synthetic": True}
