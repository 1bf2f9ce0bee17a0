# A server that gives its calls the same id in every response makes the conversation unusable.
# Shows: SESSION-6, SESSION-9
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-6-the-same-id-in-every-response.py
# Seen with: anthropic json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, repeated_ids

play(agent_of, repeated_ids("anthropic"))
