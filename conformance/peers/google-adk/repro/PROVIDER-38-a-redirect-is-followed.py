# A redirect to another origin is followed.
# Shows: PROVIDER-38
# Run it in the folder of the driver: .venv/bin/python repro/PROVIDER-38-a-redirect-is-followed.py
# Seen with: anthropic json and sse; chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import elsewhere, play

play(agent_of, elsewhere("anthropic"))
