"""The agent loop, whole: call the model, execute the tools that it asks for, append the results, repeat."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Tuple

import approval
import limits
import stop_conditions
from clock import TimeIsOver
from keeping_on import follow_up
from model_call import ModelCall
from ports import Ports
from refusals import cannot_resume, cannot_run, cannot_start
from result import Ending, error, failed, result_of, step_of
from result_texts import RESULT_TEXTS
from session import answered, made_up, name_calls
from state import begun, restored, written
from stop_table import STOP_TABLE
from tool_calls import execute_call, judge
from tool_choice import choice_of, reminder, unkept

Json = Dict[str, Any]

CUT_OFF = ("error", "interrupted", "pause")


def run(session: Json, agents: Json, agent: str, ports: Ports, options: Optional[Json] = None) -> Tuple[Json, Json]:
    """Run the loop on a session, which is left as it is, and return the result and the session after the run."""
    return Run(begun(session, agents, agent, options or {}), agents, ports).start()


def resume(
    snapshot: Json, decisions: List[Json], agents: Json, ports: Ports, options: Optional[Json] = None
) -> Tuple[Json, Json]:
    """Continue a suspended run, whoever wrote its snapshot, with one decision for each pending call."""
    return Run(restored(snapshot, agents, options), agents, ports).resume(decisions)


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
        self.began = ports.clock.now() - state["counters"].get("elapsed_ms", 0)
        deadline = state["options"].get("deadline_ms")
        in_time = deadline is not None and ports.clock.now() < self.began + deadline
        ports.clock.deadline = self.began + deadline if in_time else None  # what was late before is stopped before a turn

    # From start to result

    def start(self) -> Tuple[Json, Json]:
        self.emit("run_start", session_id=self.state["session"]["id"], agent=self.state["agent"])
        refusal = cannot_run(self.state, self.agents) or cannot_start(self.state)
        return self.finish(refusal or self.take_turns())

    def resume(self, decisions: List[Json]) -> Tuple[Json, Json]:
        self.emit("run_start", session_id=self.state["session"]["id"], agent=self.state["agent"], resumed=True)
        refusal = cannot_run(self.state, self.agents) or cannot_resume(self.state, self.calls(), decisions)
        return self.finish(refusal or self.resume_turn(decisions) or self.take_turns())

    def take_turns(self) -> Ending:
        ending = None
        while not ending:
            ending = self.reach_limit() or self.take_turn()
        return ending

    def reach_limit(self) -> Optional[Ending]:
        limit = self.limit()
        if limits.is_unknown(self.state):
            return failed("configuration", "The run has a budget, and nobody knows what is left of it.")  # [LOOP-59]
        if not limit:
            return None
        self.emit("limit", limit=limit[0], status=limit[1])  # [EVENT-15]
        return Ending(limit[1])

    def limit(self) -> Optional[Tuple[str, str]]:
        self.look_at_the_clock()
        return limits.reached(self.state)

    def look_at_the_clock(self) -> None:
        self.state["counters"]["elapsed_ms"] = int(self.ports.clock.now() - self.began)

    def take_turn(self) -> Optional[Ending]:
        """One response, and what the stop table says follows from it."""
        self.state["turn"] += 1
        self.emit("turn_start")
        response = ModelCall(self.state, self.agent, self.ports, self.emit).call()
        calls = self.store(response)
        row = STOP_TABLE[response["stop_reason"]][1 if calls else 0]
        if "warning" in row:
            self.warn(row["warning"], "The model said that it calls a tool, and called none.")
        if "answer" in row:
            why = RESULT_TEXTS[response["stop_reason"]]  # [SESSION-24]
            self.append_results([made_up(call, row["answer"], why) for call in calls])
        ending = self.follow(row, calls, response) or self.meet_condition(calls)
        if not self.is_cut_off():
            ending = self.keep_on(ending)
        return self.end_turn(ending)

    def is_cut_off(self) -> bool:
        """Whether the time of the run was over before its model or a tool had ended [LOOP-105]."""
        step = self.state["steps"][-1]
        has_ended = step["stop_reason"] != "interrupted" and "cancelled" not in step["outcomes"]
        return self.ports.clock.is_over() and not has_ended

    def end_turn(self, ending: Optional[Ending]) -> Optional[Ending]:
        self.emit("turn_end")
        if not self.is_cut_off():
            return ending
        self.emit("limit", limit="deadline_ms", status="deadline")
        return Ending("deadline")

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

    def meet_condition(self, calls: List[Json]) -> Optional[Ending]:
        """The end of a run that a stop condition ends, once every call is answered [LOOP-48]."""
        met = stop_conditions.met(self.state) if calls else None
        return Ending("stopped", stop_condition=met) if met else None

    def keep_on(self, ending: Optional[Ending]) -> Optional[Ending]:
        """No end, where the model is told to go on instead and a limit does not forbid it."""
        status = ending.status if ending else ""
        message = follow_up(self.state, self.messages[self.state["response_start"] :], status)
        choice, violations = choice_of(self.state), unkept(self.state, status, len(self.calls()))
        if violations > 1:  # [LOOP-62]
            return failed("tool_choice_violated", f"The model calls no tool, though it must: {choice}.")
        if violations:  # [LOOP-61]
            message = reminder(choice)
        if not message or self.limit():
            return ending
        self.append([message])
        return None

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
        self.append({**message, "status": "incomplete"} if cut_off else message for message in messages)
        self.state["steps"].append(step_of(self.state, response, self.agent.get("model"), len(calls)))
        return calls

    # The tools

    def decide(self, calls: List[Json]) -> Optional[Ending]:
        """Judge every call before any is executed."""
        self.state["decisions"] = [judge(call, self.tools, self.state["options"]) for call in calls]
        return self.suspend() or self.execute(calls)

    def suspend(self) -> Optional[Ending]:
        """While a call of a batch waits, nothing of it is executed [LOOP-33] [LOOP-34] [PERMISSION-11]."""
        waits = any(decision["do"] == "ask" for decision in self.state["decisions"])
        return Ending("suspended") if waits else None

    def execute(self, calls: List[Json]) -> Optional[Ending]:
        """Execute or answer each call, in call order, one at a time; store the results when all are known."""
        results: List[Json] = []
        final = []  # what each tool said about the end of the run
        fatal: Optional[Ending] = None
        for call, decision in zip(calls, self.state["decisions"]):
            if decision["do"] == "answer":
                results.append(decision["result"])
            elif self.ports.clock.is_over():
                results.append(made_up(call, "cancelled", RESULT_TEXTS["cancelled_before"]))
            else:
                try:
                    value, broke = execute_call(approval.executable(call, decision), self.ports.execute_tool, self.emit)
                except TimeIsOver:
                    results.append(made_up(call, "cancelled", RESULT_TEXTS["cancelled_while_running"]))
                    continue
                results.append(answered(call, value))
                final.append(value.get("final", False))
                fatal = fatal or broke  # the rest of the batch still runs [TOOL-18]
        self.state["decisions"] = []
        self.append_results(results)
        if all(final) and len(final) == len(calls):  # [LOOP-52]
            return fatal or Ending("stopped", stop_condition="final_result")
        return fatal

    # Suspended runs

    def resume_turn(self, decisions: List[Json]) -> Optional[Ending]:
        self.emit("turn_start", resumed=True)
        calls = self.calls()
        by_id = {decision["id"]: decision for decision in decisions}
        for index, (call, asked) in enumerate(zip(calls, self.state["decisions"])):
            if call["id"] in by_id:
                asked = approval.decided(call, asked, by_id[call["id"]], self.tools.get(call["name"]))
            self.state["decisions"][index] = self.judge_again(call, asked)
        return self.end_turn(self.suspend() or self.execute(calls) or self.meet_condition(calls))

    def judge_again(self, call: Json, decision: Json) -> Json:
        permissions = self.state["options"].get("permissions")
        if decision["do"] != "run" or permissions is None:
            return decision
        if call["name"] not in self.tools:
            return approval.deny(call, "its tool is gone")
        return approval.judge_again(call, decision, self.tools[call["name"]], permissions, self.warn)

    def calls(self) -> List[Json]:
        response = self.messages[self.state["response_start"] :]
        return [message for message in response if message.get("type") == "tool_call"]

    def pending(self) -> List[Json]:
        decided = zip(self.calls(), self.state["decisions"])
        return [approval.pending(call, decision) for call, decision in decided if decision["do"] == "ask"]

    # What the run says

    def finish(self, ending: Ending) -> Tuple[Json, Json]:
        result = result_of(self.state, ending)
        if ending.status == "suspended":
            result["pending"] = self.pending()
        self.emit("run_end", result=result)  # [EVENT-11]
        if ending.status == "suspended":
            self.look_at_the_clock()
            result = {**result, "snapshot": written(self.state)}
        return result, self.state["session"]

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
        cut_off = self.state["steps"][-1]["stop_reason"] in CUT_OFF
        self.append({**result, "status": "incomplete"} if cut_off else result for result in results)
        self.state["steps"][-1]["outcomes"] = [result["outcome"] for result in results]
