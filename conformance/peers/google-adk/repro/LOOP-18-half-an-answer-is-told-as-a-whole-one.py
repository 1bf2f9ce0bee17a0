# A stream that ended before its last events is told as a whole answer.
# Shows: LOOP-18, PROVIDER-22, CHAT-17
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-half-an-answer-is-told-as-a-whole-one.py

import asyncio
import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
import litellm
from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai import types

provider = Provider(answer("Half of an", is_cut=True))
done: list[str] = []


async def note(x: str = "") -> str:
    """Notes something."""
    done.append(f"note({x!r})")
    return "noted"


litellm.suppress_debug_info = True
model = LiteLlm(model="openai/gpt-5", api_base=provider.url, api_key="any", max_retries=0)
runner = InMemoryRunner(LlmAgent(name="agent", model=model, tools=[note]), app_name="app")
runner.auto_create_session = True
config = RunConfig(streaming_mode=StreamingMode.SSE)


async def say(text: str) -> str:
    asked = types.Content(role="user", parts=[types.Part(text=text)])
    async for event in runner.run_async(user_id="u", session_id="s", new_message=asked, run_config=config):
        last = event
    if last.error_code:
        raise RuntimeError(last.error_code)
    return "".join(part.text or "" for part in last.content.parts) if last.content else ""


async def main() -> None:
    try:
        said = await asyncio.wait_for(say("Go on."), 60)
    except Exception as error:
        verdict(False, f"the caller was told of the lost stream: {type(error).__name__}")
    verdict(said.strip() == "Half of an", f"the stream ended before its answer did, and the caller was told: {said!r}")


asyncio.run(main())
