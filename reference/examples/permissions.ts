// The same three calls in every permission mode: what is executed, what is denied, and what waits for the caller.

import { agentLoop, defineTool, initSession, type ModelResponse, type Permissions } from "../index.ts";

const names = ["read_file", "edit_file", "shell"];
const annotations = [{ read_only: true }, { edits: true }, { subject: "command", shell: true }];
const tools = names.map((name, i) =>
  defineTool({ name, input_schema: { type: "object" }, annotations: annotations[i]!, execute: () => "done" }),
);
const rules: Permissions["rules"] = [{ effect: "deny", match: "shell(rm *)" }];

for (const mode of ["default", "accept_edits", "plan", "dont_ask", "bypass"] as const) {
  for (const name of names) {
    const call = { type: "tool_call" as const, id: "", name, input: { command: "rm -rf /" } };
    const answers: ModelResponse[] = [
      { messages: [call], stop_reason: "tool_use" },
      { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" },
    ];
    const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
    const session = initSession({ id: "files", user: "Tidy up." });
    const run = agentLoop({ provider, tools, options: { permissions: { mode, rules } }, session });
    const { steps, status } = await run.result;
    console.log(mode.padEnd(13), name.padEnd(10), steps[0]!.outcomes[0] ?? status);
  }
}
