# Arguments that are no whole JSON are mended, and the tool is executed with them.
# Shows: TOOL-3
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-3-arguments-that-were-cut-off-are-executed.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from anthropic import AsyncAnthropic, beta_async_tool

provider = Provider(answer("", call("delete_files", '{"path": "/ho', "c1"), reason="tool_use"))
done: list[str] = []


async def delete_files(path: str = "everything") -> str:
    """Deletes files."""
    done.append(f"delete_files({path!r})")
    return "deleted"


client = AsyncAnthropic(base_url=provider.url, api_key="any", max_retries=0)
tools = [beta_async_tool(each) for each in [delete_files]]
thread = client.beta.messages.thread(model="claude-sonnet-4-5", max_tokens=99, tools=tools)


async def say(text: str) -> str:
    thread.append({"role": "user", "content": text})
    last = await thread.tool_runner(stream=True).until_done()
    return "".join(block.text for block in last.content if block.type == "text")


async def main() -> None:
    try:
        said = repr(await asyncio.wait_for(say("Go on."), 60))
    except Exception as error:
        said = type(error).__name__
    verdict(bool(done), f"the model wrote {{\"path\": \"/ho, and no more; executed: {done or 'nothing'}; the caller was told {said}")


asyncio.run(main())
