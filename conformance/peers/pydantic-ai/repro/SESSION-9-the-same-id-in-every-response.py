# A server that gives its calls the same ids in every response makes the conversation unusable.
# Shows: SESSION-9, SESSION-6
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-9-the-same-id-in-every-response.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

provider = Provider(answer("", call("note", '{"x": "1"}', "call_0")), answer("", call("note", '{"x": "2"}', "call_0")))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


model = AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(api_key="any", base_url=provider.url))
agent = Agent(model, tools=[note])
kept: list = []


async def say(text: str) -> str:
    with capture_run_messages() as messages:
        try:
            result = await agent.run(text, message_history=list(kept))
            return result.output
        finally:
            kept[:] = messages


async def main() -> None:
    try:
        said = repr(await say("Go on."))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:120]
    why = provider.refuses()
    what = f"executed: {done}, the caller was told {said}, and the provider refuses the last request for: {why}"
    verdict(why is not None or len(done) < 2, f"a server gave every call the id call_0; {what}")


asyncio.run(main())
