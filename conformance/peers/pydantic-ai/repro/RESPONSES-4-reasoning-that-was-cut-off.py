# Reasoning that was cut off goes back, without what followed it.
# Shows: RESPONSES-4, RESPONSES-5
# Run it in the folder of the driver: .venv/bin/python repro/RESPONSES-4-reasoning-that-was-cut-off.py
# Seen with: responses sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import no_seal, play

play(agent_of, no_seal())
