# A server that gives its calls the same ids in every response makes the conversation unusable.
# Shows: SESSION-9, SESSION-6
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-9-the-same-id-in-every-response.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_anthropic import ChatAnthropic
from langgraph.checkpoint.memory import InMemorySaver

provider = Provider(answer("", call("note", '{"x": "1"}', "call_0")), answer("", call("note", '{"x": "2"}', "call_0")))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


model = ChatAnthropic(model="claude-sonnet-4-5", base_url=provider.url, api_key="any", max_retries=0, streaming=False)
agent = create_agent(model, [tool(each) for each in [note]], checkpointer=InMemorySaver())


async def say(text: str) -> str:
    asked = {"messages": [{"role": "user", "content": text}]}
    state = await agent.ainvoke(asked, {"configurable": {"thread_id": "thread"}})
    return state["messages"][-1].text


async def main() -> None:
    try:
        said = repr(await say("Go on."))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:120]
    why = provider.refuses()
    what = f"executed: {done}, the caller was told {said}, and the provider refuses the last request for: {why}"
    verdict(why is not None or len(done) < 2, f"a server gave every call the id call_0; {what}")


asyncio.run(main())
