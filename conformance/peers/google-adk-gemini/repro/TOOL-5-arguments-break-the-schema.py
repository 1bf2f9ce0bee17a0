# Arguments that break the schema, with which the tool was declared, are executed.
# Shows: TOOL-5
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-5-arguments-break-the-schema.py
# Seen with: gemini json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import broken_schema, play

play(agent_of, broken_schema("gemini"))
