// Reflection: the model is asked once to check its answer, and its second answer is the final text.

import { agentLoop, initSession, type ModelResponse } from "../index.ts";
import { reflectBeforeEnd } from "../patterns/reflection.ts";

const say = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const answers = [say("A year has 364 days."), say("A year has 365 days, and a leap year 366.")];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const session = initSession({ id: "year", user: "How long is a year?" });
const run = agentLoop(reflectBeforeEnd({ provider, session }, { ask: "Is all of that right?", rounds: 1 }));
for (const message of (await run.session).messages) console.log(JSON.stringify({ ...message, meta: undefined }));
console.log((await run.result).final_text);
