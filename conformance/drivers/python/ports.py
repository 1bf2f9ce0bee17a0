"""All that the loop needs of the world."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional

from clock import Clock

if TYPE_CHECKING:
    from guardrails import Guardrail
    from hooks import Hook
    from journal import Store

Json = Dict[str, Any]
InvokeModel = Callable[[Json, Callable[[Json], None], Json], Json]
ExecuteTool = Callable[[Json, Json], Json]


@dataclass
class Ports:
    # (request, listen, bounds) -> response. A provider that fails is a response with an error, never an exception.
    # Whatever is listened to while the model speaks (stream events, warnings) becomes an event of the run; a listener that
    # raises Enough needs no more of the answer. Of the bounds, an adapter keeps line_bytes and body_bytes.
    invoke_model: InvokeModel
    # (call, context variables) -> {"output"?, "data"?, "is_error"?, "final"?, "context_updates"?, "handoff"?}. What the
    # tool raises becomes its result.
    execute_tool: ExecuteTool
    emit: Callable[[Json], None]
    clock: Clock = field(default_factory=Clock)
    # A number from 0 to 1, by which waits are shortened.
    random: Callable[[], float] = random.random
    hooks: List[Hook] = field(default_factory=list)
    guardrails: List[Guardrail] = field(default_factory=list)
    # What somebody says to the run while it is under way, oldest first; the loop takes it out.
    inbox: List[str] = field(default_factory=list)
    # Whether somebody has asked the run to end after its turn.
    asked_to_stop: Callable[[], bool] = lambda: False
    # Where the run is written down, so that another process can go on with it. None: nowhere.
    journal: Optional[Store] = None
