# A call of a response that the token limit cut off is executed.
# Shows: LOOP-9
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-9-a-call-beside-the-token-limit.py
# Seen with: gemini json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import call_beside, play

play(agent_of, call_beside("gemini", "max_tokens"))
