# A stream that ended before its last events is told as a whole answer.
# Shows: LOOP-18, PROVIDER-22, CHAT-17
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-half-an-answer-is-told-as-a-whole-one.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = Provider(answer("Half of an", is_cut=True))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


model = OpenAIChatModel("gpt-5", provider=OpenAIProvider(api_key="any", base_url=provider.url))
agent = Agent(model, tools=[note])
kept: list = []


async def say(text: str) -> str:
    with capture_run_messages() as messages:
        try:
            async with agent.run_stream_events(text, message_history=list(kept)) as events:
                return [event async for event in events][-1].result.output
        finally:
            kept[:] = messages


async def main() -> None:
    try:
        said = await asyncio.wait_for(say("Go on."), 60)
    except Exception as error:
        verdict(False, f"the caller was told of the lost stream: {type(error).__name__}")
    verdict(said.strip() == "Half of an", f"the stream ended before its answer did, and the caller was told: {said!r}")


asyncio.run(main())
