"""What keeps a run going that would be over: a text that was cut off, and a response that says nothing."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from plugin import Plugin
from result import Ending

Json = Dict[str, Any]

CUT = ("max_tokens", "context_window_exceeded")
GO_ON = "Your text was cut off. Go on where it ends, and repeat nothing."
SAY = "You have said nothing. Go on with the task, or say what came of it."


class KeepingOn(Plugin):
    """Says what keeps a run going, where no limit forbids another turn."""

    def before_end(self, ending: Ending) -> Optional[Ending]:
        message = follow_up(self.run.state, self.run.response(), ending.status)
        if not message or not self.run.may_go_on():
            return ending
        self.run.append([message])
        return None


def follow_up(state: Json, response: List[Json], status: str) -> Optional[Json]:
    """The message that keeps a run from ending with a status after its last response, if there is to be one."""
    options = state["options"]
    text = any(message.get("role") == "assistant" for message in response)
    calls = any(message.get("type") == "tool_call" for message in response)
    is_cut = status == "max_tokens" and text
    if is_cut and options["on_max_tokens"] == "continue" and 0 < cut_texts(state) <= options["max_continuations"]:
        return said(GO_ON)  # [LOOP-44]
    asks = not text and not calls and status == "completed" and options["on_empty"] == "retry"
    if asks and retried(state) < options["max_empty_retries"]:
        state["counters"].update(empty_retries=retried(state) + 1, empty_retried_turn=state["turn"])
        return said(SAY)  # [LOOP-46]
    return None


def cut_texts(state: Json) -> int:
    """How many responses at the end were texts that a token limit cut off."""
    is_cut = [not step["tool_calls"] and step["stop_reason"] in CUT for step in reversed(state["steps"])]
    return [*is_cut, False].index(False)


def retried(state: Json) -> int:
    """How many empty responses in a row, up to the one before the last, were asked about."""
    in_a_row = state["counters"].get("empty_retried_turn") == state["turn"] - 1
    count: int = state["counters"].get("empty_retries", 0) if in_a_row else 0
    return count


def said(content: str) -> Json:
    return {"role": "user", "content": content, "synthetic": True}
