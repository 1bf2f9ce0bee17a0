# After a response of nothing but thinking the provider refuses every further message.
# Shows: SESSION-28
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-28-next-message-after-thinking.py
# Seen with: anthropic json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import next_after_thinking, play

play(agent_of, next_after_thinking("anthropic", stream=True))
