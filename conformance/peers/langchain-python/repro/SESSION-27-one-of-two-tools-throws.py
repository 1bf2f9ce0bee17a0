# When one of two tools throws, the result of the other one is lost.
# Shows: SESSION-27
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-27-one-of-two-tools-throws.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

provider = Provider(answer("", call("note", '{"x": "1"}', "c1"), call("boom", "{}", "c2")))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


async def boom() -> str:
    """Fails."""
    raise RuntimeError("it broke")


model = ChatOpenAI(model="gpt-5", base_url=provider.url, api_key="any", max_retries=0, streaming=False)
agent = create_agent(model, [tool(each) for each in [note, boom]], checkpointer=InMemorySaver())


async def say(text: str) -> str:
    asked = {"messages": [{"role": "user", "content": text}]}
    state = await agent.ainvoke(asked, {"configurable": {"thread_id": "thread"}})
    return state["messages"][-1].text


async def main() -> None:
    for text in ("Go on.", "And now?"):
        try:
            await say(text)
        except Exception as error:
            print(f"raised {type(error).__name__}", file=sys.stderr)
    is_kept = "noted" in str(provider.requests[-1]["messages"])
    what = "in" if is_kept else "not in"
    verdict(
        bool(done) and not is_kept,
        f"one of two tools threw; executed: {done}; its result is {what} the request with the next message",
    )


asyncio.run(main())
