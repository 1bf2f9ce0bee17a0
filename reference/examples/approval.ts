// Permissions: a rule allows one command and denies another, and a person decides about the rest.

import { agentLoop, defineTool, initSession, type Approve, type ModelResponse } from "../index.ts";

const commands = ["git status", "git push", "rm -rf /"];
const messages = commands.map((command) => ({ type: "tool_call" as const, id: "", name: "bash", input: { command } }));
const answers: ModelResponse[] = [
  { messages, stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Two of three." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const annotations = { shell: true, subject: "command" };
const execute = async ({ command }: { command?: string }) => `ran ${command}`;
const bash = defineTool({ name: "bash", input_schema: { type: "object" }, annotations, execute });

const allow = { effect: "allow", match: "bash(git status)" } as const;
const deny = { effect: "deny", match: "bash(rm *)" } as const;
const options = { permissions: { rules: [allow, deny] } };
const approve: Approve = async () => ({ action: "approve", input: { command: "git push --dry-run" } });
const session = initSession({ id: "approval", user: "Publish it." });
const run = agentLoop({ provider, tools: [bash], options, approve, session });
for (const message of (await run.session).messages)
  if (message.type === "tool_result") console.log(message.outcome, message.output);
