"""An agent of Microsoft's Agent Framework, as its documentation says: a session keeps the conversation."""

from typing import Any

from agent_framework import Agent, FunctionTool
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient
from openai import AsyncOpenAI


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    def tool_of(tool: Any) -> FunctionTool:
        async def execute(**arguments: object) -> str:
            return await tool.run(arguments)

        return FunctionTool(name=tool.name, func=execute, input_model=tool.schema, approval_mode="never_require")

    kind = OpenAIChatCompletionClient if api == "openai-chat" else OpenAIChatClient
    client = kind("gpt-5", async_client=AsyncOpenAI(api_key="any", base_url=url, max_retries=0))
    options: dict[str, Any] = {"store": False} if api == "openai-responses" else {}
    agent = Agent(client, name="agent", tools=[tool_of(tool) for tool in tools], default_options=options)
    session = agent.create_session()
    if limit:
        client.function_invocation_configuration["max_iterations"] = limit

    async def say(text: str) -> dict[str, Any]:
        if stream:
            answer = await agent.run(text, stream=True, session=session).get_final_response()
        else:
            answer = await agent.run(text, session=session)
        return {"text": answer.text, "stop": answer.finish_reason}

    return say
