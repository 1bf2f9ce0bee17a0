// An agent of Google's ADK over its own Gemini model, as its documentation says: a runner keeps the session.

import { BaseTool, Gemini, InMemoryRunner, LlmAgent, StreamingMode, setLogger } from "@google/adk";

setLogger(null); // the script says one thing on stdout

class Given extends BaseTool {
  constructor(tool) {
    super(tool);
    Object.assign(this, { tool });
  }
  _getDeclaration() {
    const { name, description, schema: parametersJsonSchema } = this.tool;
    return { name, description, parametersJsonSchema };
  }
  async runAsync({ args }) {
    return await this.tool.run(args);
  }
}

export function agentOf({ stream, url: baseUrl, tools, limit }) {
  const agent = new LlmAgent({
    name: "agent",
    model: new Gemini({ model: "gemini-3-flash-preview", apiKey: "any" }),
    tools: tools.map((tool) => new Given(tool)),
    generateContentConfig: { httpOptions: { baseUrl } },
  });
  const runner = new InMemoryRunner({ agent, appName: "app" });
  const session = runner.sessionService.createSession({ appName: "app", userId: "u" });
  const runConfig = { streamingMode: stream ? StreamingMode.SSE : StreamingMode.NONE, maxLlmCalls: limit };
  return async (input, abortSignal) => {
    const newMessage = { role: "user", parts: [{ text: input }] };
    const where = { userId: "u", sessionId: (await session).id, runConfig, abortSignal };
    let last = {};
    for await (const event of runner.runAsync({ ...where, newMessage })) last = event;
    const text = (last.content?.parts ?? []).map((part) => part.text ?? "").join("");
    return { text, stop: last.errorCode ?? last.finishReason, ...(last.errorMessage && { error: last.errorMessage }) };
  };
}
