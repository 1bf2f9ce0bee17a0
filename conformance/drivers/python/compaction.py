"""Compaction: what makes a session smaller between two turns, when, and what becomes of a failure."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from cost import said_nothing
from model_call import ModelCall
from plugin import Plugin
from result import Ending
from shortening import shorten_results, tokens_of, tokens_of_texts, truncate_old, written
from summary import message_of, part_to_replace, request_for, summary_of

Json = Dict[str, Any]

DEFAULTS: Json = {"reserve": 10_000, "keep_last_turns": 3, "max_result_chars": 50_000}
STRATEGIES = ("truncate_old", "summarize")
MOST_FAILURES = 3  # in a row, of a strategy that asks the model [COMPACT-22]


def refused(options: Json) -> Optional[str]:
    """Why a run cannot be compacted as it asks for."""
    strategy = options.get("strategy")
    if strategy is None:
        return None
    if strategy not in STRATEGIES:  # [COMPACT-23]
        return f"There is no strategy {strategy} of compaction; there are {', '.join(STRATEGIES)}."
    if "at_tokens" not in options and "window" not in options:  # [COMPACT-27]
        return f"The strategy {strategy} needs at_tokens or window; without, it would never be asked."
    return None


class Compaction(Plugin):
    """Makes the session smaller before a turn, where it has grown too large."""

    @property
    def options(self) -> Json:
        return {**DEFAULTS, **self.run.state["options"]["compaction"]}

    def before_turn(self) -> Optional[Ending]:
        if "compaction" in self.run.state["options"]:
            self.shorten()
            if self.is_due():
                self.compact(self.options["strategy"])
        return None

    def shorten(self) -> None:
        """Shorten results that are too large, whatever the size of the session is [COMPACT-18]."""
        most = self.options["max_result_chars"]
        if most is not None:
            self.replace("shorten_results", shorten_results(self.run.messages, most), {})

    def is_due(self) -> bool:
        """Whether the strategy is to be asked before the next turn [COMPACT-1] [COMPACT-2]."""
        state, counters = self.run.state, self.run.state["counters"]
        if "strategy" not in self.options or counters.get("compacted_for_turn") == state["turn"] + 1:
            return False
        given_up = self.options["strategy"] == "summarize" and counters.get("compaction_failures", 0) >= MOST_FAILURES
        window = self.options.get("window", 0) - self.options["reserve"]
        return not given_up and self.tokens() >= self.options.get("at_tokens", window)

    def tokens(self) -> int:
        """How many tokens the next request is estimated to have [COMPACT-3]."""
        counters, messages = self.run.state["counters"], self.run.messages
        if counters.get("context_tokens"):
            return int(counters["context_tokens"]) + tokens_of(messages[counters["context_messages"] :])
        agent = self.run.agent
        tools = [[tool["name"], tool.get("description", ""), written(tool["input_schema"])] for tool in agent.get("tools", [])]
        return tokens_of(messages) + tokens_of_texts([agent.get("instructions", ""), *sum(tools, [])])

    def compact(self, strategy: str) -> None:
        size = {"strategy": strategy, "before_tokens": self.tokens()}
        if not all(plugin.before_compaction(size) for plugin in self.run.plugins):
            return  # [COMPACT-24]
        if strategy == "summarize":
            self.summarize()
        else:
            self.replace(strategy, truncate_old(self.run.messages, self.options["keep_last_turns"]), {})

    # By a summary

    def summarize(self) -> None:
        messages = self.run.messages
        start, end, staying = part_to_replace(messages, self.options["keep_last_turns"])
        if start == end:
            return
        response, spent = self.ask(messages[:end])
        summary = summary_of(response)
        if not summary:
            self.fail(response, spent)
            return
        smaller = [*messages[:start], message_of(summary), *staying, *messages[end:]]
        self.count(is_smaller=tokens_of(smaller) < tokens_of(messages))
        self.replace("summarize", smaller, spent)

    def ask(self, messages: List[Json]) -> Tuple[Json, Json]:
        """The response to the call for a summary, which belongs to no turn, and what it took [COMPACT-17]."""
        run = self.run
        call = ModelCall(run.state, run.agent, run.ports, lambda type, **fields: None)
        with run.ports.clock.before(run.deadline):
            response = call.invoke(request_for(messages, self.options.get("instructions"), run.agent))
        was_given_up = response["stop_reason"] == "interrupted"
        has_answered = "error" not in response and not was_given_up
        model = response.get("model") or (run.agent.get("model") if has_answered else None)
        cost = {"cost": response["cost"]} if "prices" in run.state["options"] and not was_given_up else {}
        usage = None if said_nothing(response) and not has_answered else response.get("usage")
        told = {"model": model, "usage": usage, "attempts": call.failed}
        return response, {**{key: value for key, value in told.items() if value}, **cost}

    def fail(self, response: Json, spent: Json) -> None:
        """Leave the session as it is [COMPACT-16]."""
        why = response.get("error", {}).get("message") or "the summary is empty or cut off"
        told = {"turn": self.run.state["turn"], "strategy": "summarize", "before_tokens": self.tokens()}
        self.run.state.setdefault("compactions", []).append({**told, "failed": why, **spent})
        if response["stop_reason"] == "interrupted":  # the run is over, which is no failure [COMPACT-31]
            return
        self.run.warn("compaction_failed", f"The session could not be made smaller: {why}")
        self.count(is_smaller=False)

    def count(self, is_smaller: bool) -> None:
        """Count what did not help, and say when the strategy is not asked again [COMPACT-22]."""
        counters = self.run.state["counters"]
        counters["compaction_failures"] = 0 if is_smaller else counters.get("compaction_failures", 0) + 1
        if counters["compaction_failures"] == MOST_FAILURES:
            self.run.warn("compaction_disabled", "The session was not made smaller three times; it is left as it is.")

    # What has changed

    def replace(self, strategy: str, smaller: List[Json], spent: Json) -> None:
        """Put another session in place of that of the run, and tell of the part that differs [COMPACT-21]."""
        state, messages, before = self.run.state, self.run.messages, self.tokens()
        start, end = differing(messages, smaller)
        put = smaller[start : len(smaller) - (len(messages) - end)]
        if start == end and not put:
            return
        messages[start:end] = put
        state["response_start"] += len(put) - (end - start) if end <= state["response_start"] else 0
        if start < state["counters"].get("context_messages", 0):  # what was counted is not there any more
            state["counters"].update(context_tokens=0, context_messages=0)
        size = {"strategy": strategy, "before_tokens": before, "after_tokens": self.tokens()}
        self.run.emit("compaction", **{"from": start, "to": end, "messages": put}, **size)
        state.setdefault("compactions", []).append({"turn": state["turn"], **size, **spent})
        if strategy != "shorten_results":
            state["counters"]["compacted_for_turn"] = state["turn"] + 1
            self.run.each(lambda plugin: plugin.after_compaction(size))  # [COMPACT-25]


def differing(before: List[Json], after: List[Json]) -> Tuple[int, int]:
    """From where to where messages differ from those that take their place."""
    start = 0
    while start < min(len(before), len(after)) and before[start] is after[start]:
        start += 1
    same = 0
    while same < min(len(before), len(after)) - start and before[-1 - same] is after[-1 - same]:
        same += 1
    return start, len(before) - same
