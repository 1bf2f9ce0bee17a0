# Arguments that are no JSON are handed to the tool as one text, and the tool is executed.
# Shows: TOOL-3
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-3-arguments-that-are-no-json-are-executed.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from smolagents import OpenAIModel, ToolCallingAgent, tool

provider = Provider(answer("", call("note", '{"x": "/et'), reason="max_tokens"), answer("", call("final_answer", '{"answer": "ok"}')))
done: list[str] = []


@tool
def note(x: str) -> str:
    """Notes something.

    Args:
        x: what
    """
    done.append(f"note({x!r})")
    return "noted"


model = OpenAIModel(model_id="gpt-4.1", api_base=provider.url, api_key="any", client_kwargs={"max_retries": 0})
agent = ToolCallingAgent([note], model, verbosity_level=0, max_steps=4)
agent.logger.level = -1
said = agent.run("Go on.")
verdict(bool(done), f'the model wrote {{"x": "/et and was cut off; executed: {done or "nothing"}; the caller was told {said!r}')
