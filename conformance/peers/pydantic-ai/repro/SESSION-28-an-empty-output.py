# A tool that says nothing makes the provider refuse the conversation.
# Shows: SESSION-28
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-28-an-empty-output.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

provider = Provider(answer("", call("empty")))


async def empty() -> str:
    """Says nothing."""
    return ""


model = AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(api_key="any", base_url=provider.url))
agent = Agent(model, tools=[empty])
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
        await say("Go on.")
    except Exception as error:
        print(f"raised {type(error).__name__}", file=sys.stderr)
    why = provider.refuses()
    verdict(why is not None, f"a tool said nothing; the provider refuses the next request: {why}")


asyncio.run(main())
