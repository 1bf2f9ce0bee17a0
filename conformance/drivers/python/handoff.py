"""Handoffs: a tool hands the run over to another agent, or to nobody."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

from plugin import Plugin
from result import Ending
from result_texts import RESULT_TEXTS
from session import made_up

Json = Dict[str, Any]


class Handoff(Plugin):
    """Hands over to the agent that the first call in call order has named."""

    def before_results(self, calls: List[Json], answers: List[Json]) -> None:
        """Leave the one handoff that stands, and tell the other calls why theirs do not."""
        is_over = False
        for call, answer in zip(calls, answers):
            if answer["result"].get("is_error"):
                answer.pop("handoff", None)  # [LOOP-95] [LOOP-129]
            if "handoff" not in answer:
                continue
            is_known = answer["handoff"] is None or answer["handoff"] in self.run.agents
            if is_known and not is_over:
                is_over = True
                continue
            name = answer.pop("handoff")
            if is_known:
                answer["result"] = made_up(call, "skipped", RESULT_TEXTS["second_handoff"])  # [LOOP-68]
            else:
                agents = ", ".join(self.run.agents) or "none"
                told = RESULT_TEXTS["unknown_agent"].format(name=json.dumps(name, ensure_ascii=False), agents=agents)
                answer["result"] = made_up(call, "error", told)  # [LOOP-70]

    def after_results(self, answers: List[Json]) -> Optional[Ending]:
        named = [answer["handoff"] for answer in answers if "handoff" in answer]
        if not named:
            return None
        self.run.emit("handoff", **{"from": self.run.state["agent"], "to": named[0]})  # [EVENT-16]
        if named[0] is None:
            return Ending("stopped", stop_condition="no_active_agent")  # [LOOP-69]
        self.run.state["agent"] = named[0]  # [LOOP-67]
        return None
