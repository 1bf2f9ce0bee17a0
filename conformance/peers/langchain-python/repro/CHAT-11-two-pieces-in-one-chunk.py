# Two pieces of one call in one chunk are taken for two calls.
# Shows: CHAT-11
# Run it in the folder of the driver: .venv/bin/python repro/CHAT-11-two-pieces-in-one-chunk.py
# Seen with: chat sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, two_pieces

play(agent_of, two_pieces())
