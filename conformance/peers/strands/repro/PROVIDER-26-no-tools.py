# An agent without tools sends an empty list of tools, which OpenAI refuses.
# Shows: PROVIDER-26, SESSION-28
# Run it in the folder of the driver: .venv/bin/python repro/PROVIDER-26-no-tools.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from strands import Agent, tool
from strands.models.openai import OpenAIModel

provider = Provider(answer("ok"))

access = {"base_url": provider.url, "api_key": "any", "max_retries": 0}
model = OpenAIModel(client_args=access, model_id="gpt-5")
agent = Agent(model=model, tools=[tool(each) for each in []], callback_handler=None)


async def say(text: str) -> str:
    return str(await agent.invoke_async(text))


async def main() -> None:
    await say("Go on.")
    tools = provider.requests[-1].get("tools")
    verdict(tools == [], f"an agent without tools sends tools: {tools}")


asyncio.run(main())
