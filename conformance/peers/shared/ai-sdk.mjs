// What the drivers of the AI SDK, and of frameworks that are built on its providers, share. The packages are handed in, because
// each peer has its own.

const endings = { stop: "completed", "tool-calls": "limit", length: "cut_off", "content-filter": "refused" };

/** In how far a finish reason is an answer. Where there is none, nothing tells the caller that it is not. */
export const endingOf = (finishReason) =>
  finishReason === undefined ? "completed" : (endings[finishReason] ?? "error");

/** OpenAI keeps nothing, so that every request is whole; Anthropic's models may think. */
export const stateless = {
  openai: { store: false, include: ["reasoning.encrypted_content"] },
  anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } },
};

/** The model of a seam. */
export function modelOf({ createAnthropic, createOpenAI }, { seam, base_url, api_key, model }) {
  if (seam === "anthropic-messages") return createAnthropic({ baseURL: `${base_url}/v1`, apiKey: api_key })(model);
  const openai = createOpenAI({ baseURL: base_url, apiKey: api_key });
  return seam === "openai-chat" ? openai.chat(model) : openai.responses(model);
}

/** What a tool says: a text, or parts that the SDK calls content. */
export function contentOf(output) {
  if (typeof output === "string") return { type: "text", value: output };
  return { type: "content", value: output.map((part) => (part.type === "text" ? part : fileOf(part))) };
}

function fileOf({ media_type: mediaType, data, url }) {
  return { type: "file", mediaType, data: data ? { type: "data", data } : { type: "url", url: new URL(url) } };
}
