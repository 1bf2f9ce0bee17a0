# An empty text beside a call goes back, and the provider refuses it.
# Shows: ANTHROPIC-8
# Run it in the folder of the driver: .venv/bin/python repro/ANTHROPIC-8-an-empty-text-goes-back.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import empty_text, play

play(agent_of, empty_text())
