# A call of a stream that never ended is executed.
# Shows: LOOP-19
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-19-a-call-of-a-lost-stream.py
# Seen with: gemini sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import lost_call, play

play(agent_of, lost_call("gemini"))
