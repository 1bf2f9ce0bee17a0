"""Steering: what somebody says to a run while it is under way."""

from __future__ import annotations

from typing import Any, Dict, Optional

from letters import whole_letters
from plugin import Plugin
from result import Ending

Json = Dict[str, Any]


class Steering(Plugin):
    """Appends what was said between two turns, and keeps a run from ending before the model has seen it."""

    def before_turn(self) -> Optional[Ending]:
        inbox = self.run.ports.inbox
        said = [{"role": "user", "content": inbox.pop(0)} for _ in range(len(inbox))]
        self.run.append(whole_letters(said))  # [LOOP-53] [SESSION-33]
        return self.run.hear(said)

    def before_end(self, ending: Ending) -> Optional[Ending]:
        unseen = ending.status == "completed" and self.run.ports.inbox
        return None if unseen and self.run.may_go_on() else ending  # [LOOP-54]
