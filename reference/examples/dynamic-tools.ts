// Tools that change from turn to turn: only the login is offered at first, and only the other tools after it.

import { agentLoop, defineTool, initSession, type MakeTools, type Provider } from "../index.ts";

const input_schema = { type: "object" } as const;
const logIn = defineTool({
  name: "log_in",
  input_schema,
  execute: () => ({ output: "Welcome.", context_updates: { user: "Ann" } }),
});
const pay = defineTool({ name: "pay", input_schema, execute: () => "Paid." });
const tools: MakeTools = ({ context }) => (context["user"] ? [pay] : [logIn]);
// A scripted model that tries to pay, then logs in, and then pays.
const wanted = ["pay", "log_in", "pay"];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ tools: offered }) {
    const name = wanted.shift();
    console.log(`offered: ${offered.map((tool) => tool.name).join()}; calls ${name ?? "nothing"}`);
    if (!name) return { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
    return { messages: [{ type: "tool_call", id: `c${wanted.length}`, name, input: {} }], stop_reason: "tool_use" };
  },
};
const session = initSession({ id: "shop", user: "Pay my bill." });
const run = agentLoop({ provider, tools, session, context: {} });
for await (const event of run)
  if (event.type === "message" && "output" in event.message) console.log(event.message.output);
