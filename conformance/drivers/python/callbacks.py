"""What a run needs of the world, asked of the kit: tools, the model, hooks, guardrails; and where its events go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Dict, List, Set

from clock import Clock, TimeIsOver
from guardrails import Guardrail
from hooks import Hook
from kit import Kit, Refused
from ports import Ports
from tool_calls import ToolFatal

Json = Dict[str, Any]


class Callbacks:
    """The kit, as one run calls it back."""

    def __init__(self, kit: Kit, run: str, clock: Clock) -> None:
        self.kit, self.name, self.clock = kit, run, clock

    def ports(self, params: Json, inbox: List[str], stops: Set[str]) -> Ports:
        """The ports of a run that was asked for with these parameters."""
        hooks = [self.hook(index, asked) for index, asked in enumerate(params.get("hooks", []))]
        guardrails = [self.guardrail(index, asked) for index, asked in enumerate(params.get("guardrails", []))]
        ports = Ports(self.invoke_model, self.execute_tool, self.emit, self.clock)
        return replace(ports, hooks=hooks, guardrails=guardrails, inbox=inbox, asked_to_stop=lambda: self.name in stops)

    def ask(self, method: str, **params: Any) -> Json:
        return self.kit.ask(method, {"run": self.name, **params}, self.clock)

    def execute_tool(self, call: Json, context: Json) -> Json:
        try:
            return self.ask("tool/execute", call=call, **({"context": context} if context else {}))
        except TimeIsOver:
            self.kit.send({"method": "tool/abort", "params": {"run": self.name, "id": call["id"]}})
            raise
        except Refused as refused:
            if not refused.data.get("thrown"):
                raise SystemExit(f"The kit failed to execute {call['name']}: {refused}") from refused
            if refused.data.get("fatal"):
                raise ToolFatal(str(refused)) from refused
            raise
        finally:
            write_into(context, call["id"])

    def invoke_model(self, request: Json, listen: Callable[[Json], None], bounds: Json) -> Json:
        try:
            return self.ask("model/invoke", request=request)
        except Refused as refused:
            error = refused.data.get("error") or {"kind": "internal", "message": str(refused)}
            stop_reason = "interrupted" if error["kind"] == "stream_interrupted" else "error"
            return {"messages": refused.data.get("partial", []), "stop_reason": stop_reason, "error": error}

    def emit(self, event: Json) -> None:
        self.kit.send({"method": "event", "params": {"run": self.name, "event": event}})

    def hook(self, index: int, asked: Json) -> Hook:
        tool = asked.get("tool", "*")
        return Hook(asked["point"], lambda call: self.ask("hook/fire", hook=index, call=call), tool)

    def guardrail(self, index: int, asked: Json) -> Guardrail:
        def check(told: Json) -> Json:
            return self.ask("guardrail/check", guardrail=index, check=told)

        return Guardrail(asked["name"], asked["points"], check)


def write_into(variables: Any, id: str) -> None:
    """Change context variables in place, as a tool may that was handed them [DRIVER-11]."""
    for value in list(variables.values()) if isinstance(variables, dict) else variables:
        if isinstance(value, (dict, list)):
            write_into(value, id)
    if isinstance(variables, dict):
        variables["written_by"] = id
