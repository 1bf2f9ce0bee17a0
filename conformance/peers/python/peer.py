"""What the drivers of Python frameworks share: conversations by run, cancelled tasks, a word for what is raised."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Any

from kit import execute_tool, serve

Say = Callable[[str], Awaitable["str | dict[str, str]"]]


class Conversation:
    """What the kit gave to a conversation with its first run. A driver keeps its framework's agent beside it."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.tools: list[dict[str, Any]] = params["tools"]
        self.instructions: str | None = params.get("instructions")
        self.limit: int | None = params.get("limit")
        self.model: dict[str, str] = params["model"]
        self.seam = self.model["seam"]
        self.access = {"base_url": self.model["base_url"], "api_key": self.model["api_key"], "max_retries": 0}
        self.is_streamed = self.model["transport"] == "sse"
        self.run: str = params["run"]

    async def execute(self, name: str, given: object) -> str:
        """Has the kit execute a tool, in the run that is under way. Throws what the tool throws."""
        return await execute_tool(self.run, name, given)

    def only(self, **settings: Any) -> dict[str, Any]:
        """The settings that the kit gave: those that are not None."""
        return {name: value for name, value in settings.items() if value is not None}


class Peer:
    """Plays the runs of the kit with a framework."""

    def __init__(self, begin: Callable[[Conversation], Say], endings: Mapping[Any, str]) -> None:
        self._begin = begin
        self._endings = endings
        self._conversations: dict[str, tuple[Conversation, Say]] = {}
        self._running: dict[str, asyncio.Task[Any]] = {}

    async def run(self, params: dict[str, Any]) -> dict[str, str]:
        """Says something to a conversation, and tells in one word how that ended for its caller."""
        run = params["run"]
        try:
            conversation, say = self._conversations[run] = self._conversation(params)
        except NotImplementedError as reason:
            return {"not_expressible": str(reason)}
        conversation.run = run
        self._running[run] = asyncio.ensure_future(_said(say, params["input"]))
        try:
            said = await self._running[run]
        except asyncio.CancelledError:
            return {"ended": "cancelled"}
        except BaseException as error:  # frameworks raise groups, too
            return {"ended": self._ending_of(error), "error": f"{type(error).__name__}: {error}"}
        return {"ended": "completed", "text": said} if isinstance(said, str) else said

    def cancel(self, params: dict[str, Any]) -> None:
        """Cancels as a program in Python does: by its task."""
        with contextlib.suppress(KeyError):
            self._running[params["run"]].cancel()

    def _conversation(self, params: dict[str, Any]) -> tuple[Conversation, Say]:
        if "after" in params:
            return self._conversations[params["after"]]
        conversation = Conversation(params)
        return conversation, self._begin(conversation)

    def _ending_of(self, error: BaseException) -> str:
        return next((ending for kind, ending in self._endings.items() if isinstance(error, kind)), "error")


async def _said(say: Say, text: str) -> str | dict[str, str]:
    return await say(text)


def serve_peer(
    name: str,
    begin: Callable[[Conversation], Say],
    *,
    package: str | None = None,
    models: Mapping[str, str],
    transports: tuple[str, ...] = ("json", "sse"),
    verbs: tuple[str, ...] = ("after", "cancel", "limit"),
    endings: Mapping[Any, str] | None = None,
) -> None:
    """Serves the kit.

    `begin` makes the framework's agent for a conversation, and returns what says something to it: a coroutine function
    that returns the final text, or `{"ended": …}` where the framework says that it is not whole. `models` names a model
    for each seam as it is called in real life; `endings` names the exceptions of the framework that are no error.
    """
    peer = Peer(begin, endings or {})
    initialize = {
        "protocol": 1,
        "implementation": {"name": name, "version": version(package or name), "language": "python"},
        "level": "wire",
        "seams": list(models),
        "transports": list(transports),
        "verbs": list(verbs),
        "models": dict(models),
        "concurrency": 4,
    }
    serve(
        {
            "initialize": lambda params: initialize,
            "run": peer.run,
            "cancel": peer.cancel,
            "shutdown": lambda params: {},
        }
    )
