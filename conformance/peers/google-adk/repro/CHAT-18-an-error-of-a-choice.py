# A choice that says that it failed is told as an answer.
# Shows: CHAT-18
# Run it in the folder of the driver: .venv/bin/python repro/CHAT-18-an-error-of-a-choice.py
# Seen with: chat sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import error_of_a_choice, play

play(agent_of, error_of_a_choice())
