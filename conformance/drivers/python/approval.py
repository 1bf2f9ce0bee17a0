"""Approval: what a caller decides about the calls that wait for it, and what is judged again by then."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

from canonical_json import sha256
from json_schema import check
from permissions import verdict
from result_texts import RESULT_TEXTS
from session import answered, made_up

Json = Dict[str, Any]


def input_hash(call: Json, asked: Json) -> str:
    """What an approval is bound to: the call and its arguments [PERMISSION-22]."""
    given = asked["input"] if "input" in asked else call.get("raw_input", call["input"])
    return sha256([call["id"], call["name"], given])


def permit(call: Json, changed: Json, tool: Json, permissions: Optional[Json]) -> Json:
    """What becomes of a valid call, whose arguments a hook may have changed: it runs, its caller is asked, or it is denied."""
    decision = verdict(executable(call, changed), tool, permissions) if permissions is not None else "allow"
    if decision == "deny":
        return deny(call, "it is not permitted")  # [PERMISSION-2]
    return ask(call, changed, permissions or {}) if decision == "ask" else {"do": "run", **changed}


def ask(call: Json, decision: Json, permissions: Json) -> Json:
    if permissions.get("mode") == "dont_ask":
        return deny(call, "it would need approval, and nobody is asked")  # [PERMISSION-3]
    changed = {"input": decision["input"]} if "input" in decision else {}
    return {"do": "ask", "approval": True, **changed, "input_hash": input_hash(call, changed)}  # [PERMISSION-23]


def pending(path: Tuple[str, ...], call: Json, asked: Json) -> Json:
    """What the result says of a call that waits for its caller; the path has the calls around it, and itself."""
    around = {"path": list(path[:-1])} if path[1:] else {}  # [SUBAGENT-15]
    shown = {"id": call["id"], "name": call["name"], "input": asked.get("input", call["input"]), **around}
    if not asked.get("approval"):
        return {**shown, "why": "external"}
    return {**shown, "why": "approval", "input_hash": input_hash(call, asked)}  # [PERMISSION-12]


def misdirected(call: Json, asked: Json, decision: Json) -> Optional[str]:
    """Why a decision does not fit its call, if so [PERMISSION-14] [PERMISSION-24] [LOOP-104]."""
    if not asked.get("approval"):
        approves = decision["action"] == "approve"
        return f"The call {call['id']} waits for its result, not for approval; respond to it." if approves else None
    expected = input_hash(call, asked)
    for given in (asked.get("input_hash"), decision.get("input_hash", expected)):
        if given != expected:
            return f"The decision about {call['id']} is about other arguments: expected hash {expected}, got {given}."
    return None


def decided(call: Json, asked: Json, decision: Json, tool: Optional[Json]) -> Json:
    """What becomes of a call as its caller has decided."""
    if decision["action"] == "respond":
        return {"do": "answer", "result": answered(call, decision)}
    if decision["action"] == "deny":
        return deny(call, decision.get("reason", "the caller does not permit it"))  # [PERMISSION-16]
    if decision["action"] == "skip":
        return skip(call)  # [PERMISSION-17]
    wrong = wrong_change(call, decision["input"], tool) if tool and "input" in decision else None
    if wrong:
        return wrong  # [PERMISSION-15]
    kept = {key: value for key, value in {**asked, **decision}.items() if key in ("input", "override")}
    return {"do": "run", "approved": True, **kept}


def judge_again(call: Json, decision: Json, tool: Json, permissions: Json, warn: Callable[[str, str], None]) -> Json:
    """What rules and mode say by now to a call that is to be executed [PERMISSION-27]."""
    now = verdict(executable(call, decision), tool, permissions)
    if now == "deny" and decision.get("override"):
        told = f"The call {call['id']} is executed although it is not permitted."
        warn("permission_overridden", told)  # [PERMISSION-26]
    if now == "allow" or decision.get("override"):
        return decision
    if now == "deny":
        return deny(call, "it is not permitted")  # [PERMISSION-25]
    return decision if decision.get("approved") else ask(call, decision, permissions)  # [PERMISSION-28]


def executable(call: Json, decision: Json) -> Json:
    """A call with the arguments with which it is executed."""
    return {"id": call["id"], "name": call["name"], "input": decision.get("input", call["input"])}


def wrong_change(call: Json, given: Json, tool: Json) -> Optional[Json]:
    """The answer to a call whose arguments were changed, and are not valid."""
    faults = check(given, tool["input_schema"])
    listed = "; ".join(f"{pointer[:200] or '(the arguments)'} {fault}" for pointer, fault in faults)  # [TOOL-7]
    return answer(call, "invalid_arguments", "wrong_changed_arguments", problems=listed) if faults else None


def deny(call: Json, why: str) -> Json:
    return answer(call, "denied", "denied", name=call["name"], reason=why)


def skip(call: Json) -> Json:
    return answer(call, "skipped", "skipped", name=call["name"])


def answer(call: Json, outcome: str, situation: str, **values: str) -> Json:
    """The decision to answer a call without executing it."""
    return {"do": "answer", "result": made_up(call, outcome, RESULT_TEXTS[situation].format(**values))}
