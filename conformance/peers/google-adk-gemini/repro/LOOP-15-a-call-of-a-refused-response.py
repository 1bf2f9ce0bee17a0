# A call of a response that was refused or filtered is executed.
# Shows: LOOP-15
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-15-a-call-of-a-refused-response.py
# Seen with: gemini json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import call_beside, play

play(agent_of, call_beside("gemini", "refusal"))
