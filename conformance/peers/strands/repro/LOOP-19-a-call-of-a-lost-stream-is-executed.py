# A call of a stream that ended before its last events is executed.
# Shows: LOOP-19
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-19-a-call-of-a-lost-stream-is-executed.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from strands import Agent, tool
from strands.models.openai import OpenAIModel

provider = Provider(answer("", call("delete_files", '{"path": "/tmp/x"}'), is_cut=True))
done: list[str] = []


async def delete_files(path: str = "everything") -> str:
    """Deletes files."""
    done.append(f"delete_files({path!r})")
    return "deleted"


access = {"base_url": provider.url, "api_key": "any", "max_retries": 0}
model = OpenAIModel(client_args=access, model_id="gpt-5")
agent = Agent(model=model, tools=[tool(each) for each in [delete_files]], callback_handler=None)


async def say(text: str) -> str:
    return str(await agent.invoke_async(text))


async def main() -> None:
    try:
        said = repr(await asyncio.wait_for(say("Go on."), 60))
    except Exception as error:
        said = f"{type(error).__name__}"
    verdict(
        bool(done), f"the stream ended before its answer did; executed: {done or 'nothing'}; the caller was told {said}"
    )


asyncio.run(main())
