# A server that gives its calls the same ids in every response makes the conversation unusable.
# Shows: SESSION-9, SESSION-6
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-9-the-same-id-in-every-response.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from strands import Agent, tool
from strands.models.anthropic import AnthropicModel

provider = Provider(answer("", call("note", '{"x": "1"}', "call_0")), answer("", call("note", '{"x": "2"}', "call_0")))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


access = {"base_url": provider.url, "api_key": "any", "max_retries": 0}
model = AnthropicModel(client_args=access, model_id="claude-sonnet-4-5", max_tokens=99)
agent = Agent(model=model, tools=[tool(each) for each in [note]], callback_handler=None)


async def say(text: str) -> str:
    return str(await agent.invoke_async(text))


async def main() -> None:
    try:
        said = repr(await say("Go on."))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:120]
    why = provider.refuses()
    what = f"executed: {done}, the caller was told {said}, and the provider refuses the last request for: {why}"
    verdict(why is not None or len(done) < 2, f"a server gave every call the id call_0; {what}")


asyncio.run(main())
