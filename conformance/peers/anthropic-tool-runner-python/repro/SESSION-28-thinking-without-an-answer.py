# A response of nothing but thinking makes the provider refuse the conversation.
# Shows: SESSION-28
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-28-thinking-without-an-answer.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from anthropic import AsyncAnthropic, beta_async_tool

provider = Provider(answer(thinking="I think", reason="max_tokens"))
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
    last = await thread.tool_runner().until_done()
    return "".join(block.text for block in last.content if block.type == "text")


async def main() -> None:
    for text in ("Go on.", "And now?"):
        try:
            await say(text)
        except Exception as error:
            print(f"raised {type(error).__name__}", file=sys.stderr)
    why = provider.refuses()
    verdict(why is not None, f"the limit was spent on thinking; the provider refuses the request with the next message: {why}")


asyncio.run(main())
