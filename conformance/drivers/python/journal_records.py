"""The records of a journal that say how a state changes: what is different between two states, and the later one again."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

Json = Dict[str, Any]
OWN = ("phase", "turn", "session", "steps")  # what a transition has fields of its own for


def difference(before: Optional[Json], now: Json) -> Optional[Json]:
    """The record that makes the one state of the other; None if nothing is different."""
    if before is None:
        return {"type": "begin", "spec_version": "1.0", "snapshot": now}
    if timeless(before) == timeless(now):
        return None
    old, new = ({key: value for key, value in state.items() if key not in OWN} for state in (before, now))
    changed = {key: value for key, value in new.items() if key not in old or old[key] != value}
    gone = [key for key in old if key not in new]
    fields = [{key: value for key, value in state["session"].items() if key != "messages"} for state in (before, now)]
    parts: Json = {
        **tail("messages", before["session"]["messages"], now["session"]["messages"]),
        **tail("steps", before["steps"], now["steps"]),
        **({"session": fields[1]} if fields[0] != fields[1] else {}),
        **({"set": changed} if changed else {}),
        **({"unset": gone} if gone else {}),
    }
    return {"type": "transition", "phase": now["phase"], "turn": now["turn"], **parts}


def timeless(state: Json) -> Json:
    """A state without how long the run has taken: that time has passed is no reason for a record."""
    return {**state, "counters": {**state.get("counters", {}), "elapsed_ms": 0}}


def tail(name: str, before: List[Json], now: List[Json]) -> Json:
    """What of a list is different, from the first entry that is [JOURNAL-5]."""
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    return {} if same == len(before) == len(now) else {name: {"from": same, "items": now[same:]}}


def after(state: Json, record: Json) -> Json:
    """The state with what a transition says."""
    session = {**record.get("session", state["session"]), "messages": joined(state["session"]["messages"], record.get("messages"))}
    kept = {key: value for key, value in state.items() if key not in record.get("unset", [])}
    own = {"phase": record["phase"], "turn": record["turn"], "session": session}
    return {**kept, **record.get("set", {}), **own, "steps": joined(state["steps"], record.get("steps"))}


def joined(before: List[Json], new: Optional[Json]) -> List[Json]:
    return [*before[: new["from"]], *new["items"]] if new else before
