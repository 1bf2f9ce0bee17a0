"""Subagents: an agent of the run answers a call, in a run and on a session of its own."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple

import limits
import options as known
from clock import TimeIsOver
from cost import text_of
from state import begun, last_calls, restored

if TYPE_CHECKING:
    from agent_loop import Run

Json = Dict[str, Any]

# What is said of the answers of a run is not said of those of its helpers [SUBAGENT-4].
OWN = ("max_turns", "tool_choice", "tool_choice_for", "stop_when")
SHARED = ("max_total_tokens", "deadline_ms", "budget")  # limits of which a subagent has what is left [SUBAGENT-11]
ANSWERS = ("completed", "stopped")


def missing_agent(agents: Json) -> Optional[str]:
    """The agent that a tool names and the run does not have, if there is one [SUBAGENT-3]."""
    named = (tool["agent"] for agent in agents.values() for tool in agent.get("tools", []) if "agent" in tool)
    return next((name for name in named if name not in agents), None)


def is_spent(state: Json) -> bool:
    """Whether nothing is left of a budget [SUBAGENT-12]."""
    budget = state["options"].get("budget")
    return budget is not None and limits.spent(state) >= Decimal(budget)


class Subagent:
    """The agent that answers the calls of a tool."""

    def __init__(self, parent: Run, tool: Json) -> None:
        self.parent, self.tool = parent, tool

    def answer(self, call: Json, waiting: Json) -> Json:
        """What its run comes to, as a tool would return it, or its snapshot; `waiting` has that of a run that goes on."""
        result, session = self.go_on(call, waiting) if waiting else self.begin(call)
        self.report(call, result, session)
        if result["status"] == "suspended":
            return {"snapshot": result["snapshot"]}  # [SUBAGENT-14]
        if result["status"] in ANSWERS and result.get("stop_condition") != "blocked":
            return {"output": result["final_text"]}  # [SUBAGENT-5]
        if self.parent.ports.clock.is_over():
            raise TimeIsOver("The run has taken its time while a subagent worked.")
        why = result.get("error", {}).get("message") or result.get("reason")
        told = f"The agent {result['agent']} ended with status {result['status']}{': ' + why if why else '.'}"
        return {"output": told, "is_error": True}  # [SUBAGENT-6]

    def begin(self, call: Json) -> Tuple[Json, Json]:
        parent = self.parent.state
        said = {"role": "user", "content": prompt_of(call["input"])}  # [SUBAGENT-2]
        session = {"spec_version": "1.0", "id": f"{parent['session']['id']}/{call['id']}", "messages": [said]}
        state = begun(session, self.parent.agents, self.tool["agent"], self.options(None), parent.get("context"))
        return self.parent.child(state, self.tell(call)).start()

    def go_on(self, call: Json, waiting: Json) -> Tuple[Json, Json]:
        """The run of a subagent that waited goes on, with the options that its parent has by now [SUBAGENT-16]."""
        state = restored(waiting["snapshot"], self.parent.agents, None)
        own = {name: value for name, value in state["options"].items() if name in OWN}
        state["options"] = known.in_force({**self.options(state), **own})
        return self.parent.child(state, self.tell(call)).resume(waiting["decisions"])

    def options(self, child: Optional[Json]) -> Json:
        """The options of the parent, with what is left of its limits, and what the subagent has taken of them."""
        self.parent.look_at_the_clock()
        state = self.parent.state
        options = {name: value for name, value in state["options"].items() if name not in OWN}
        for name in SHARED:
            count = limits.LIMITS[name][0]
            if name in options:
                left = max(Decimal(options[name]) - count(state), Decimal(0)) + (count(child) if child else 0)
                options[name] = text_of(left) if name == "budget" else int(left)
        return options

    def tell(self, call: Json) -> Callable[[Json], None]:
        """Tell of what happens in the run of the subagent [SUBAGENT-13]."""
        return lambda event: self.parent.emit("subagent_event", id=call["id"], name=call["name"], event=event)

    def report(self, call: Json, result: Json, session: Json) -> None:
        """Say in the step of the turn what the subagent has taken by now [SUBAGENT-9]."""
        step = self.parent.state["steps"][-1]
        told = ("agent", "status", "turns", "usage", "usage_by_model", "cost", "cost_by_model")
        report = {"id": call["id"], "session_id": session["id"], **{key: result[key] for key in told if key in result}}
        reports = {**{each["id"]: each for each in step.get("subagents", [])}, call["id"]: report}
        step["subagents"] = [reports[each["id"]] for each in last_calls(self.parent.state) if each["id"] in reports]


def prompt_of(arguments: Json) -> str:
    prompt = arguments.get("prompt")
    return prompt if isinstance(prompt, str) else json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
