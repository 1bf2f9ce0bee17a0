# Two calls under one index, told apart by their ids, become one, and neither is executed.
# Shows: CHAT-11
# Run it in the folder of the driver: .venv/bin/python repro/CHAT-11-the-same-index-with-another-id.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, same_index

play(agent_of, same_index())
