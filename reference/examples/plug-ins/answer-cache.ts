// A cache of model answers: the same request is answered once by the model, and from then on without it.

import { agentLoop, type ModelResponse, type Plugin } from "../../index.ts";

const answerCache = (answers: Map<string, ModelResponse>): Plugin => ({
  name: "answer-cache",
  attach: () => ({
    aroundRequest: (next) => async (request, call) => {
      const key = JSON.stringify(request);
      const known = answers.get(key);
      if (known) return structuredClone(known);
      const answer = await next(request, call);
      if (!answer.error) answers.set(key, structuredClone(answer));
      return answer;
    },
  }),
});

let calls = 0;
const provider = {
  name: "scripted",
  invokeModel: async (): Promise<ModelResponse> => {
    calls += 1;
    return { messages: [{ role: "assistant", content: "Four." }], stop_reason: "end_turn" };
  },
};
const use = [answerCache(new Map())]; // shared by the runs
for (const input of ["2 + 2?", "2 + 2?", "2 + 3?"]) {
  const { final_text } = await agentLoop({ provider, input, use }).result;
  console.log(input, final_text, `(${calls} calls of the model so far)`);
}
