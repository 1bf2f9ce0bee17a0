"""The agent loop, whole: call the model, execute the tools that it asks for, append the results, repeat."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

from json_schema import check
from session import answered, made_up, name_calls, problem

Json = Dict[str, Any]

# What follows a response without calls, and one with calls, by its stop reason: spec/stop-table.json.
COMPLETED = {"do": "finish", "status": "completed"}
REFUSED = {"do": "finish", "status": "refused"}
TOO_LONG = {"do": "finish", "status": "max_tokens"}
CUT_SHORT = (TOO_LONG, {**TOO_LONG, "do": "recover", "answer": "not_executed"})
BROKEN = ({"do": "fail"}, {"do": "fail", "answer": "interrupted"})
STOP_TABLE: Dict[str, Tuple[Json, Json]] = {
    "tool_use": ({**COMPLETED, "warning": "tool_use_without_calls"}, {"do": "execute"}),
    "end_turn": (COMPLETED, {"do": "execute"}),
    "max_tokens": CUT_SHORT,
    "context_window_exceeded": CUT_SHORT,
    "stop_sequence": (COMPLETED, {**COMPLETED, "answer": "not_executed"}),
    "refusal": (REFUSED, {**REFUSED, "answer": "not_executed"}),
    "content_filter": (REFUSED, {**REFUSED, "answer": "not_executed"}),
    "pause": ({"do": "fail", "error": "pause_limit"}, {"do": "fail", "error": "pause_limit", "answer": "not_executed"}),
    "error": BROKEN,
    "interrupted": BROKEN,
    "other": (COMPLETED, {"do": "finish", "status": "incomplete", "answer": "not_executed"}),
}

DEFAULTS: Json = {
    **{"max_turns": 20, "max_truncation_recoveries": 3, "max_pause_continuations": 10, "execute_tools": True},
    **{"scheduling": "barrier", "max_concurrency": 10, "tool_timeout_ms": None, "cancel_grace_ms": 0},
}
USAGE = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens")
NO_USAGE: Json = dict.fromkeys(USAGE)
CUT_OFF = ("error", "interrupted", "pause")


class ToolFatal(Exception):
    """The designated fatal error: a tool that raises it ends the run."""


@dataclass
class Ports:
    """All that the loop needs of the world."""

    # (request, listen) -> response. A provider that fails is a response with an error, never an exception.
    # Whatever is listened to while the model speaks (stream events, warnings) becomes an event of the run.
    invoke_model: Callable[[Json, Callable[[Json], None]], Json]
    # call -> {"output", "is_error"?}. What the tool raises becomes its result.
    execute_tool: Callable[[Json], Json]
    emit: Callable[[Json], None]


@dataclass
class Ending:
    """Why a run is over."""

    status: str
    error: Optional[Json] = None


def run(session: Json, agents: Json, agent: str, ports: Ports, options: Optional[Json] = None) -> Tuple[Json, Json]:
    """Run the loop on a session, which is left as it is, and return the result and the session after the run."""
    limits = agents.get(agent, {}).get("limits", {})
    state = {
        "spec_version": "1.0",
        "phase": "turn_boundary",
        "session": copy.deepcopy(session),  # [SESSION-3]
        "agent": agent,
        "options": {**DEFAULTS, **(options or {}), **limits},
        "turn": 0,
        "tool_calls": 0,
        "truncations": 0,
        "response_start": len(session["messages"]),
        "last": {"stop_reason": None, "raw_stop_reason": None},
        "decisions": [],
        "usage": NO_USAGE,
        "usage_by_model": {},
        "steps": [],
    }
    return Run(state, agents, ports).start()


def resume(snapshot: Json, decisions: List[Json], agents: Json, ports: Ports) -> Tuple[Json, Json]:
    """Continue a suspended run with one decision for each pending call."""
    return Run(copy.deepcopy(snapshot), agents, ports).resume(decisions)


class Run:
    """One run. Its state is a snapshot (schemas/snapshot.schema.json), and nothing else is remembered."""

    def __init__(self, state: Json, agents: Json, ports: Ports) -> None:
        self.state = state
        self.messages: List[Json] = state["session"]["messages"]
        self.agents = agents
        self.agent: Json = agents.get(state["agent"], {})
        self.tools: Dict[str, Json] = {tool["name"]: tool for tool in self.agent.get("tools", [])}
        self.ports = ports
        self.seq = 0
        self.streamed = 0  # messages that have been streamed in this turn

    # From start to result

    def start(self) -> Tuple[Json, Json]:
        self.emit("run_start", session_id=self.state["session"]["id"], agent=self.state["agent"])
        refusal = self.cannot_run() or self.cannot_start()
        return self.finish(refusal or self.take_turns())

    def resume(self, decisions: List[Json]) -> Tuple[Json, Json]:
        self.emit("run_start", session_id=self.state["session"]["id"], agent=self.state["agent"], resumed=True)
        refusal = self.cannot_run() or self.cannot_resume(decisions)
        return self.finish(refusal or self.resume_turn(decisions) or self.take_turns())

    def take_turns(self) -> Ending:
        limit = self.state["options"]["max_turns"]
        while limit is None or self.state["turn"] < limit:
            ending = self.take_turn()
            if ending:
                return ending
        return Ending("max_turns")  # [LOOP-23]

    def take_turn(self) -> Optional[Ending]:
        """One response, and what the stop table says follows from it."""
        self.state["turn"] += 1
        self.streamed = 0
        self.emit("turn_start")
        response = self.call_model()
        calls = self.store(response)
        row = STOP_TABLE[response["stop_reason"]][1 if calls else 0]
        if "warning" in row:
            self.warn(row["warning"], "The model said that it calls a tool, and called none.")
        if "answer" in row:
            why = f"The call was not executed: the response ended with stop reason {response['stop_reason']}."
            self.append_results([made_up(call, row["answer"], why) for call in calls])
        ending = self.follow(row, calls, response)
        self.emit("turn_end")
        return ending

    def follow(self, row: Json, calls: List[Json], response: Json) -> Optional[Ending]:
        self.state["truncations"] = self.state["truncations"] + 1 if row["do"] == "recover" else 0
        if row["do"] == "execute":
            return self.decide(calls)
        if row["do"] == "recover" and self.state["truncations"] <= self.state["options"]["max_truncation_recoveries"]:
            return None  # [LOOP-10]
        if row["do"] == "fail":
            told = f"The model ended with stop reason {response['stop_reason']}, and told no error."
            return Ending("error", response.get("error") or error(row.get("error", "invalid_response"), told))
        return Ending(row["status"])

    # The model

    def call_model(self) -> Json:
        messages = [message for message in self.messages if message.get("status") != "incomplete"]  # [SESSION-13]
        if self.agent.get("instructions"):
            messages.insert(0, {"role": "system", "content": self.agent["instructions"]})
        request: Json = {"messages": messages, "tools": self.agent.get("tools", [])}
        asked_for = {"model": self.agent["model"]} if "model" in self.agent else {}
        request.update(asked_for)
        self.emit("model_start", **asked_for)
        response = self.invoke(request)
        for _ in range(self.state["options"]["max_pause_continuations"]):
            if response["stop_reason"] != "pause" or has_calls(response):
                break
            more = self.invoke({**request, "messages": messages + response["messages"]})  # [LOOP-30]
            usage = add(response.get("usage", NO_USAGE), more.get("usage", NO_USAGE))
            response = {**more, "messages": response["messages"] + more["messages"], "usage": usage}  # [LOOP-31]
        if response["stop_reason"] == "pause" and has_calls(response):
            response = {**response, "stop_reason": "tool_use"}  # [LOOP-55]
        told = ("stop_reason", "raw_stop_reason", "usage", "error")
        self.emit("model_end", **{key: response[key] for key in told if key in response})
        return response

    def invoke(self, request: Json) -> Json:
        before = self.streamed

        def listen(event: Json) -> None:
            if "index" in event:  # a continuation goes on counting
                event = {**event, "index": event["index"] + before}
                self.streamed = max(self.streamed, event["index"] + 1)
            self.emit(**event)

        try:
            return self.ports.invoke_model(request, listen)
        except Exception as bug:  # every run ends with a result [LOOP-27]
            return {"messages": [], "stop_reason": "error", "error": error("internal", f"{type(bug).__name__}: {bug}")}

    def store(self, response: Json) -> List[Json]:
        """Append the messages of a response, and return its calls."""
        messages = [dict(message) for message in response["messages"] if "role" not in message or message["content"]]
        if len(messages) < len(response["messages"]):
            self.warn("empty_message_dropped", "The model wrote an assistant message without content.")  # [SESSION-5]
        calls = [message for message in messages if message.get("type") == "tool_call"]
        name_calls(calls, self.messages, self.warn)
        only_thought = all(message.get("type") == "thinking" for message in messages)
        cut_off = response["stop_reason"] in CUT_OFF or only_thought  # [SESSION-12] [SESSION-14]
        self.state["response_start"] = len(self.messages)
        self.state["tool_calls"] += len(calls)
        self.append({**message, "status": "incomplete"} if cut_off else message for message in messages)
        self.account(response, len(calls))
        return calls

    def account(self, response: Json, calls: int) -> None:
        state, usage = self.state, response.get("usage", NO_USAGE)
        model = response.get("model") or (None if "error" in response else self.agent.get("model"))
        answerer = {"model": model} if model else {}
        state["last"] = {"stop_reason": response["stop_reason"], "raw_stop_reason": response.get("raw_stop_reason")}
        step = {"turn": state["turn"], "agent": state["agent"], **answerer, **state["last"]}
        state["steps"].append({**step, "usage": usage, "tool_calls": calls, "outcomes": []})
        state["usage"] = add(state["usage"], usage)
        if model:
            state["usage_by_model"][model] = add(state["usage_by_model"].get(model, NO_USAGE), usage)

    # The tools

    def decide(self, calls: List[Json]) -> Optional[Ending]:
        """Judge every call before any is executed."""
        self.state["decisions"] = [self.judge(call) for call in calls]
        if any(decision["do"] == "ask" for decision in self.state["decisions"]):
            return Ending("suspended")  # [LOOP-33] [LOOP-34]
        return self.execute(calls)

    def judge(self, call: Json) -> Json:
        tool = self.tools.get(call["name"])
        if not tool:
            names = ", ".join(self.tools) or "none"
            return refuse(call, "unknown_tool", f"There is no tool of this name. The available tools are: {names}.")
        if call["input"] is None:
            written = call.get("raw_input", "")[:200]  # [TOOL-7]
            return refuse(call, "invalid_arguments", f"The arguments are not a JSON object: {written}")
        faults = check(call["input"], tool["input_schema"])
        if faults:
            listed = "\n".join(f"{pointer[:200] or '(the arguments)'} {fault}" for pointer, fault in faults)  # [TOOL-7]
            return refuse(call, "invalid_arguments", f"The arguments break the schema of the tool:\n{listed}")
        return {"do": "ask" if tool.get("external") or not self.state["options"]["execute_tools"] else "run"}

    def execute(self, calls: List[Json]) -> Optional[Ending]:
        """Execute or answer each call, in call order, one at a time; store the results when all are known."""
        results: List[Json] = []
        fatal: Optional[Ending] = None
        for call, decision in zip(calls, self.state["decisions"]):
            if decision["do"] == "answer":
                results.append(decision["result"])
            else:
                result, broke = self.execute_call(call)
                results.append(result)
                fatal = fatal or broke  # the rest of the batch still runs [TOOL-18]
        self.state["decisions"] = []
        self.append_results(results)
        return fatal

    def execute_call(self, call: Json) -> Tuple[Json, Optional[Ending]]:
        """The result of a call, and the end of the run if its tool was fatal."""
        fatal = None
        self.emit("tool_start", **executable(call))
        try:
            value = self.ports.execute_tool(executable(call))
        except Exception as thrown:  # whatever a tool raises is its answer [TOOL-14]
            value = {"output": str(thrown), "is_error": True}
            fatal = Ending("error", error("tool_fatal", str(thrown))) if isinstance(thrown, ToolFatal) else None
        result = answered(call, value)
        self.emit("tool_end", id=call["id"], name=call["name"], outcome=result["outcome"])
        return result, fatal

    # Suspended runs

    def resume_turn(self, decisions: List[Json]) -> Optional[Ending]:
        self.emit("turn_start", resumed=True)
        calls = self.calls()
        by_id = {decision["id"]: decision for decision in decisions}
        for index, call in enumerate(calls):
            if call["id"] in by_id:
                self.state["decisions"][index] = {"do": "answer", "result": answered(call, by_id[call["id"]])}
        ending = self.execute(calls)
        self.emit("turn_end")
        return ending

    def calls(self) -> List[Json]:
        response = self.messages[self.state["response_start"] :]
        return [message for message in response if message.get("type") == "tool_call"]

    def pending(self) -> List[Json]:
        decided = zip(self.calls(), self.state["decisions"])
        return [executable(call) for call, decision in decided if decision["do"] == "ask"]

    # What the run says

    def cannot_run(self) -> Optional[Ending]:
        if self.state["agent"] not in self.agents:
            told = f"The active agent is {self.state['agent']}; the agents are {list(self.agents)}. Name one of them."
            return Ending("error", error("configuration", told))
        if len(self.tools) < len(self.agent.get("tools", [])):
            return Ending("error", error("configuration", "Two tools of the agent have one name; give each its own."))
        return None

    def cannot_start(self) -> Optional[Ending]:
        found = problem(self.state["session"])
        return Ending("error", error("invalid_session", found)) if found else None

    def cannot_resume(self, decisions: List[Json]) -> Optional[Ending]:
        decided, pending = [decision["id"] for decision in decisions], [call["id"] for call in self.pending()]
        if sorted(decided) == sorted(pending) and self.state["spec_version"].startswith("1."):
            return None
        told = f"A snapshot of version 1.x takes one decision for each of the calls {pending}, and was given {decided}."
        return Ending("error", error("configuration", told))

    def finish(self, ending: Ending) -> Tuple[Json, Json]:
        state = self.state
        response = self.messages[state["response_start"] :]
        text = "".join(message["content"] for message in response if message.get("role") == "assistant")
        kept = {key: state[key] for key in ("tool_calls", "agent", "usage", "usage_by_model", "steps")}
        last = {key: state["last"][key] for key in ("stop_reason", "raw_stop_reason")}
        result: Json = {"status": ending.status, "turns": state["turn"], "final_text": text, **last, **kept}
        if ending.status == "completed" and not text and not self.calls():
            result["empty"] = True  # [LOOP-20]
        if ending.error:
            result["error"] = ending.error
        if ending.status == "suspended":
            result["pending"] = self.pending()
        self.emit("run_end", result=result)  # [EVENT-11]
        if ending.status == "suspended":
            result = {**result, "snapshot": {**state, "phase": "suspended", "result": result}}
        return result, state["session"]

    def emit(self, type: str, **fields: Any) -> None:
        turn = {} if type in ("run_start", "run_end") else {"turn": self.state["turn"]}
        self.ports.emit({"type": type, "seq": self.seq, **turn, **fields})
        self.seq += 1

    def warn(self, code: str, message: str) -> None:
        self.emit("warning", code=code, message=message)

    def append(self, messages: Iterable[Json]) -> None:
        for message in messages:
            self.messages.append(message)  # [SESSION-1]
            self.emit("message", message=message)

    def append_results(self, results: List[Json]) -> None:
        cut_off = self.state["last"]["stop_reason"] in CUT_OFF
        self.append({**result, "status": "incomplete"} if cut_off else result for result in results)
        self.state["steps"][-1]["outcomes"] = [result["outcome"] for result in results]


def has_calls(response: Json) -> bool:
    return any(message.get("type") == "tool_call" for message in response["messages"])


def error(kind: str, message: str) -> Json:
    return {"kind": kind, "message": message}


def executable(call: Json) -> Json:
    return {"id": call["id"], "name": call["name"], "input": call["input"]}


def refuse(call: Json, outcome: str, why: str) -> Json:
    return {"do": "answer", "result": made_up(call, outcome, why)}


def add(a: Json, b: Json) -> Json:
    """The sum of two usages; null is unknown, and stays so only if both are [RESULT-4]."""
    return {key: b[key] if a[key] is None else a[key] if b[key] is None else a[key] + b[key] for key in USAGE}
