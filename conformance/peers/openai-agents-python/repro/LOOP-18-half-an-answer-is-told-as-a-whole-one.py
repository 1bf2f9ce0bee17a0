# A stream that ended before its last events is told as a whole answer.
# Shows: LOOP-18, PROVIDER-22, CHAT-17
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-half-an-answer-is-told-as-a-whole-one.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, SQLiteSession, function_tool
from openai import AsyncOpenAI

provider = Provider(answer("Half of an", is_cut=True))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


client = AsyncOpenAI(base_url=provider.url, api_key="any", max_retries=0)
tools = [function_tool(each, strict_mode=False) for each in [note]]
agent = Agent(name="agent", model=OpenAIChatCompletionsModel("gpt-5", client), tools=tools)
session = SQLiteSession("session")
quiet = RunConfig(tracing_disabled=True)


async def say(text: str) -> str:
    result = Runner.run_streamed(agent, text, session=session, run_config=quiet)
    async for _ in result.stream_events():
        pass
    return str(result.final_output)


async def main() -> None:
    try:
        said = await asyncio.wait_for(say("Go on."), 60)
    except Exception as error:
        verdict(False, f"the caller was told of the lost stream: {type(error).__name__}")
    verdict(said.strip() == "Half of an", f"the stream ended before its answer did, and the caller was told: {said!r}")


asyncio.run(main())
