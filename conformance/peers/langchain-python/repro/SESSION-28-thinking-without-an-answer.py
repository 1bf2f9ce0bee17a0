# A response of nothing but thinking makes the provider refuse the conversation.
# Shows: SESSION-28
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-28-thinking-without-an-answer.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_anthropic import ChatAnthropic
from langgraph.checkpoint.memory import InMemorySaver

provider = Provider(answer(thinking="I think", reason="max_tokens"))
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
    for text in ("Go on.", "And now?"):
        try:
            await say(text)
        except Exception as error:
            print(f"raised {type(error).__name__}", file=sys.stderr)
    why = provider.refuses()
    verdict(why is not None, f"the limit was spent on thinking; the provider refuses the request with the next message: {why}")


asyncio.run(main())
