# A chunk without a delta is left out, and with it that the answer was cut off.
# Shows: LOOP-27
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-27-a-null-delta.py
# Seen with: chat sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import null_delta, play

play(agent_of, null_delta())
