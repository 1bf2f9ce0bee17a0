// The openai-chat adapter and its SDK, against a server.

import { openaiChat } from "./index.ts";
import { describeAdapter } from "../../testing/adapter-contract.ts";

const chunk = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;

describeAdapter(openaiChat, {
  basePath: "/v1",
  path: "/v1/chat/completions",
  json: { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] },
  stream: `${chunk("Hi", "stop")}data: [DONE]\n\n`,
  begun: chunk("Par"),
  refusals: [
    [
      "an error in another place than usual",
      {
        status: 503,
        headers: { "retry-after-ms": "7" },
        body: { object: "error", message: "no room", type: "overloaded" },
      },
      {
        kind: "overloaded",
        message: "no room",
        provider: "openai-chat",
        code: "overloaded",
        status: 503,
        retry_after_ms: 7,
      },
    ],
  ],
});
