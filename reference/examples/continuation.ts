// Three answers that are not the end of a run: a paused one, an empty one, and one that was cut off.

import { agentLoop, initSession, type ModelResponse, type Provider } from "../index.ts";

const say = (content: string, stop_reason: ModelResponse["stop_reason"]): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason,
});
const answers = [
  { messages: [], stop_reason: "end_turn" as const },
  say("First the water is ", "pause"),
  say("boiled, then the tea ", "max_tokens"),
  say("is poured over.", "end_turn"),
];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages }) {
    console.log("the model reads:", JSON.stringify(messages.at(-1)));
    return answers.shift()!;
  },
};
const options = { on_max_tokens: "continue", on_empty: "retry" } as const;
const run = agentLoop({ provider, options, session: initSession({ id: "tea", user: "How is tea made?" }) });
const { status, turns } = await run.result;
console.log(`${status} after 4 model calls, which are ${turns} turns`);
