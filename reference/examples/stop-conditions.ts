// Reasons to end a run after a batch: built-in conditions, a custom one, and a tool with a final result.

import { agentLoop, defineTool, initSession, type InvokeModel, type RunSetup } from "../index.ts";

// A scripted model that repeats the same call.
const call = { type: "tool_call" as const, id: "", name: "look", input: { at: "the door" } };
const messages = [{ role: "assistant" as const, content: "I will look again." }, call];
const invokeModel: InvokeModel = async () => ({ messages, stop_reason: "tool_use" });
const look = (final: boolean) =>
  defineTool({ name: "look", input_schema: { type: "object" }, execute: () => ({ output: "closed", final }) });

const ways: Partial<RunSetup>[] = [
  { options: { stop_when: [{ tool_called: "look" }] } },
  { options: { stop_when: [{ text_contains: "again", name: "said_again" }] } },
  { options: { stop_when: [{ same_call: 3 }] } },
  { options: { stop_when: [{ no_progress: 3 }] } },
  { stopWhen: [{ name: "long_session", holds: ({ session }) => session.messages.length > 12 }] },
  { tools: [look(true)] },
];
for (const way of ways) {
  const session = initSession({ id: "door", user: "Is the door open?" });
  const provider = { name: "scripted", invokeModel };
  const { status, stop_condition, turns } = await agentLoop({ provider, tools: [look(false)], session, ...way }).result;
  console.log(`${status}: ${stop_condition}, turn ${turns}`);
}
