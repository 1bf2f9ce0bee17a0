# After a cancel the result of a tool that had ended is lost, or the conversation is refused.
# Shows: SESSION-27
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-27-a-cancel-loses-what-was-done.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, SQLiteSession, function_tool
from openai import AsyncOpenAI

provider = Provider(answer("", call("note", '{"x": "1"}', "c1"), call("slow", "{}", "c2")))
done: list[str] = []
started = asyncio.Event()


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


async def slow() -> str:
    """Takes long."""
    started.set()
    await asyncio.sleep(30)
    return "slept"


client = AsyncOpenAI(base_url=provider.url, api_key="any", max_retries=0)
tools = [function_tool(each, strict_mode=False) for each in [note, slow]]
agent = Agent(name="agent", model=OpenAIChatCompletionsModel("gpt-5", client), tools=tools)
session = SQLiteSession("session")
quiet = RunConfig(tracing_disabled=True)


async def say(text: str) -> str:
    result = await Runner.run(agent, text, session=session, run_config=quiet)
    return str(result.final_output)


async def main() -> None:
    task = asyncio.create_task(say("Go on."))
    await asyncio.wait_for(started.wait(), 30)
    await asyncio.sleep(0.3)
    task.cancel()
    await asyncio.wait([task])
    try:
        await say("And now?")
    except Exception as error:
        print(f"raised {type(error).__name__}", file=sys.stderr)
    why = provider.refuses()
    is_kept = "noted" in str(provider.requests[-1]["messages"])
    what = f"executed: {done}; its result is {'in' if is_kept else 'not in'} the request with the next message"
    verdict(why is not None or not is_kept, f"a run was cancelled; {what}; the provider refuses it for: {why}")


asyncio.run(main())
