# A call of a stream that ended before its last events is executed.
# Shows: LOOP-19
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-19-a-call-of-a-lost-stream-is-executed.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, SQLiteSession, function_tool
from openai import AsyncOpenAI

provider = Provider(answer("", call("delete_files", '{"path": "/tmp/x"}'), is_cut=True))
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
    result = Runner.run_streamed(agent, text, session=session, run_config=quiet)
    async for _ in result.stream_events():
        pass
    return str(result.final_output)


async def main() -> None:
    try:
        said = repr(await asyncio.wait_for(say("Go on."), 60))
    except Exception as error:
        said = f"{type(error).__name__}"
    verdict(
        bool(done), f"the stream ended before its answer did; executed: {done or 'nothing'}; the caller was told {said}"
    )


asyncio.run(main())
