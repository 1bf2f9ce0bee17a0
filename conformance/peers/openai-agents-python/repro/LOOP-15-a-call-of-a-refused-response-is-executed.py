# A call of a response that was refused or filtered is executed.
# Shows: LOOP-15
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-15-a-call-of-a-refused-response-is-executed.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, SQLiteSession, function_tool
from openai import AsyncOpenAI

provider = Provider(answer("", call("delete_files", '{"path": "/x"}', "c1"), reason="refusal"))
done: list[str] = []


async def delete_files(path: str = "everything") -> str:
    """Deletes files."""
    done.append(f"delete_files({path!r})")
    return "deleted"


client = AsyncOpenAI(base_url=provider.url, api_key="any", max_retries=0)
tools = [function_tool(each, strict_mode=False) for each in [delete_files]]
agent = Agent(name="agent", model=OpenAIChatCompletionsModel("gpt-5", client), tools=tools)
session = SQLiteSession("session")
quiet = RunConfig(tracing_disabled=True)


async def say(text: str) -> str:
    result = await Runner.run(agent, text, session=session, run_config=quiet)
    return str(result.final_output)


async def main() -> None:
    try:
        said = repr(await asyncio.wait_for(say("Go on."), 60))
    except Exception as error:
        said = type(error).__name__
    verdict(bool(done), f"the answer was refused or filtered; executed: {done or 'nothing'}; the caller was told {said}")


asyncio.run(main())
