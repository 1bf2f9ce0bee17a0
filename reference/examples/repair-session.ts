// A broken history from another program: its problems, and a repair that reports each change.

import { checkSession, repairSession, type Session } from "../index.ts";

const broken: Session = {
  spec_version: "1.0",
  id: "broken",
  messages: [
    { role: "user", content: "What is the weather in Paris and in Rome?" },
    { type: "tool_call", id: "call_0", name: "get_weather", input: { city: "Paris" } },
    { type: "tool_call", id: "call_1", name: "get_weather", input: { city: "Rome" } },
    { type: "tool_result", id: "call_1", output: "24 °C" },
    { role: "assistant", content: "" },
    { type: "tool_result", id: "call_9", output: "lost" },
    { role: "user", content: "And now?" },
  ],
};
for (const { message } of checkSession(broken)) console.log("wrong:", message);
const { session, changes } = repairSession(broken);
for (const { message } of changes) console.log("changed:", message);
console.log("problems now:", checkSession(session, { toStart: true }).length);
