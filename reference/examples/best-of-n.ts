// Three answers to one question, each on a copy of the session; the shortest is kept, and the others leave only their usage.

import { initSession, type ModelResponse } from "../index.ts";
import { bestOfN, type Branch } from "../patterns/hypotheses.ts";

const tokens = { cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
const usage = { input_tokens: 20, output_tokens: 8, ...tokens };
const names = ["Sunrise Coffee & Tea House", "Crema", "The Daily Grind"];
const says = (content: string): ModelResponse => {
  return { messages: [{ role: "assistant", content }], stop_reason: "end_turn", usage };
};
const provider = { name: "scripted", invokeModel: async () => says(names.shift()!) };

const session = initSession({ id: "name", user: "I open a coffee house." });
const start = { session, prompt: "A name for it, please." };
const choose = (all: Branch[]) => all.toSorted((a, b) => length(a) - length(b))[0];
const length = ({ result }: Branch) => result.final_text.length;
const { chosen, branches, ...spent } = await bestOfN({ provider }, start, { count: 3, choose });

for (const { result } of branches) console.log(result.final_text);
for (const message of chosen!.session.messages) console.log(JSON.stringify(message));
console.log(`${spent.usage.output_tokens} tokens out in all`);
