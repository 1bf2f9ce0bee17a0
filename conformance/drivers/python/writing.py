"""What a tool returned is written down behind those who may change it, and before those who judge it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from plugin import Plugin
from state import written

if TYPE_CHECKING:
    from agent_loop import Run

Json = Dict[str, Any]


class Writing(Plugin):
    """Stands between the plug-ins within, whose changes the journal has, and those around, which look at what it has."""

    def after_call(self, call: Json, answer: Json) -> None:
        self.run.journal.finish(written(self.run.state), flagged(answer), is_last=not self.run.asks_in_batch)


def flagged(answer: Json) -> Json:
    """What a snapshot, or a journal, has of a call that was executed (ExecutedCall)."""
    return {**answer, **({"fatal": True} if "fatal" in answer else {})}


def look_again(run: Run, call: Json, answer: Json) -> None:
    """Ask those around about a call of which another process has written down what came: it may have ended before."""
    if call["id"] in run.journal.finished:
        for plugin in around(run.from_within):
            plugin.after_call(call, answer)


def around(from_within: List[Plugin]) -> List[Plugin]:
    index = [isinstance(plugin, Writing) for plugin in from_within].index(True)
    return from_within[index + 1 :]
