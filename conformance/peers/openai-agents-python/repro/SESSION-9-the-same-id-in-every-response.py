# A server that gives its calls the same ids in every response makes the conversation unusable.
# Shows: SESSION-9
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-9-the-same-id-in-every-response.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, SQLiteSession, function_tool
from openai import AsyncOpenAI

provider = Provider(answer("", call("note", '{"x": "1"}', "call_0")), answer("", call("note", '{"x": "2"}', "call_0")))
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
    result = await Runner.run(agent, text, session=session, run_config=quiet)
    return str(result.final_output)


async def main() -> None:
    try:
        said = repr(await say("Go on."))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:120]
    why = provider.refuses()
    what = f"executed: {done}, the caller was told {said}, and the provider refuses the last request for: {why}"
    verdict(why is not None or len(done) < 2, f"a server gave every call the id call_0; {what}")


asyncio.run(main())
