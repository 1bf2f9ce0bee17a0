// The openai-responses adapter and its SDK, against a server.

import { openaiResponses } from "./index.ts";
import { describeAdapter } from "../../testing/adapter-contract.ts";

const item = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] };
const body = { object: "response", status: "completed", output: [item] };
const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

describeAdapter(openaiResponses, {
  basePath: "/v1",
  path: "/v1/responses",
  json: body,
  stream: event("response.completed", { response: body }),
  begun:
    event("response.output_item.added", { output_index: 0, item: { ...item, content: [] } }) +
    event("response.output_text.delta", { output_index: 0, content_index: 0, delta: "Par" }),
  refusals: [
    [
      "an error in another place than usual",
      { status: 429, headers: { "retry-after": "2" }, body: { code: "busy", error: "later" } },
      {
        kind: "rate_limit",
        message: "later",
        provider: "openai-responses",
        code: "busy",
        status: 429,
        retry_after_ms: 2000,
      },
    ],
  ],
});
