# A call of a stream that ended before its last events is executed.
# Shows: LOOP-19
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-19-a-call-of-a-lost-stream-is-executed.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.openai import OpenAIChat

provider = Provider(answer("", call("delete_files", '{"path": "/tmp/x"}'), is_cut=True))
done: list[str] = []


async def delete_files(path: str = "everything") -> str:
    """Deletes files."""
    done.append(f"delete_files({path!r})")
    return "deleted"


model = OpenAIChat(id="gpt-5", api_key="any", base_url=provider.url, max_retries=0)
history = {"db": InMemoryDb(), "add_history_to_context": True}
agent = Agent(model=model, tools=[delete_files], telemetry=False, **history)


async def say(text: str) -> str:
    async for event in agent.arun(text, session_id="s", stream=True, yield_run_output=True):
        result = event
    if result.status.value != "COMPLETED":
        raise RuntimeError(str(result.content))
    return str(result.content)


async def main() -> None:
    try:
        said = repr(await asyncio.wait_for(say("Go on."), 60))
    except Exception as error:
        said = f"{type(error).__name__}"
    verdict(
        bool(done), f"the stream ended before its answer did; executed: {done or 'nothing'}; the caller was told {said}"
    )


asyncio.run(main())
