# After a tool that threw the provider refuses the conversation.
# Shows: SESSION-28
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-28-a-tool-that-throws.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

provider = Provider(answer("", call("boom")))


async def boom() -> str:
    """Fails."""
    raise RuntimeError("it broke")


model = ChatOpenAI(model="gpt-5", base_url=provider.url, api_key="any", max_retries=0, streaming=False)
agent = create_agent(model, [tool(each) for each in [boom]], checkpointer=InMemorySaver())


async def say(text: str) -> str:
    asked = {"messages": [{"role": "user", "content": text}]}
    state = await agent.ainvoke(asked, {"configurable": {"thread_id": "thread"}})
    return state["messages"][-1].text


async def main() -> None:
    try:
        await say("Go on.")
    except Exception as error:
        print(f"raised {type(error).__name__}", file=sys.stderr)
    try:
        await say("And now?")
    except Exception as error:
        print(f"raised {type(error).__name__}", file=sys.stderr)
    why = provider.refuses()
    verdict(why is not None, f"a tool threw; the provider refuses the request with the next message: {why}")


asyncio.run(main())
