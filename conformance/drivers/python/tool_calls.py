"""A call of a tool: whether it may be executed, and its execution."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Optional, Tuple

from approval import permit
from clock import TimeIsOver
from json_schema import check
from result import Ending, failed
from result_texts import RESULT_TEXTS
from session import made_up

Json = Dict[str, Any]
Executed = Tuple[Json, Optional[Ending]]


class ToolFatal(Exception):
    """The designated fatal error: a tool that raises it ends the run."""


def judge(call: Json, tools: Dict[str, Json], options: Json) -> Json:
    """What becomes of a call: its tool runs, its caller is asked, or it is answered without either."""
    tool = tools.get(call["name"])
    if not tool:
        names = ", ".join(tools) or "none"
        return refuse(call, "unknown_tool", "unknown_tool", name=json.dumps(call["name"], ensure_ascii=False), tools=names)
    unreadable = call.get("meta", {}).get("unreadable")
    if unreadable:
        return refuse(call, "invalid_arguments", "beyond_a_bound", reason=unreadable)  # [LOOP-97]
    if call["input"] is None:
        written = call.get("raw_input", "")[:200]  # [TOOL-7]
        return refuse(call, "invalid_arguments", "not_an_object", arguments=written)
    faults = check(call["input"], tool["input_schema"])
    if faults:
        listed = "; ".join(f"{pointer[:200] or '(the arguments)'} {fault}" for pointer, fault in faults)  # [TOOL-7]
        return refuse(call, "invalid_arguments", "wrong_arguments", name=call["name"], problems=listed)
    decision = permit(call, tool, options.get("permissions"))
    left = tool.get("external") or not options["execute_tools"]
    return {"do": "ask"} if left and decision["do"] != "answer" else decision


def execute_call(call: Json, execute_tool: Callable[[Json], Json], emit: Callable[..., None]) -> Executed:
    """What the tool of a call returned, and the end of the run if it was fatal."""
    fatal = None
    emit("tool_start", **call)
    try:
        value = execute_tool(call)
    except TimeIsOver:
        emit("tool_end", id=call["id"], name=call["name"], outcome="cancelled")
        raise
    except Exception as thrown:  # whatever a tool raises is its answer [TOOL-14]
        value = {"output": str(thrown), "is_error": True}
        fatal = failed("tool_fatal", str(thrown)) if isinstance(thrown, ToolFatal) else None
    outcome = "error" if value.get("is_error") else "ok"
    emit("tool_end", id=call["id"], name=call["name"], outcome=outcome)
    return value, fatal


def refuse(call: Json, outcome: str, situation: str, **values: str) -> Json:
    return {"do": "answer", "result": made_up(call, outcome, RESULT_TEXTS[situation].format(**values))}
