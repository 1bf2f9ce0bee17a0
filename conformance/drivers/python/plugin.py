"""The points of a run at which a feature may do something: what stands around the loop has this one shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional

from result import Ending

if TYPE_CHECKING:
    from agent_loop import Run

Json = Dict[str, Any]


class Plugin:
    """Does nothing at any point. What it remembers from one point to the next stands in the state of the run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def begin(self) -> Optional[Ending]:
        """The run has begun."""

    def begin_again(self) -> None:
        """The run goes on where it was suspended."""

    def heard(self, messages: List[Json]) -> Optional[Ending]:
        """A user has said this, before the first turn or while the run was under way."""

    def before_turn(self) -> Optional[Ending]:
        """Between two turns: no limit is reached, and the model is about to be called."""

    def turn_started(self) -> None:
        """A turn has begun."""

    def after_model(self, messages: List[Json]) -> Optional[Ending]:
        """The messages of a response are there, and not stored yet."""

    def before_call(self, call: Json, changed: Json) -> Json:
        """A call is valid. Returns other arguments for it, as `input`, or a decision that answers it."""
        return changed

    def before_resumed_call(self, call: Json, decision: Json) -> Json:
        """A call of a resumed run is about to be executed. Returns the decision about it."""
        return decision

    def before_batch(self, calls: List[Json]) -> Optional[Ending]:
        """These calls are about to be executed, with these arguments; none is where the run ends here."""

    def after_call(self, call: Json, answer: Json) -> None:
        """A tool has answered: `answer` is what the snapshot would have of it (ExecutedCall)."""

    def before_results(self, calls: List[Json], answers: List[Json]) -> None:
        """Every call of a batch has its answer, and no result is stored yet."""

    def after_results(self, answers: List[Json]) -> Optional[Ending]:
        """The results of a batch are stored. Everybody is asked; the first ending counts."""

    def turn_ended(self) -> None:
        """A turn has ended."""

    def before_end(self, ending: Ending) -> Optional[Ending]:
        """The run would end so. Returns how it ends, or None if it goes on."""
        return ending

    def before_compaction(self, compaction: Json) -> bool:
        """The session is about to be made smaller. Returns whether it may be now."""
        return True

    def after_compaction(self, compaction: Json) -> None:
        """The session has been made smaller."""

    def looks_at(self, point: str) -> bool:
        """Whether anybody looks at responses, or at the final text, who may refuse them."""
        return False

    def end(self, ending: Ending) -> None:
        """The run has ended."""
