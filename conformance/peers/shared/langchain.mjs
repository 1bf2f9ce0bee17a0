// What the drivers of LangChain and LangGraph share. The packages are handed in, because each peer has its own.

const cut = new Set(["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"]);
const refused = new Set(["refusal", "content_filter"]);
const stateless = { zdrEnabled: true, modelKwargs: { include: ["reasoning.encrypted_content"] } };

/** The chat model of a seam. */
export function modelOf({ ChatAnthropic, ChatOpenAI }, { seam, base_url, api_key, model }) {
  const settings = { model, apiKey: api_key, maxRetries: 0 };
  if (seam === "anthropic-messages") return new ChatAnthropic({ ...settings, anthropicApiUrl: base_url });
  const useResponsesApi = seam === "openai-responses";
  const configuration = { baseURL: base_url };
  return new ChatOpenAI({ ...settings, configuration, useResponsesApi, ...(useResponsesApi && stateless) });
}

/** What a tool says: a text, or the content blocks that every integration of LangChain translates. */
export function contentOf(output) {
  if (typeof output === "string") return output;
  return output.map(({ type, text, media_type, data, url }) => {
    if (type === "text") return { type, text };
    const where = url ? { source_type: "url", url } : { source_type: "base64", data, mime_type: media_type };
    return { type: type === "image" ? "image" : "file", ...where };
  });
}

/** Runs an agent, every message streamed if the transport is sse. Returns the last message. */
export async function lastMessage(agent, transport, input, config) {
  const given = { messages: [{ role: "user", content: input }] };
  let state;
  if (transport === "json") state = await agent.invoke(given, config);
  else
    for await (const [mode, chunk] of await agent.stream(given, { ...config, streamMode: ["values", "messages"] }))
      if (mode === "values") state = chunk;
  return state.messages.at(-1);
}

/** Why a model stopped stands in the metadata of its message alone, under the provider's own name. */
export function endingOf({ text, response_metadata: meta, additional_kwargs: more }) {
  const reason = meta.stop_reason ?? more.stop_reason ?? meta.finish_reason ?? meta.incomplete_details?.reason;
  if (cut.has(reason)) return { ended: "cut_off", text };
  return { ended: refused.has(reason) || more.refusal ? "refused" : "completed", text };
}
