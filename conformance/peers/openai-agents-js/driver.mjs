// The driver of the OpenAI Agents SDK for JavaScript: a Runner, its chat completions or responses model, and a MemorySession.

import * as agents from "@openai/agents";
import OpenAI from "openai";
import { servePeer } from "../shared/peer.ts";

const { Agent, MaxTurnsExceededError, MemorySession, ModelRefusalError, OpenAIProvider, Runner, tool } = agents;
const stateless = { store: false, providerData: { include: ["reasoning.encrypted_content"] } };

/** A part of what a tool says, as the SDK has tools return it. */
function outputOf({ type, text, media_type: mediaType, data, url }) {
  if (type === "text") return { type, text };
  if (type === "image") return { type, image: url ?? { data, mediaType } };
  return { type: "file", file: url ? { url } : { data, mediaType, filename: "document" } };
}

function endingOf(error) {
  if (error instanceof MaxTurnsExceededError) return { ended: "limit" };
  if (error instanceof ModelRefusalError) return { ended: "refused" };
  throw error;
}

servePeer(
  { name: "openai-agents-js", version: "0.20.0", seams: ["openai-chat", "openai-responses"] },
  ({ tools, instructions, limit, model, execute }) => {
    const useResponses = model.seam === "openai-responses";
    const openAIClient = new OpenAI({ baseURL: model.base_url, apiKey: model.api_key, maxRetries: 0 });
    const modelProvider = new OpenAIProvider({ openAIClient, useResponses });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const session = new MemorySession();
    const agent = new Agent({
      name: "agent",
      model: model.model,
      ...(instructions && { instructions }),
      ...(useResponses && { modelSettings: stateless }),
      tools: tools.map(({ name, description, input_schema }) => {
        const parameters = { additionalProperties: true, ...input_schema };
        const run = async (input, _context, details) => {
          const output = await execute(name, input, details?.signal);
          return typeof output === "string" ? output : output.map(outputOf);
        };
        return tool({ name, description, strict: false, parameters, execute: run });
      }),
    });
    return async (input, signal) => {
      try {
        const stream = model.transport === "sse";
        const result = await runner.run(agent, input, { session, maxTurns: limit, signal, stream });
        if (stream) await result.completed;
        if (result.error) throw result.error;
        return { ended: "completed", text: result.finalOutput };
      } catch (error) {
        return endingOf(error);
      }
    };
  },
);
