"""Why a run can not begin, or not go on where it was suspended."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import compaction
import cost
import options
import permissions
import stop_conditions
from approval import misdirected
from result import Ending, failed
from schema_refusals import refuse_schema
from session import problem
from state import waiting
from subagents import missing_agent

Json = Dict[str, Any]


def cannot_run(state: Json, agents: Json) -> Optional[Ending]:
    if state["agent"] not in agents:
        told = f"The active agent is {state['agent']}; the agents are {list(agents)}. Name one of them."
        return failed("configuration", told)
    given = state["options"]
    wrong = options.unknown(given) or permissions.unreadable(given.get("permissions", {}))
    wrong = wrong or compaction.refused(given.get("compaction", {}))
    wrong = wrong or stop_conditions.refused(given.get("stop_when", []))
    if wrong:
        return failed("configuration", wrong)
    agent = agents[state["agent"]]
    names = [tool["name"] for tool in agent.get("tools", [])]
    if len(set(names)) < len(names):
        return failed("configuration", "Two tools of the agent have one name; give each its own.")
    for name, tool in [(tool["name"], tool) for each in agents.values() for tool in each.get("tools", [])]:
        refusal = refuse_schema(tool["input_schema"])  # [TOOL-43]
        if refusal:
            return failed("configuration", f"The input_schema of the tool {name} cannot be obeyed: {refusal}.")
    missing = missing_agent(agents)
    if missing:
        told = f"A tool is answered by the agent {missing}; the agents are {list(agents)}. Name one of them."
        return failed("configuration", told)
    for model in [agent.get("model"), *(each.get("model") for each in agents.values())]:  # whom it may hand over to, or ask
        if cost.without_price(state["options"], model):
            return failed("configuration", f"The run has a budget, and no price for the model {model}; put it into prices.")
    return None


def cannot_start(state: Json) -> Optional[Ending]:
    found = problem(state["session"])
    return failed("invalid_session", found) if found else None


def cannot_resume(state: Json, decisions: List[Json]) -> Optional[Ending]:
    if not state["spec_version"].startswith("1."):
        told = f"The snapshot is of version {state['spec_version']}; a run goes on from one of version 1.x."
        return failed("configuration", told)
    asked = waiting(state)
    decided = [(*decision.get("path", []), decision["id"]) for decision in decisions]
    if sorted(decided) != sorted(asked):
        expected, given = (["/".join(path) for path in paths] for paths in (asked, decided))
        return failed("configuration", f"The snapshot takes one decision for each of {expected}, and was given {given}.")
    wrong = [misdirected(*asked[path], decision) for path, decision in zip(decided, decisions)]
    refusal = next((why for why in wrong if why), None)
    return failed("configuration", refusal) if refusal else None
