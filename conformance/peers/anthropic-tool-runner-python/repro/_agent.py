"""The tool runner of Anthropic's SDK, as its documentation says: a thread keeps the conversation."""

from typing import Any

from anthropic import AsyncAnthropic, beta_async_tool


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    def tool_of(tool: Any) -> Any:
        async def execute(**arguments: object) -> str:
            return await tool.run(arguments)

        return beta_async_tool(execute, name=tool.name, description="A tool.", input_schema=tool.schema)

    client = AsyncAnthropic(api_key="any", base_url=url, max_retries=0)
    given = {"tools": [tool_of(tool) for tool in tools]} if tools else {}
    thread = client.beta.messages.thread(model="claude-sonnet-4-5", max_tokens=4096, **given)
    limits = ({"max_iterations": limit} if limit else {}) | ({"stream": True} if stream else {})

    async def say(text: str) -> dict[str, Any]:
        thread.append({"role": "user", "content": text})
        answer = await thread.tool_runner(**limits).until_done()
        return {
            "text": "".join(block.text for block in answer.content if block.type == "text"),
            "stop": answer.stop_reason,
        }

    return say
