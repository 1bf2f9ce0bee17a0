"""What keeps a session valid: who may answer what, under which id, and when a run can start on it."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Optional, Set

from letters import whole_letters

Json = Dict[str, Any]


def problem(session: Json) -> Optional[str]:
    """Why no run can start on a session, if none can [SESSION-15] [SESSION-16]."""
    if not session["spec_version"].startswith("1."):
        return f"The session has version {session['spec_version']}; this loop reads 1.x."
    unanswered: List[str] = []
    seen: Set[str] = set()
    answering = False
    for message in session["messages"]:
        kind = message.get("type")
        if kind == "tool_result":
            if message["id"] not in unanswered[:1]:
                told = f"The tool result {message['id']} answers no open call, or not the next one"
                return f"{told}; every call has one result after it, in call order."  # [SESSION-36] [SESSION-37]
            unanswered.pop(0)
        elif unanswered and (answering or message.get("role") in ("user", "system")):
            break  # results stand directly after their response
        elif kind == "tool_call":
            if message["id"] in seen:
                return f"Two calls have the id {message['id']}; give each its own."  # [SESSION-35]
            seen.add(message["id"])
            unanswered.append(message["id"])
        answering = kind == "tool_result"
    if unanswered:
        return f"The calls {unanswered} are not answered; put one result for each directly after the response."
    complete = [message for message in session["messages"] if message.get("status") != "incomplete"]
    if not complete or not (complete[-1].get("role") == "user" or complete[-1].get("type") == "tool_result"):
        return "The session does not end in a user message or a tool result; append what the model is to answer."
    if complete[-1].get("role") == "user" and is_blank(complete[-1]["content"]):  # [SESSION-32]
        return "The session ends in a user message that says nothing."
    return None


def latest_input(messages: List[Json]) -> List[Json]:
    """The user messages at the end of a session."""
    first = len(messages)
    while first and messages[first - 1].get("role") == "user":
        first -= 1
    return messages[first:]


def by_users(messages: List[Json]) -> List[Json]:
    """Those that a user has said [HOOK-40]."""
    return [message for message in messages if not message.get("synthetic")]


def is_blank(content: Any) -> bool:
    """Whether a content has no part, and no text but white space."""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return all(part.get("type") == "text" and not str(part.get("text", "")).strip() for part in parts)


def name_calls(calls: List[Json], earlier: List[Json], warn: Callable[[str, str], None]) -> None:
    """Give each call an id that no earlier call of the session has [SESSION-9] [SESSION-10]."""
    taken = {message["id"] for message in earlier if message.get("type") == "tool_call"}
    numbers: Dict[str, int] = {}  # up to which each id is taken: a thousand calls may have one
    for call in calls:
        given = call.get("id") or ""
        call["id"], number = given or "call_1", numbers.get(given, 1)
        while call["id"] in taken:
            number += 1
            call["id"] = f"{given or 'call'}_{number}"
        numbers[given] = number
        taken.add(call["id"])
        if not given:
            warn("missing_id_generated", f"A call of {call['name']} came without an id; it is now {call['id']}.")
        elif given != call["id"]:
            warn("duplicate_id_renamed", f"The call id {given} was taken; this call is now {call['id']}.")


def answered(call: Json, value: Json) -> Json:
    """The result of a call that a tool, or the caller, has answered [TOOL-13] [TOOL-17]."""
    if "returned" in value:
        value = envelope(value["returned"])
    failed = {"is_error": True, "outcome": "error"} if value.get("is_error") else {"outcome": "ok"}
    data = {"data": value["data"]} if "data" in value else {}  # [TOOL-29]
    output = value["output"] if "output" in value else text_of(value.get("data"))  # [TOOL-30]
    return {"type": "tool_result", "id": call["id"], **whole_letters({"output": output, **data}), **failed}  # [TOOL-48]


def envelope(returned: Any) -> Json:
    """What a tool returned, whatever it is, as an output and data [TOOL-39] [TOOL-40]."""
    if returned is None:
        return {"output": ""}
    return {"output": returned} if isinstance(returned, str) else {"data": returned}


def text_of(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def made_up(call: Json, outcome: str, why: str) -> Json:
    """The result of a call that was not executed [SESSION-8]."""
    flags = {"is_error": True, "outcome": outcome, "synthetic": True}
    return {"type": "tool_result", "id": call["id"], "output": whole_letters(why), **flags}
