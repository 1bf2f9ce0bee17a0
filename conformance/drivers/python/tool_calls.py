"""A call of a tool: whether it may be executed, and its execution."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Optional, Tuple

from approval import answer, permit
from clock import TimeIsOver
from json_schema import check
from ports import ExecuteTool

Json = Dict[str, Any]
Executed = Tuple[Json, Optional[str]]


class ToolFatal(Exception):
    """The designated fatal error: a tool that raises it ends the run."""


def invalid(call: Json, tools: Dict[str, Json]) -> Optional[Json]:
    """The answer to a call that cannot be executed, whoever permits it."""
    tool = tools.get(call["name"])
    if not tool:
        names = ", ".join(tools) or "none"
        return answer(call, "unknown_tool", "unknown_tool", name=json.dumps(call["name"], ensure_ascii=False), tools=names)
    unreadable = call.get("meta", {}).get("unreadable")
    if unreadable:
        return answer(call, "invalid_arguments", "beyond_a_bound", reason=unreadable)  # [LOOP-97]
    if call["input"] is None:
        written = call.get("raw_input", "")[:200]  # [TOOL-7]
        return answer(call, "invalid_arguments", "not_an_object", arguments=written)
    faults = check(call["input"], tool["input_schema"])
    if not faults:
        return None
    listed = "; ".join(f"{pointer[:200] or '(the arguments)'} {fault}" for pointer, fault in faults)  # [TOOL-7]
    return answer(call, "invalid_arguments", "wrong_arguments", name=call["name"], problems=listed)


def judge(call: Json, changed: Json, tool: Json, options: Json) -> Json:
    """What becomes of a valid call: its tool runs, its caller is asked, or it is denied."""
    decision = permit(call, changed, tool, options.get("permissions"))
    left = tool.get("external") or not options["execute_tools"]
    return {"do": "ask", **changed} if left and decision["do"] != "answer" else decision


def execute_call(call: Json, context: Json, execute_tool: ExecuteTool, emit: Callable[..., None]) -> Executed:
    """What the tool of a call returned, and what it said if its error was fatal. That it has ended is told by who asks the hooks."""
    fatal = None
    emit("tool_start", **call)
    try:
        value = checked(execute_tool(call, context))
    except TimeIsOver:
        raise
    except Exception as thrown:  # whatever a tool raises is its answer [TOOL-14]
        value = {"output": str(thrown), "is_error": True}
        fatal = str(thrown) if isinstance(thrown, ToolFatal) else None
    return value, fatal


def checked(value: Json) -> Json:
    """What a tool returned, if the loop can do what it asks for."""
    if not isinstance(value.get("context_updates", {}), dict):
        raise TypeError(f"The tool was executed. Its context_updates must be an object, and are {value['context_updates']!r}.")
    if not isinstance(value.get("handoff"), (str, type(None))):
        raise TypeError(f"The tool was executed. Its handoff must be the name of an agent, or None, and is {value['handoff']!r}.")
    return value
