"""The driver: puts the loop under the control of the conformance kit, over stdin and stdout, without a thread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import agent_loop
from agent_loop import Json
from anthropic_messages import AnthropicMessages
from clock import Clock, TimeIsOver
from guardrails import Guardrail
from hooks import Hook
from kit import Kit, Refused
from openai_chat import OpenaiChat
from openai_responses import OpenaiResponses
from ports import Ports
from tool_calls import ToolFatal

PROVIDERS: Dict[str, Any] = {
    "anthropic-messages": AnthropicMessages,
    "openai-chat": OpenaiChat,
    "openai-responses": OpenaiResponses,
}
SAID_OF_ITSELF = Path(__file__).with_name("agent-loop.json")


class Driver:
    """What it does with each request of the kit."""

    def __init__(self) -> None:
        methods = {"initialize": self.initialize, "run": self.run, "resume": self.resume, "shutdown": self.shutdown}
        self.kit = Kit(methods, {"steer": self.steer})
        self.clocks: Dict[str, Clock] = {}  # of the runs that are not over
        self.inboxes: Dict[str, List[str]] = {}  # what is said to each run
        self.ended: Dict[str, Tuple[Json, Json]] = {}  # what a run was started with, and what it came to
        self.is_over = False

    def serve(self) -> None:
        while not self.is_over:
            self.kit.hear()

    def initialize(self, params: Json) -> Json:
        said = json.loads(SAID_OF_ITSELF.read_text())
        return {
            "protocol": 1,
            "implementation": {key: said[key] for key in ("name", "version", "language")},
            "seams": ["generic", *PROVIDERS],
            "transports": ["json", "sse"],
            "features": said["features"],
        }

    def run(self, params: Json) -> Json:
        if "after" in params:
            params = self.next_run(params)
        self.clocks[params["run"]] = self.clock_of(params)
        session, agents, agent, options = (params.get(key) for key in ("session", "agents", "agent", "options"))
        context = params.get("context")
        came = self.conduct(params, lambda ports: agent_loop.run(session, agents, agent, ports, options, context))
        self.ended[params["run"]] = params, came
        return came

    def resume(self, params: Json) -> Json:
        self.clocks.setdefault(params["run"], self.clock_of(params))
        snapshot, decisions, agents = (params[key] for key in ("snapshot", "decisions", "agents"))
        options = params.get("options")
        if params.get("clock") == "virtual":
            self.kit.clock.time = self.kit.clock.until = params["clock_ms"]
            self.clocks[params["run"]] = self.kit.clock
        came = self.conduct(params, lambda ports: agent_loop.resume(snapshot, decisions, agents, ports, options))
        if params["run"] in self.ended:
            self.ended[params["run"]] = self.ended[params["run"]][0], came
        return came

    def clock_of(self, params: Json) -> Clock:
        return self.kit.clock if params.get("clock") == "virtual" else Clock()

    def next_run(self, params: Json) -> Json:
        """What the user says next: all is as before, and the session is what the loop made of it [DRIVER-23]."""
        start, came = self.ended[params["after"]]
        said = {"role": "user", "content": params["input"]}
        session = {**came["session"], "messages": [*came["session"]["messages"], said]}
        return {**start, **params, "session": session, "agent": came["result"]["agent"]}

    def steer(self, params: Json) -> None:
        self.inboxes.setdefault(params["run"], []).append(params["content"])

    def shutdown(self, params: Json) -> Json:
        self.is_over = True
        return {}

    def conduct(self, params: Json, play: Callable[[Ports], Tuple[Json, Json]]) -> Json:
        clock = self.clocks.pop(params["run"], Clock())
        result, session = play(self.ports_of(params, clock))
        if result["status"] == "suspended":
            self.clocks[params["run"]] = clock
        else:
            del self.inboxes[params["run"]]
        return {"result": result, "session": session}

    def ports_of(self, params: Json, clock: Clock) -> Ports:
        name = params["run"]

        def execute_tool(call: Json, context: Json) -> Json:
            given = {"context": context} if context else {}
            try:
                return self.kit.ask("tool/execute", {"run": name, "call": call, **given}, clock)
            except TimeIsOver:
                self.kit.send({"method": "tool/abort", "params": {"run": name, "id": call["id"]}})
                raise
            except Refused as refused:
                if not refused.data.get("thrown"):
                    raise SystemExit(f"The kit failed to execute {call['name']}: {refused}") from refused
                if refused.data.get("fatal"):
                    raise ToolFatal(str(refused)) from refused
                raise
            finally:
                write_into(context, call["id"])

        def invoke_model(request: Json, listen: Any, bounds: Json) -> Json:
            try:
                return self.kit.ask("model/invoke", {"run": name, "request": request}, clock)
            except Refused as refused:
                error = refused.data.get("error") or {"kind": "internal", "message": str(refused)}
                stop_reason = "interrupted" if error["kind"] == "stream_interrupted" else "error"
                return {"messages": refused.data.get("partial", []), "stop_reason": stop_reason, "error": error}

        def emit(event: Json) -> None:
            self.kit.send({"method": "event", "params": {"run": name, "event": event}})

        def hook(index: int, asked: Json) -> Hook:
            def ask(call: Json) -> Json:
                return self.kit.ask("hook/fire", {"run": name, "hook": index, "call": call}, clock)

            return Hook(asked["point"], ask, asked.get("tool", "*"))

        def guardrail(index: int, asked: Json) -> Guardrail:
            def check(told: Json) -> Json:
                return self.kit.ask("guardrail/check", {"run": name, "guardrail": index, "check": told}, clock)

            return Guardrail(asked["name"], asked["points"], check)

        hooks = [hook(index, asked) for index, asked in enumerate(params.get("hooks", []))]
        guardrails = [guardrail(index, asked) for index, asked in enumerate(params.get("guardrails", []))]
        access = dict(params["model"])
        seam = access.pop("seam")
        invoke = invoke_model if seam == "generic" else PROVIDERS[seam](**access, wait=lambda socket: self.kit.wait_for(socket, clock)).invoke
        inbox = self.inboxes.setdefault(name, [])
        return Ports(invoke, execute_tool, emit, clock, hooks=hooks, guardrails=guardrails, inbox=inbox)


def write_into(variables: Any, id: str) -> None:
    """Change context variables in place, as a tool may that was handed them [DRIVER-11]."""
    for value in list(variables.values()) if isinstance(variables, dict) else variables:
        if isinstance(value, (dict, list)):
            write_into(value, id)
    if isinstance(variables, dict):
        variables["written_by"] = id


if __name__ == "__main__":
    Driver().serve()
