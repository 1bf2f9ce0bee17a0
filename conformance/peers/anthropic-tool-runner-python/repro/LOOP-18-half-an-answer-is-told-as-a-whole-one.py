# A stream that ended before its last events is told as a whole answer.
# Shows: LOOP-18, PROVIDER-22, ANTHROPIC-16
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-half-an-answer-is-told-as-a-whole-one.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from anthropic import AsyncAnthropic, beta_async_tool

provider = Provider(answer("Half of an", is_cut=True))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


client = AsyncAnthropic(base_url=provider.url, api_key="any", max_retries=0)
tools = [beta_async_tool(each) for each in [note]]
thread = client.beta.messages.thread(model="claude-sonnet-4-5", max_tokens=99, tools=tools)


async def say(text: str) -> str:
    thread.append({"role": "user", "content": text})
    last = await thread.tool_runner(stream=True).until_done()
    return "".join(block.text for block in last.content if block.type == "text")


async def main() -> None:
    try:
        said = await asyncio.wait_for(say("Go on."), 60)
    except Exception as error:
        verdict(False, f"the caller was told of the lost stream: {type(error).__name__}")
    verdict(said.strip() == "Half of an", f"the stream ended before its answer did, and the caller was told: {said!r}")


asyncio.run(main())
