"""The execution of a batch: what comes of each call, and what follows when all are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional

from approval import deny, executable
from clock import TimeIsOver
from context import seen
from ports import ExecuteTool
from result import Ending, ending_in, failed
from result_texts import RESULT_TEXTS
from session import answered, made_up
from state import written
from subagents import Subagent, is_spent
from tool_calls import execute_call
from writing import flagged, look_again

if TYPE_CHECKING:
    from agent_loop import Run

Json = Dict[str, Any]


class Execution:
    """Executes or answers the calls of a batch, in call order, one at a time.

    An answer has the `result` of a call and what its tool asked for, as a snapshot would have it (ExecutedCall); or the
    `snapshot` of a subagent that waits; or nothing, where the call itself waits.
    """

    def __init__(self, run: Run, calls: List[Json]) -> None:
        self.run, self.state = run, run.state
        self.calls, self.decisions = calls, run.state["decisions"]
        self.unfinished: Json = run.state.get("unfinished", {})  # what was begun before the run was suspended, by id

    def execute(self) -> Optional[Ending]:
        self.run.begin_batch()
        refused = self.refuse()
        answers = [self.answer(call, decision) for call, decision in zip(self.calls, self.decisions)]
        refused = refused or next((answer["tripped"] for answer in answers if "tripped" in answer), None)
        if self.has_to_wait(answers, refused):
            self.state.update(self.begun(answers))
            if not self.run.suspend():
                return Ending("suspended")  # [SUBAGENT-14] [PERMISSION-21]
        return self.settle([self.closed(call, answer, refused) for call, answer in zip(self.calls, answers)], refused)

    def refuse(self) -> Optional[Ending]:
        """The end of the run where it is over already, or a call is about to be executed that must not be; then none is."""
        about_to = [
            index
            for index, (call, decision) in enumerate(zip(self.calls, self.decisions))
            if decision["do"] == "run" and call["id"] not in self.unfinished
        ]
        shown = [executable(self.calls[index], self.decisions[index]) for index in about_to]
        ending = ending_in(self.state, "tripped") or self.run.first(lambda plugin: plugin.before_batch(shown))
        for index in about_to if ending else []:
            self.decisions[index] = denied(self.calls[index], ending)
        for index, call in enumerate(self.calls) if ending else ():
            if "snapshot" in self.unfinished.get(call["id"], {}):  # a subagent that waits does not go on [SUBAGENT-18]
                self.decisions[index] = broken_off(call)
        return ending

    def answer(self, call: Json, decision: Json) -> Json:
        begun = self.unfinished.get(call["id"], {})
        if decision["do"] != "run":
            return {key: decision[key] for key in ("result",) if key in decision}
        if "executed" in begun:
            return self.again(executable(call, decision), begun["executed"])  # [SUBAGENT-17] [PERMISSION-20]
        if self.run.ports.clock.is_over():
            return {"result": made_up(call, "cancelled", RESULT_TEXTS["cancelled_before"])}
        tool = self.run.tools[call["name"]]
        if "agent" in tool and not begun and is_spent(self.state):  # [SUBAGENT-12] [SUBAGENT-24]
            return {"result": made_up(call, "not_executed", RESULT_TEXTS["no_budget"])}
        return self.executed(executable(call, decision), self.handler(tool, begun))

    def handler(self, tool: Json, begun: Json) -> ExecuteTool:
        """Who answers the calls of a tool: the caller's code, or an agent of the run [SUBAGENT-1]."""
        if "agent" not in tool:
            return self.run.ports.execute_tool
        return lambda call, context: Subagent(self.run, tool).answer(call, begun)

    def executed(self, call: Json, handler: ExecuteTool) -> Json:
        unwritten = self.run.journal.start(call)
        if unwritten:
            return {"result": unwritten}
        try:
            value, fatal = execute_call(call, seen(self.state), handler, self.run.emit)
        except TimeIsOver:
            if "agent" not in self.run.tools[call["name"]]:  # a subagent has ended with its run
                self.run.still_running.append({"id": call["id"], "name": call["name"]})
            late = {"result": made_up(call, "cancelled", RESULT_TEXTS["cancelled_while_running"])}
            self.run.journal.finish(written(self.state), late, is_last=not self.run.asks_in_batch)
            self.ended(call, "cancelled")
            return late
        if "snapshot" in value:
            self.ended(call, "suspended")
            return value
        asked = {key: value[key] for key in ("final", "context_updates", "handoff") if key in value}
        answer: Json = {"result": answered(call, value), **asked}
        if fatal is not None:
            answer["fatal"] = fatal
        for plugin in self.run.from_within:
            plugin.after_call(call, answer)
        self.ended(call, answer["result"]["outcome"])  # as hooks have left it [HOOK-38]
        return answer

    def ended(self, call: Json, outcome: str) -> None:
        self.run.emit("tool_end", id=call["id"], name=call["name"], outcome=outcome)

    def again(self, call: Json, executed: Json) -> Json:
        """The answer of a call that was executed before; what a fatal error said is its output."""
        rest = {key: executed[key] for key in executed if key != "fatal"}
        answer = {**rest, **({"fatal": str(executed["result"]["output"])} if executed.get("fatal") else {})}
        look_again(self.run, call, answer)
        return answer

    # A batch of which some calls wait

    def has_to_wait(self, answers: List[Json], refused: Optional[Ending]) -> bool:
        """Whether a call waits, and nothing ends the run before [LOOP-110]."""
        ends = refused or self.run.ports.clock.is_over() or any("fatal" in answer for answer in answers)
        return not ends and any("result" not in answer for answer in answers)

    def begun(self, answers: List[Json]) -> Json:
        """What a snapshot has of the calls that were begun: a subagent that waits, or what came of the call."""
        kept: Json = {}
        for call, decision, answer in zip(self.calls, self.decisions, answers):
            if decision["do"] == "run":
                kept[call["id"]] = answer if "snapshot" in answer else {"executed": flagged(answer)}
        return {"unfinished": kept} if kept else {}

    def closed(self, call: Json, answer: Json, refused: Optional[Ending]) -> Json:
        """The answer to a call, also where the run ends while it waits."""
        if "result" in answer:
            return answer
        if refused and "snapshot" not in answer:
            return {"result": denied(call, refused)["result"]}
        is_late, when = self.run.ports.clock.is_over(), "while_running" if "snapshot" in answer else "before"
        outcome, text = ("cancelled", f"cancelled_{when}") if is_late else ("interrupted", f"broke_{when}")
        return {"result": made_up(call, outcome, RESULT_TEXTS[text])}

    # When every call is answered

    def settle(self, answers: List[Json], refused: Optional[Ending]) -> Optional[Ending]:
        """Store the results; the end of the run that follows from them."""
        for plugin in self.run.plugins:
            plugin.before_results(self.calls, answers)
        self.state["decisions"] = []
        self.state.pop("unfinished", None)
        self.run.append_results([answer["result"] for answer in answers])
        endings = [plugin.after_results(answers) for plugin in self.run.plugins]
        fatal = next((answer["fatal"] for answer in answers if "fatal" in answer), None)
        if fatal is not None:
            return failed("tool_fatal", fatal)  # the rest of the batch has run [TOOL-18]
        is_final = all(answer.get("final") for answer in answers)  # [LOOP-52]
        final = Ending("stopped", stop_condition="final_result") if is_final else None
        return next((ending for ending in (refused, *endings) if ending), final)


def broken_off(call: Json) -> Json:
    return {"do": "answer", "result": made_up(call, "interrupted", RESULT_TEXTS["broke_while_running"])}


def denied(call: Json, ending: Optional[Ending]) -> Json:
    return deny(call, (ending and ending.reason) or "the run has ended")
