# Of two calls with one id the first is never executed.
# Shows: SESSION-9
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-9-two-calls-with-one-id.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from smolagents import OpenAIModel, ToolCallingAgent, tool

both = answer("", call("note", '{"x": "1"}', "call_0"), call("note", '{"x": "2"}', "call_0"))
provider = Provider(both, answer("", call("final_answer", '{"answer": "ok"}')))
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
agent.run("Go on.")
verdict(len(done) < 2, f"the model made two calls with the id call_0; executed: {done}")
