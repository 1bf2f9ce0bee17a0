# When the model fails, what the user had said is forgotten.
# Shows: SESSION-30
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-30-a-failure-forgets-the-user.py
# Seen with: anthropic json and sse; chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import forgotten_words, play

play(agent_of, forgotten_words("anthropic"))
