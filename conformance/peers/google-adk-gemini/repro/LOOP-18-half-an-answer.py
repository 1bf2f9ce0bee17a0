# A stream that ends before its answer does is told as a whole answer.
# Shows: LOOP-18, PROVIDER-22
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-half-an-answer.py
# Seen with: gemini sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import lost_text, play

play(agent_of, lost_text("gemini"))
