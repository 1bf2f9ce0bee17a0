"""The state of a run: a snapshot (schemas/snapshot.schema.json), from its beginning on."""

from __future__ import annotations

import copy
from typing import Any, Dict, List, Optional, Tuple

import options as known
from letters import whole_letters

Json = Dict[str, Any]


def begun(session: Json, agents: Json, agent: str, options: Json, context: Optional[Json]) -> Json:
    """The state of a run that begins; the session that it was given stays as it is."""
    own_limits = agents.get(agent, {}).get("limits", {})
    return {
        "spec_version": "1.0",
        "phase": "turn_boundary",
        "session": whole_letters(copy.deepcopy(session)),  # [SESSION-3] [SESSION-33]
        "agent": agent,
        "options": known.in_force({**options, **own_limits}),
        "turn": 0,
        "truncations": 0,
        "counters": {},
        "response_start": len(session["messages"]),
        "decisions": [],
        "steps": [],
        **({} if context is None else {"context": copy.deepcopy(context)}),
    }


def unread(first: Optional[Json], agents: Json) -> Json:
    """The state of a run whose journal cannot be read, as far as its first record says it."""
    session = first["session"] if first else {"spec_version": "1.0", "id": "unknown", "messages": []}
    return begun(session, agents, first["agent"] if first else next(iter(agents), "main"), {}, None)


def restored(snapshot: Json, agents: Json, options: Optional[Json]) -> Json:
    """The state of a run that goes on, whoever wrote its snapshot; given options replace its own [LOOP-102]."""
    state = {key: copy.deepcopy(value) for key, value in snapshot.items() if key != "ending"}
    first = state["steps"][0]["agent"] if state["steps"] else state["agent"]
    own_limits = agents.get(first, {}).get("limits", {}) if options else {}  # [LOOP-128]
    in_force = known.in_force({**state["options"], **(options or {}), **own_limits})
    return {**state, "options": in_force, "counters": state.get("counters", {})}


def last_calls(state: Json) -> List[Json]:
    """The calls of the last response."""
    response = state["session"]["messages"][state["response_start"] :]
    return [message for message in response if message.get("type") == "tool_call"]


def waiting(state: Json) -> Dict[Tuple[str, ...], Tuple[Json, Json]]:
    """The calls that wait for the caller, in call order, by their own id behind those of the calls around them."""
    found: Dict[Tuple[str, ...], Tuple[Json, Json]] = {}
    for call, asked in zip(last_calls(state), state["decisions"]):
        unfinished = state.get("unfinished", {}).get(call["id"], {})
        if asked["do"] == "ask":
            found[(call["id"],)] = (call, asked)
        if "snapshot" in unfinished:
            found.update({(call["id"], *path): each for path, each in waiting(unfinished["snapshot"]).items()})
    return found


def written(state: Json) -> Json:
    """The state as a snapshot, or a journal, has it: nothing of it is for this loop alone [LOOP-113]."""
    return {**state, "options": known.differing(state["options"])}
