// Skills: a folder of texts. The instructions list one line of each, and a tool reads the whole text on demand.

import { readdir, readFile } from "node:fs/promises";
import { agentLoop, defineTool, type Message, type Provider } from "../index.ts";
import { promptLayers } from "../patterns/prompt-layers.ts";

const textOf = (name: string) => readFile(new URL(`skills/${name}.md`, import.meta.url), "utf8");
const files = (await readdir(new URL("skills/", import.meta.url))).sort();
const names = files.map((file) => file.replace(".md", ""));
const lines = await Promise.all(names.map(async (name) => `${name}: ${(await textOf(name)).split("\n")[0]}`));
const instructions = promptLayers([
  { name: "who", text: "You are a cook." },
  { name: "skills", text: `Read a skill before you use it:\n${lines.join("\n")}`, parent: "who" },
]);
const input_schema = { type: "object", properties: { name: { enum: names } }, required: ["name"] } as const;
const read_skill = defineTool({ name: "read_skill", input_schema, execute: ({ name }) => textOf(String(name)) });

// A scripted model that shows its instructions, reads a skill, and is done.
const script: Message[] = [{ type: "tool_call", id: "a", name: "read_skill", input: { name: "soup" } }];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages: [system, , ...rest] }) {
    console.log(rest.length > 0 ? rest : (system as { content: string }).content);
    const next = script.shift();
    return { messages: [next ?? { role: "assistant", content: "Soup!" }], stop_reason: next ? "tool_use" : "end_turn" };
  },
};
await agentLoop({ provider, instructions, tools: [read_skill], input: "A soup." }).result;
