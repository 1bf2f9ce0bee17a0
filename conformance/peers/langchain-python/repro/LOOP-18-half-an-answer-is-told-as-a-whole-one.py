# A stream that ended before its last events is told as a whole answer.
# Shows: LOOP-18, PROVIDER-22, CHAT-17
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-half-an-answer-is-told-as-a-whole-one.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

provider = Provider(answer("Half of an", is_cut=True))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


model = ChatOpenAI(model="gpt-5", base_url=provider.url, api_key="any", max_retries=0, streaming=True)
agent = create_agent(model, [tool(each) for each in [note]], checkpointer=InMemorySaver())


async def say(text: str) -> str:
    asked = {"messages": [{"role": "user", "content": text}]}
    state = await agent.ainvoke(asked, {"configurable": {"thread_id": "thread"}})
    return state["messages"][-1].text


async def main() -> None:
    try:
        said = await asyncio.wait_for(say("Go on."), 60)
    except Exception as error:
        verdict(False, f"the caller was told of the lost stream: {type(error).__name__}")
    verdict(said.strip() == "Half of an", f"the stream ended before its answer did, and the caller was told: {said!r}")


asyncio.run(main())
