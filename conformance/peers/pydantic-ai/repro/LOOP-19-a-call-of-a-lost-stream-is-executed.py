# A call of a stream that ended before its last events is executed.
# Shows: LOOP-19
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-19-a-call-of-a-lost-stream-is-executed.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = Provider(answer("", call("delete_files", '{"path": "/tmp/x"}'), is_cut=True))
done: list[str] = []


async def delete_files(path: str = "everything") -> str:
    """Deletes files."""
    done.append(f"delete_files({path!r})")
    return "deleted"


model = OpenAIChatModel("gpt-5", provider=OpenAIProvider(api_key="any", base_url=provider.url))
agent = Agent(model, tools=[delete_files])
kept: list = []


async def say(text: str) -> str:
    with capture_run_messages() as messages:
        try:
            async with agent.run_stream_events(text, message_history=list(kept)) as events:
                return [event async for event in events][-1].result.output
        finally:
            kept[:] = messages


async def main() -> None:
    try:
        said = repr(await asyncio.wait_for(say("Go on."), 60))
    except Exception as error:
        said = f"{type(error).__name__}"
    verdict(
        bool(done), f"the stream ended before its answer did; executed: {done or 'nothing'}; the caller was told {said}"
    )


asyncio.run(main())
