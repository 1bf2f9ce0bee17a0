# An answer that the token limit cut off is told as a whole one.
# Shows: LOOP-27
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-27-a-cut-off-answer-is-a-whole-one.py
# Seen with: chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import cut_text, play

play(agent_of, cut_text("chat"))
