"""The model call of a turn: what is asked, how often, what comes of it, and how a response that paused is continued."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import bounds
import cost
from clock import TimeIsOver
from ports import Ports
from result import NO_USAGE, add, error
from retrying import wait_after
from stop_table import STOP_TABLE
from tool_choice import choice_of

Json = Dict[str, Any]


class ModelCall:
    """One call of the model that an agent has; it may take several requests."""

    def __init__(self, state: Json, agent: Json, ports: Ports, emit: Callable[..., None]) -> None:
        self.state, self.agent = state, agent
        self.ports, self.emit = ports, emit
        self.streamed = 0  # messages that have been streamed
        self.asked = 0  # requests that were made
        self.failed: List[Json] = []  # those that were followed by another try

    def call(self) -> Json:
        request, covered = self.request(), len(self.state["session"]["messages"])
        self.emit("model_start", **{key: request[key] for key in ("model",) if key in request})
        response = self.invoke(request)
        self.count(response, covered)
        for _ in range(self.state["options"]["max_pause_continuations"]):
            if response["stop_reason"] != "pause" or has_calls(response):
                break
            more = self.invoke({**request, "messages": request["messages"] + response["messages"]})  # [LOOP-30]
            self.count(more, covered + len(response["messages"]))
            sums = {
                "usage": add(response.get("usage", NO_USAGE), more.get("usage", NO_USAGE)),
                "cost": cost.total([response["cost"], more["cost"]]),
            }
            response = {**more, "messages": response["messages"] + more["messages"], **sums}  # [LOOP-31]
        if response["stop_reason"] == "pause" and has_calls(response):
            response = {**response, "stop_reason": "tool_use"}  # [LOOP-55]
        told = ("stop_reason", "raw_stop_reason", "usage", "error")
        self.emit("model_end", **{key: response[key] for key in told if key in response})
        return {**response, "attempts": self.failed} if self.failed else response

    def count(self, response: Json, covered: int) -> None:
        """Remember how large a request was, for whoever keeps the session small [COMPACT-3]."""
        tokens = response.get("usage", NO_USAGE)["input_tokens"]
        if "compaction" not in self.state["options"]:
            return
        counted = {"compacted_for_turn": 0} if tokens is not None else {}
        self.state["counters"].update(context_tokens=tokens or 0, context_messages=covered if tokens else 0, **counted)

    def request(self) -> Json:
        session: List[Json] = self.state["session"]["messages"]
        messages = [message for message in session if message.get("status") != "incomplete"]  # [SESSION-13]
        if self.agent.get("instructions"):
            messages.insert(0, {"role": "system", "content": self.agent["instructions"]})
        own = {key: self.agent[key] for key in ("model", "settings") if key in self.agent}  # [LOOP-71]
        choice = choice_of(self.state)
        chosen = {"tool_choice": choice} if choice else {}
        return {"messages": messages, "tools": self.agent.get("tools", []), **own, **chosen}

    def invoke(self, request: Json) -> Json:
        """The response to a request, which is made again while that may help."""
        failures = 0
        while True:
            before = self.streamed
            response = self.attempt(request, before)
            said = response["messages"] or self.streamed > before
            if "error" not in response or said or self.ports.clock.is_over():  # [RETRY-4]
                return response
            wait = wait_after(response["error"], failures, self.state["options"], self.ports.random)
            if wait is None:
                return response
            failures += 1
            self.failed.append(self.attempt_of(response, wait))
            self.emit("retry", attempt=failures, wait_ms=wait, error=response["error"])  # [RETRY-10]
            self.emit("wait_start", wait_ms=wait)
            self.ports.clock.sleep(self.as_long_as_there_is_time(wait))
            self.emit("wait_end")
            if self.ports.clock.is_over():
                self.failed.pop()  # nothing followed it: it is the response
                return self.cut_off(response)

    def attempt(self, request: Json, before: int) -> Json:
        """What comes of one request. Messages that are streamed are counted on from those before."""

        def listen(event: Json) -> None:
            if "index" in event:
                event = {**event, "index": event["index"] + before}
                self.streamed = max(self.streamed, event["index"] + 1)
            self.emit(**event)

        heard = bounds.Bounded(bounds.in_force(self.state["options"]), listen)
        self.asked += 1
        self.emit("attempt_start", attempt=self.asked, **{key: request[key] for key in ("model",) if key in request})
        try:
            response = heard.within(self.ports.invoke_model(request, heard.listen, heard.bounds))
        except TimeIsOver:
            response = {"messages": [], "stop_reason": "interrupted"}
        except Exception as bug:  # every run ends with a result [LOOP-27]
            told = error("internal", f"{type(bug).__name__}: {bug}")
            response = {"messages": [], "stop_reason": "error", "error": told}
        if "error" in response and self.ports.clock.is_over():
            response = self.cut_off(response)
        if response["stop_reason"] not in STOP_TABLE:  # [EXTENSION-1]
            raw = response.get("raw_stop_reason") or response["stop_reason"]
            response = {**response, "stop_reason": "other", "raw_stop_reason": raw}
        told = {key: response[key] for key in ("stop_reason", "error") if key in response}
        self.emit("attempt_end", attempt=self.asked, **told)
        prices = self.state["options"].get("prices", {"models": {}})
        return {**response, "cost": cost.cost_of(response, prices, self.agent.get("model"))}

    def cut_off(self, response: Json) -> Json:
        """What had come of a response when the time of the run was over [LOOP-105]."""
        kept = {key: response[key] for key in ("usage", "cost") if key in response}
        return {"messages": response["messages"], "stop_reason": "interrupted", **kept}

    def as_long_as_there_is_time(self, wait: float) -> float:
        clock = self.ports.clock
        return wait if clock.deadline is None else min(wait, max(0, clock.deadline - clock.now()))

    def attempt_of(self, response: Json, wait: int) -> Json:
        """What the step of the turn says of a request that failed [RETRY-9]."""
        usage = response.get("usage", NO_USAGE)
        return {
            **{key: self.agent[key] for key in ("model",) if key in self.agent},
            "error": response["error"],
            "wait_ms": wait,
            **({} if usage == NO_USAGE else {"usage": usage}),
            **({"cost": response["cost"]} if "prices" in self.state["options"] and usage != NO_USAGE else {}),
        }


def has_calls(response: Json) -> bool:
    return any(message.get("type") == "tool_call" for message in response["messages"])
