// A conversation that the provider keeps: the second request has only what is new, and the last response's id.

import { agentLoop, defineTool, initSession } from "../index.ts";
import { openaiResponses, type OpenAIClient } from "../providers/openai-responses/index.ts";

const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "get_weather", arguments: "{}" };
const text = { type: "output_text", text: "It is 18 °C.", annotations: [] };
const message = { type: "message", id: "msg_1", role: "assistant", content: [text] };
// What the server answers: first a call, then a text.
const answers = [call, message].map((output, i) => ({ id: `resp_${i}`, status: "completed", output: [output] }));
// In place of the SDK: it shows what would be sent.
const client: OpenAIClient = {
  post: (_path, { body }) => {
    const { input, previous_response_id } = body as Record<string, unknown>;
    console.log(JSON.stringify({ previous_response_id, input }));
    return { asResponse: async () => Response.json(answers.shift()) };
  },
};
const provider = openaiResponses({ model: "some-model", transport: "json", conversation: "server", client });
const get_weather = defineTool({ name: "get_weather", input_schema: { type: "object" }, execute: () => "18 °C" });
const session = initSession({ id: "weather", user: "What is the weather?" });
const run = agentLoop({ provider, tools: [get_weather], session });
console.log((await run.result).final_text);
