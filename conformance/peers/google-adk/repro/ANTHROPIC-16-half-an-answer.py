# A stream that ends before its answer does is told as a whole answer.
# Shows: ANTHROPIC-16
# Run it in the folder of the driver: .venv/bin/python repro/ANTHROPIC-16-half-an-answer.py
# Seen with: anthropic sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import lost_text, play

play(agent_of, lost_text("anthropic"))
