// A final answer for programs: the text must match a JSON schema, and the model gets the errors until it does.

import { agentLoop, initSession, type Provider } from "../index.ts";

const answers = ["The sky is blue.", '{"color": "blue", "hex": "blue"}', '{"color": "blue", "hex": "#0000ff"}'];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages }) {
    console.log("the model reads:", JSON.stringify(messages.at(-1)));
    return { messages: [{ role: "assistant", content: answers.shift()! }], stop_reason: "end_turn" };
  },
};
const schema = {
  type: "object",
  properties: { color: { type: "string" }, hex: { type: "string", pattern: "^#[0-9a-f]{6}$" } },
  required: ["color", "hex"],
  additionalProperties: false,
};
const options = { output_format: { name: "color", schema }, max_structured_retries: 2 };
const run = agentLoop({ provider, options, session: initSession({ id: "sky", user: "What color is the sky?" }) });
const { status, turns, output } = await run.result;
console.log(`${status} after ${turns} turns:`, output);
