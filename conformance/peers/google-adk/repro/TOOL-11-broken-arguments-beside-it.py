# A right call is not executed because the arguments of the one beside it are no JSON.
# Shows: TOOL-11
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-11-broken-arguments-beside-it.py
# Seen with: anthropic sse; chat sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, siblings

play(agent_of, siblings("anthropic", '{"at": "/e', stream=True))
