# A cancel forgets what a tool had already done.
# Shows: SESSION-27
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-27-a-cancel-forgets-a-result.py
# Seen with: gemini json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import forgotten_by_cancel, play

play(agent_of, forgotten_by_cancel("gemini"))
