# A fraction with more digits than a double has goes back as another one.
# Shows: PROVIDER-35
# Run it in the folder of the driver: .venv/bin/python repro/PROVIDER-35-a-long-fraction.py
# Seen with: anthropic json and sse; chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import goes_back, play

play(agent_of, goes_back("chat", '{"amount": 0.12345678901234567891}', "0.12345678901234567891"))
