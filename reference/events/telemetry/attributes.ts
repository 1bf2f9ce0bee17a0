// The names of span attributes: those of OpenTelemetry's conventions for generative AI, and our own. Defined only here.

/** @see https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md */
export const attribute = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  conversation: "gen_ai.conversation.id",
  agent: "gen_ai.agent.name",
  requestModel: "gen_ai.request.model",
  stream: "gen_ai.request.stream",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cacheReadTokens: "gen_ai.usage.cache_read.input_tokens",
  cacheWriteTokens: "gen_ai.usage.cache_write.input_tokens", // once cache_creation.input_tokens
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  callId: "gen_ai.tool.call.id",
  arguments: "gen_ai.tool.call.arguments",
  result: "gen_ai.tool.call.result",
  outputMessages: "gen_ai.output.messages",
  errorType: "error.type",
  turn: "agent_loop.turn",
  attempt: "agent_loop.attempt",
  status: "agent_loop.status",
  outcome: "agent_loop.outcome",
} as const;

/** The operations, which also begin the names of spans. */
export const operation = { run: "invoke_agent", model: "chat", tool: "execute_tool" } as const;
