# A model that has ended without a word, after a tool, is asked again.
# Shows: LOOP-21
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-21-an-empty-reply-is-asked-again.py
# Seen with: anthropic json and sse; chat json and sse; responses json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import empty_reply, play

play(agent_of, empty_reply("anthropic"))
