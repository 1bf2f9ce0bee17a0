# Calls without ids get none, or the run fails.
# Shows: CHAT-7, SESSION-10
# Run it in the folder of the driver: .venv/bin/python repro/CHAT-7-calls-without-ids.py
# Seen with: chat sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import ids_missing, play

play(agent_of, ids_missing())
