"""Context variables: what tools read and change, and the model never sees."""

from __future__ import annotations

import copy
from typing import Any, Dict, List, Optional

from plugin import Plugin
from result import Ending

Json = Dict[str, Any]


def seen(state: Json) -> Json:
    """The variables for one tool: what it does to them is seen by nobody [TOOL-35]."""
    variables: Json = copy.deepcopy(state.get("context", {}))
    return variables


class Context(Plugin):
    """Changes the variables when a batch is done; all its tools have read them as they were before [TOOL-32]."""

    def after_results(self, answers: List[Json]) -> Optional[Ending]:
        for answer in answers:
            if "context_updates" in answer:
                updates = copy.deepcopy(answer["context_updates"])
                self.run.state["context"] = {**self.run.state.get("context", {}), **updates}  # [TOOL-33]
        return None
