"""Guardrails: checks of what goes into a run and comes out of it, which end the run where they trip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence

from clock import TimeIsOver
from plugin import Plugin
from result import Ending, text_of
from session import latest_input

Json = Dict[str, Any]


@dataclass
class Guardrail:
    """What is asked, where, and the name under which the result speaks of it."""

    name: str
    points: Sequence[str]
    check: Callable[[Json], Json]  # what is told -> what is found, schemas/guardrail.schema.json


class Guardrails(Plugin):
    """Asks the guardrails of a run, marks what they refuse, and ends the run."""

    def begin(self) -> Optional[Ending]:
        return self.ask("input", messages=latest_input(self.run.messages))  # [GUARDRAIL-2]

    def after_model(self, messages: List[Json]) -> Optional[Ending]:
        tripped = self.ask("model_output", messages=[dict(message) for message in messages])
        if tripped:
            for message in messages:
                message.update(refused(message, tripped))  # [GUARDRAIL-7] [GUARDRAIL-13]
        return tripped

    def looks_at(self, point: str) -> bool:
        return any(point in guardrail.points for guardrail in self.run.ports.guardrails)

    def before_batch(self, calls: List[Json]) -> Optional[Ending]:
        endings = (self.ask("tool_input", call=call) for call in calls)
        return next((ending for ending in endings if ending), None)  # [GUARDRAIL-4]

    def after_call(self, call: Json, answer: Json) -> None:
        tripped = self.ask("tool_output", call=call, output=answer["result"]["output"])
        if tripped:
            answer["result"] = named(answer["result"], tripped)
            answer["tripped"] = tripped

    def after_results(self, answers: List[Json]) -> Optional[Ending]:
        return next((answer["tripped"] for answer in answers if "tripped" in answer), None)  # [GUARDRAIL-5]

    def before_end(self, ending: Ending) -> Optional[Ending]:
        if ending.status != "completed":
            return ending
        tripped = self.ask("final_output", text=text_of(self.run.response()))  # [GUARDRAIL-6]
        if tripped:
            self.take_back(tripped)
        return tripped or ending

    def take_back(self, tripped: Ending) -> None:
        """Mark what was stored before its last word was found to be one [GUARDRAIL-14], and tell of it [GUARDRAIL-15]."""
        start, response = self.run.state["response_start"], self.run.response()
        executed = {message["id"] for message in response if is_executed(message)}

        def is_done(message: Json) -> bool:
            return message.get("id") in executed or bool(executed) and message.get("type") == "thinking"

        marked = [message if is_done(message) else refused(message, tripped) for message in response]
        self.run.messages[start:] = marked
        self.run.emit("amendment", **{"from": start, "to": len(self.run.messages), "messages": marked})

    def ask(self, point: str, **told: Any) -> Optional[Ending]:
        """The end of the run if a guardrail trips; then no other is asked [GUARDRAIL-10]."""
        state = self.run.state
        about = {"turn": state["turn"], "agent": state["agent"], "session_id": state["session"]["id"]}  # [GUARDRAIL-24]
        for guardrail in self.run.ports.guardrails:
            if point not in guardrail.points or self.run.ports.clock.is_over():
                continue
            finding = found(guardrail, {"point": point, **about, **told})
            severity = {"severity": finding["severity"]} if "severity" in finding else {}  # [GUARDRAIL-11]
            who = {"name": guardrail.name, "point": point, **severity}
            if finding["trip"]:
                return Ending("guardrail", reason=finding.get("reason"), guardrail=who)  # [GUARDRAIL-1]
            if "reason" in finding:  # [GUARDRAIL-9]
                self.run.warn("guardrail_finding", f"{guardrail.name}: {finding['reason']}", guardrail=who)
        return None


def found(guardrail: Guardrail, told: Json) -> Json:
    try:
        finding = guardrail.check(told)
        return {**finding, "trip": bool(finding["trip"])}
    except TimeIsOver:
        return {"trip": False}  # the run ends without it [LOOP-105]
    except Exception as thrown:
        return {"trip": True, "reason": f"{guardrail.name} failed: {thrown}"}  # [GUARDRAIL-8]


def is_executed(message: Json) -> bool:
    return message.get("type") == "tool_result" and not message.get("synthetic")


def refused(message: Json, tripped: Ending) -> Json:
    """A message that no later request has."""
    return {**named(message, tripped), "status": "incomplete"}


def named(message: Json, tripped: Ending) -> Json:
    return {**message, "meta": {**message.get("meta", {}), "guardrail": (tripped.guardrail or {}).get("name")}}
