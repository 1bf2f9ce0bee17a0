// The driver of Google's ADK for JavaScript: an InMemoryRunner over its own Gemini model, which keeps the session.

import { BaseTool, Gemini, InMemoryRunner, LlmAgent, StreamingMode, setLogger } from "@google/adk";
import { servePeer } from "../shared/peer.ts";

class KitTool extends BaseTool {
  constructor(tool, execute) {
    super(tool);
    Object.assign(this, { tool, execute });
  }
  _getDeclaration() {
    const { name, description, input_schema: parametersJsonSchema } = this.tool;
    return { name, description, parametersJsonSchema };
  }
  async runAsync({ args, toolContext }) {
    return await this.execute(this.name, args, toolContext.abortSignal);
  }
}

setLogger(null); // it logs to stdout, which belongs to the protocol

const refusals = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);

servePeer(
  { name: "google-adk-js", version: "2.0.0", seams: ["gemini"] },
  ({ tools, instructions, limit, model: { model, base_url: baseUrl, api_key: apiKey, transport }, execute }) => {
    const agent = new LlmAgent({
      name: "kit",
      model: new Gemini({ model, apiKey }),
      instruction: () => instructions ?? "",
      tools: tools.map((tool) => new KitTool(tool, execute)),
      generateContentConfig: { httpOptions: { baseUrl } },
    });
    const runner = new InMemoryRunner({ agent, appName: "kit" });
    const session = runner.sessionService.createSession({ appName: "kit", userId: "u" });
    const streamingMode = transport === "sse" ? StreamingMode.SSE : StreamingMode.NONE;
    return async (input, abortSignal) => {
      const newMessage = { role: "user", parts: [{ text: input }] };
      const where = { userId: "u", sessionId: (await session).id, abortSignal };
      let last = {};
      const events = runner.runAsync({ ...where, newMessage, runConfig: { maxLlmCalls: limit, streamingMode } });
      for await (const event of events) last = event;
      const { content, errorCode, errorMessage: error, finishReason = "STOP" } = last;
      const text = (content?.parts ?? []).map((part) => (part.thought ? "" : (part.text ?? ""))).join("");
      const why = errorCode ?? finishReason;
      if (/limit of/i.test(error ?? "")) return { ended: "limit" };
      if (refusals.has(why)) return { ended: "refused", text };
      return { ended: { STOP: "completed", MAX_TOKENS: "cut_off" }[why] ?? "error", text, ...(error && { error }) };
    };
  },
);
