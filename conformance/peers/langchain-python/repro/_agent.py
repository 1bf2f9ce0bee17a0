"""An agent of LangChain, as its documentation says: a checkpointer keeps the conversation."""

from typing import Any

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    def tool_of(tool: Any) -> StructuredTool:
        async def execute(**arguments: object) -> str:
            return await tool.run(arguments)

        return StructuredTool(name=tool.name, description="A tool.", args_schema=tool.schema, coroutine=execute)

    access = {"base_url": url, "api_key": "any", "max_retries": 0, "streaming": stream}
    if api == "anthropic-messages":
        model: Any = ChatAnthropic(model="claude-sonnet-4-5", **access)
    else:
        model = ChatOpenAI(model="gpt-5", use_responses_api=api == "openai-responses", **access)
    agent = create_agent(model, [tool_of(tool) for tool in tools], checkpointer=InMemorySaver())
    steps = {"recursion_limit": 2 * limit} if limit else {}

    async def say(text: str) -> dict[str, Any]:
        asked = {"messages": [{"role": "user", "content": text}]}
        answer = (await agent.ainvoke(asked, {"configurable": {"thread_id": "1"}, **steps}))["messages"][-1]
        told = answer.response_metadata
        reason = told.get("stop_reason") or told.get("finish_reason") or told.get("incomplete_details")
        refused = answer.additional_kwargs.get("refusal") or '"refusal"' in str(answer.content).replace("'", '"')
        return {"text": answer.text, "stop": "refusal" if refused else reason}

    return say
