# Of two calls of a streamed response that have one id only the first is executed, and the other is forgotten.
# Shows: SESSION-9
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-9-the-same-id-in-one-response.py
# Seen with: gemini sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, repeated_ids

play(agent_of, repeated_ids("gemini", stream=True, in_one=True))
