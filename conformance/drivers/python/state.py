"""The state of a run: a snapshot (schemas/snapshot.schema.json), from its beginning on."""

from __future__ import annotations

import copy
from typing import Any, Dict

Json = Dict[str, Any]

DEFAULTS: Json = {
    **{"max_turns": 20, "max_truncation_recoveries": 3, "max_pause_continuations": 10, "execute_tools": True},
    **{"scheduling": "barrier", "max_concurrency": 10, "tool_timeout_ms": None, "cancel_grace_ms": 0},
    **{"on_max_tokens": "end", "max_continuations": 3, "on_empty": "end", "max_empty_retries": 1},
    **{"max_retries": 2, "max_retry_delay_ms": 60_000},
}


def begun(session: Json, agents: Json, agent: str, options: Json) -> Json:
    """The state of a run that begins; the session that it was given stays as it is."""
    own_limits = agents.get(agent, {}).get("limits", {})
    return {
        "spec_version": "1.0",
        "phase": "turn_boundary",
        "session": copy.deepcopy(session),  # [SESSION-3]
        "agent": agent,
        "options": {**DEFAULTS, **options, **own_limits},
        "turn": 0,
        "truncations": 0,
        "counters": {},
        "response_start": len(session["messages"]),
        "decisions": [],
        "steps": [],
    }


def restored(snapshot: Json) -> Json:
    """The state of a run that goes on, whoever wrote its snapshot."""
    state = copy.deepcopy(snapshot)
    return {**state, "options": {**DEFAULTS, **state["options"]}, "counters": state.get("counters", {})}
