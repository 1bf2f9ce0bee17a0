# A response of nothing but thinking makes the provider refuse the conversation.
# Shows: SESSION-28
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-28-thinking-without-an-answer.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

provider = Provider(answer(thinking="I think", reason="max_tokens"))
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
    for text in ("Go on.", "And now?"):
        try:
            await say(text)
        except Exception as error:
            print(f"raised {type(error).__name__}", file=sys.stderr)
    why = provider.refuses()
    verdict(why is not None, f"the limit was spent on thinking; the provider refuses the request with the next message: {why}")


asyncio.run(main())
