"""The agent loop, whole: call the model, execute the tools that it asks for, append the results, repeat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

import limits
import stop_conditions
from approval import pending
from batch import Batch
from compaction import Compaction
from context import Context
from guardrails import Guardrails
from handoff import Handoff
from hooks import Hooks
from journal import Journal
from keeping_on import KeepingOn
from model_call import ModelCall
from plugin import Plugin
from ports import Ports
from refusals import cannot_resume, cannot_run, cannot_start
from result import Ending, ending_in, error, failed, result_of, said_last, step_of
from result_texts import RESULT_TEXTS
from session import by_users, latest_input, made_up, name_calls
from state import begun, last_calls, restored, waiting, written
from steering import Steering
from stop_table import STOP_TABLE
from tool_choice import ToolChoice
from writing import Writing

Json = Dict[str, Any]
Point = Callable[[Plugin], Optional[Ending]]

CUT_OFF = ("error", "interrupted", "pause")
# What a person says to a run, and what it answers him: a subagent has neither [SUBAGENT-26] [SUBAGENT-28].
OWN_HOOKS, OWN_GUARDRAILS = ("user_input", "stop"), ("input", "final_output")
# What stands around the loop, from the outermost to the innermost. What was said to a run is looked at first and last.
PLUGINS = (Steering, Context, Guardrails, Handoff, Writing, Hooks, KeepingOn, ToolChoice, Steering, Compaction)


def run(
    session: Json, agents: Json, agent: str, ports: Ports, options: Optional[Json] = None, context: Optional[Json] = None
) -> Tuple[Json, Json]:
    """Run the loop on a session, which is left as it is, and return the result and the session after the run."""
    return Run(begun(session, agents, agent, options or {}, context), agents, ports).start()


def resume(
    snapshot: Json, decisions: List[Json], agents: Json, ports: Ports, options: Optional[Json] = None
) -> Tuple[Json, Json]:
    """Continue a suspended run, whoever wrote its snapshot, with one decision for each pending call."""
    return Run(restored(snapshot, agents, options), agents, ports).resume(decisions)


class Run:
    """One run. Its state is a snapshot (schemas/snapshot.schema.json), and nothing else is remembered."""

    def __init__(self, state: Json, agents: Json, ports: Ports, journal: Optional[Journal] = None) -> None:
        self.state = state
        self.journal = journal or Journal(ports.journal)
        self.messages: List[Json] = state["session"]["messages"]
        self.agents = agents
        self.ports = ports
        self.plugins: List[Plugin] = [plugin(self) for plugin in PLUGINS]
        self.from_within = self.plugins[::-1]  # in this order they are asked about what has come of the run
        self.seq = 0
        self.untold: List[Json] = []  # events of results that are not written down yet, and what follows them [JOURNAL-4]
        self.is_decided = False  # the caller has decided about the batch: that is written at once, so that nobody is asked again
        self.is_unseen = False  # time was over before everybody had looked at the last response
        self.still_running: List[Json] = []  # the tools that were signalled, and are waited for no longer [CANCEL-10]
        self.began = ports.clock.now() - state["counters"].get("elapsed_ms", 0)
        deadline = state["options"].get("deadline_ms")
        in_time = deadline is not None and ports.clock.now() < self.began + deadline
        self.deadline = self.began + deadline if in_time else None  # what was late before is stopped before a turn

    @property
    def agent(self) -> Json:
        """The active agent."""
        agent: Json = self.agents.get(self.state["agent"], {})
        return agent

    @property
    def tools(self) -> Dict[str, Json]:
        """Its tools, by name."""
        return {tool["name"]: tool for tool in self.agent.get("tools", [])}

    def child(self, state: Json, emit: Callable[[Json], None]) -> Run:
        """The run of a subagent; what watches over this one watches over it, too, but for what is about the person who asked."""
        hooks = [hook for hook in self.ports.hooks if hook.point not in OWN_HOOKS]
        guardrails = [replace(each, points=[point for point in each.points if point not in OWN_GUARDRAILS]) for each in self.ports.guardrails]
        ports = replace(self.ports, emit=emit, inbox=[], asked_to_stop=lambda: False, journal=None, hooks=hooks, guardrails=guardrails)
        return Run(state, self.agents, ports)

    # From start to result

    def start(self) -> Tuple[Json, Json]:
        self.emit("run_start", session_id=self.state["session"]["id"], agent=self.state["agent"])
        refusal = cannot_run(self.state, self.agents) or cannot_start(self.state)
        refusal = refusal or self.journal.refuse_new(self.state["session"]["id"]) or self.write("turn_boundary")
        input = by_users(latest_input(self.messages))
        return self.refuse(refusal) if refusal else self.finish(self.begin(input) or self.take_turns())

    def begin(self, input: List[Json]) -> Optional[Ending]:
        """Have those look at the input who have not."""
        return self.first(lambda plugin: plugin.begin()) or self.hear(input)

    def resume(self, decisions: List[Json]) -> Tuple[Json, Json]:
        self.emit("run_start", session_id=self.state["session"]["id"], agent=self.state["agent"], resumed=True)
        batch = Batch(self)
        refusal = cannot_run(self.state, self.agents) or cannot_resume(self.state, decisions)
        refusal = refusal or self.journal.refuse_resumed(self.state)
        if refusal:
            return self.refuse(refusal)
        self.each(lambda plugin: plugin.begin_again())
        self.is_decided = True
        ending = self.turn(lambda: batch.resume(decisions) or self.meet_condition(batch), resumed=True)
        return self.finish(ending or self.take_turns())

    def take_turns(self) -> Ending:
        ending = None
        while not ending:
            ending = self.write("turn_boundary") or self.before_turn() or self.next_turn()
        return ending

    def write(self, phase: str) -> Optional[Ending]:
        """Write down where the run is: nothing follows before [JOURNAL-2]. Returns the end of a run of which that fails."""
        self.look_at_the_clock()
        self.state["phase"] = phase
        ending = self.journal.write(written(self.state))
        self.tell_untold()
        return ending

    def begin_batch(self) -> None:
        """Write down that a batch is executed: with its first tool, where nobody is or was asked about it [JOURNAL-31]."""
        if self.asks_in_batch or self.is_decided:
            self.is_decided = False
            self.write("executing")
            return
        self.look_at_the_clock()
        self.state["phase"] = "executing"
        self.journal.hold(written(self.state))

    @property
    def asks_in_batch(self) -> bool:
        """Whether somebody is asked about calls and results before the turn is written down."""
        return bool(self.ports.hooks or self.ports.guardrails)

    def suspend(self) -> Optional[Ending]:
        """Write down that calls wait for the caller. Returns the end of a run of which that fails."""
        self.state["ending"] = {"status": "suspended"}
        return self.write("suspended")

    def before_turn(self) -> Optional[Ending]:
        ending = self.reach_limit() or self.first(lambda plugin: plugin.before_turn()) or self.reach_limit()
        return ending or self.write("turn_boundary")

    def hear(self, messages: List[Json]) -> Optional[Ending]:
        """Show what a user has said, and what is in the session by now."""
        return self.first(lambda plugin: plugin.heard(messages))

    def reach_limit(self) -> Optional[Ending]:
        """The end of a run that may not take another turn."""
        if self.ports.asked_to_stop():
            return Ending("stopped", stop_condition="requested")  # [LOOP-29] [LOOP-94]
        limit = self.limit()
        if not limit:
            return None
        option, status = limit
        if status is None:  # [LOOP-59] [LOOP-122]
            return failed("configuration", f"The run has the limit {option}, and nobody knows what is left of it.")
        self.emit("limit", limit=option, status=status)  # [EVENT-15]
        return Ending(status)

    def may_go_on(self) -> bool:
        """Whether a run that would end may take another turn instead [LOOP-124]."""
        return not self.ports.asked_to_stop() and not self.limit()

    def limit(self) -> Optional[Tuple[str, Optional[str]]]:
        self.look_at_the_clock()
        return limits.reached(self.state)

    def look_at_the_clock(self) -> None:
        self.state["counters"]["elapsed_ms"] = int(self.ports.clock.now() - self.began)

    # A turn

    def next_turn(self) -> Optional[Ending]:
        self.state["turn"] += 1
        return self.turn(self.take_turn)

    def turn(self, take: Callable[[], Optional[Ending]], **told: Any) -> Optional[Ending]:
        """The end of the run that a turn comes to, if it does; the time of the run is over in turns alone [LOOP-105]."""
        with self.ports.clock.before(self.deadline):
            self.emit("turn_start", **told)
            self.each(lambda plugin: plugin.turn_started())
            ending = take()
            self.emit("turn_end")
            self.each(lambda plugin: plugin.turn_ended())
            cut_off = self.is_cut_off()
        if cut_off:
            self.emit("limit", limit="deadline_ms", status="deadline")
            return Ending("deadline")
        return self.before_end(ending) if ending else None

    def before_end(self, ending: Optional[Ending]) -> Optional[Ending]:
        for plugin in self.from_within:
            ending = plugin.before_end(ending) if ending else None
        return ending

    def take_turn(self) -> Optional[Ending]:
        """One response, and what the stop table says follows from it."""
        response = ModelCall(self.state, self.agent, self.ports, self.emit).call()
        messages = self.read(response)
        has_failed = response["stop_reason"] in CUT_OFF
        refused = None if has_failed else self.first(lambda plugin: plugin.after_model(messages), self.from_within)
        self.is_unseen = self.ports.clock.is_over() and self.is_looked_at("model_output")
        self.store(self.marked(messages, response), response)
        self.state.update({"tripped": refused.written()} if refused else {})
        self.write("deciding")
        return self.follow()

    def read(self, response: Json) -> List[Json]:
        """The messages of a response, each call under a name of its own."""
        messages = [dict(message) for message in response["messages"] if "role" not in message or message["content"]]
        if len(messages) < len(response["messages"]):
            self.warn("empty_message_dropped", "The model wrote an assistant message without content.")  # [SESSION-5]
        name_calls([message for message in messages if message.get("type") == "tool_call"], self.messages, self.warn)
        return messages

    def marked(self, messages: List[Json], response: Json) -> List[Json]:
        """The messages as they are stored, once everybody has looked at them as they came [GUARDRAIL-25]."""
        only_thought = all(message.get("type") == "thinking" for message in messages)
        cut_off = response["stop_reason"] in CUT_OFF or only_thought  # [SESSION-12] [SESSION-14]
        return [{**message, "status": "incomplete"} for message in messages] if cut_off else messages

    def store(self, messages: List[Json], response: Json) -> None:
        self.state["response_start"] = len(self.messages)
        self.state.update({key: response[key] for key in ("error",) if key in response})
        self.append(messages)
        calls = sum(message.get("type") == "tool_call" for message in messages)
        self.state["steps"].append(step_of(self.state, response, self.agent.get("model"), calls))

    def follow(self) -> Optional[Ending]:
        """What follows from the last response: the end of the run, or nothing."""
        batch, refused, stop_reason = Batch(self), ending_in(self.state, "tripped"), self.state["steps"][-1]["stop_reason"]
        row = STOP_TABLE[stop_reason][1 if batch.calls else 0]
        if "warning" in row:
            self.warn(row["warning"], "The model said that it calls a tool, and called none.")
        if "answer" in row:
            why = RESULT_TEXTS[stop_reason]  # [SESSION-24]
            self.append_results([made_up(call, row["answer"], why) for call in batch.calls])
        self.state["truncations"] = self.state["truncations"] + 1 if row["do"] == "recover" else 0
        if row["do"] == "execute" and refused:
            batch.refuse(refused)
        ending = refused or (batch.decide() if row["do"] == "execute" else self.ending_of(row, stop_reason))
        return ending or self.meet_condition(batch)

    def ending_of(self, row: Json, stop_reason: str) -> Optional[Ending]:
        if row["do"] == "recover" and self.state["truncations"] <= self.state["options"]["max_truncation_recoveries"]:
            return None  # [LOOP-10]
        if row["do"] == "fail":
            told = f"The model ended with stop reason {stop_reason}, and told no error."
            return Ending("error", self.state.get("error") or error(row.get("error", "invalid_response"), told))
        return Ending(row["status"])

    def meet_condition(self, batch: Batch) -> Optional[Ending]:
        """The end of a run that a stop condition ends, once every call is answered [LOOP-48]."""
        met = stop_conditions.met(self.state) if batch.calls else None
        return Ending("stopped", stop_condition=met) if met else None

    def is_cut_off(self) -> bool:
        """Whether the time of the run was over before its model or a tool had ended [LOOP-105]."""
        step = self.state["steps"][-1]
        has_ended = step["stop_reason"] != "interrupted" and "cancelled" not in step["outcomes"] and not self.is_unseen
        return self.ports.clock.is_over() and not has_ended

    def response(self) -> List[Json]:
        """The last response, and what follows it in the session."""
        return self.messages[self.state["response_start"] :]

    # What stands around the loop

    def first(self, point: Point, plugins: Optional[List[Plugin]] = None) -> Optional[Ending]:
        """The end of the run at a point, if there is one: when somebody has ended it, nobody else is asked."""
        return next((ending for ending in map(point, plugins or self.plugins) if ending), None)

    def is_looked_at(self, point: str) -> bool:
        return any(plugin.looks_at(point) for plugin in self.plugins)

    def each(self, point: Callable[[Plugin], None]) -> None:
        for plugin in self.plugins:
            point(plugin)

    # What the run says

    def finish(self, ending: Ending) -> Tuple[Json, Json]:
        ending = self.journal.ending() or ending
        self.each(lambda plugin: plugin.end(ending))
        self.state.pop("tripped", None)
        self.state["ending"] = ending.written()
        self.write("suspended" if ending.status == "suspended" else "done")  # if it fails, the run is over all the same
        return self.tell(ending)

    def refuse(self, ending: Ending) -> Tuple[Json, Json]:
        """The end of a run of which nothing was done [RESULT-23]; that it was refused is told as well [HOOK-42]."""
        self.each(lambda plugin: plugin.begin_again())
        self.each(lambda plugin: plugin.end(ending))
        return self.tell(ending, refused=True)

    def tell(self, ending: Ending, **more: Any) -> Tuple[Json, Json]:
        result = {**result_of(self.state, ending), "final_text": self.final_text(ending), **more}
        if self.still_running:
            result["still_running"] = self.still_running
        if ending.status == "suspended":
            result["pending"] = [pending(path, *each) for path, each in waiting(self.state).items()]  # [LOOP-35]
        self.emit("run_end", result=result)  # [EVENT-11]
        if ending.status == "suspended":
            result = {**result, "snapshot": written(self.state)}
        return result, self.state["session"]

    def final_text(self, ending: Ending) -> str:
        """What the run has said last, unless somebody who may refuse it has not let it pass [GUARDRAIL-21] [HOOK-32]."""
        is_unfinished = not last_calls(self.state) and self.is_looked_at("final_output")
        is_kept_back = ending.status == "deadline" and (self.is_unseen or is_unfinished)
        return "" if is_kept_back else said_last(self.state, ending)

    def emit(self, type: str, **fields: Any) -> None:
        turn = {} if type in ("run_start", "run_end") else {"turn": self.state["turn"]}
        self.untold.append({"type": type, "seq": self.seq, **turn, **fields})
        self.seq += 1
        is_unwritten = self.journal.held and self.untold[0]["type"] == "message"
        if type == "run_end" or not is_unwritten:
            self.tell_untold()

    def tell_untold(self) -> None:
        untold, self.untold = self.untold, []
        for event in untold:
            self.ports.emit(event)

    def warn(self, code: str, message: str, **more: Any) -> None:
        self.emit("warning", code=code, message=message, **more)

    def append(self, messages: Iterable[Json]) -> None:
        for message in messages:
            self.messages.append(message)  # [SESSION-1]
            self.emit("message", message=message)

    def append_results(self, results: List[Json]) -> None:
        cut_off = any(message.get("status") == "incomplete" for message in self.response())
        self.append([{**result, "status": "incomplete"} for result in results] if cut_off else results)
        self.state["steps"][-1]["outcomes"] = [result["outcome"] for result in results]
