// The driver of the Vercel AI SDK: generateText where the answer comes as JSON, streamText where it is streamed.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { contentOf, endingOf, modelOf, stateless } from "../shared/ai-sdk.mjs";
import { servePeer } from "../shared/peer.ts";

const toModelOutput = ({ output }) => contentOf(output);
globalThis.AI_SDK_LOG_WARNINGS = false;

/** The SDK checks nothing against a bare JSON Schema: validate is what its docs ask for. */
function checked(schema) {
  const type = z.fromJSONSchema(JSON.parse(JSON.stringify(schema), readable));
  return jsonSchema(schema, { validate: (value) => ({ ...type.safeParse(value), value }) });
}

/** zod checks a list whose items are named, and a number beside its type. */
function readable(_, part) {
  const { type } = part?.allOf?.find((one) => one.type) ?? {};
  if (type) return { ...part, allOf: part.allOf.map((one) => ({ type, ...one })) };
  return part?.type === "array" ? { items: {}, ...part } : part;
}

async function streamed(settings) {
  let error;
  const result = streamText({ ...settings, onError: (event) => (error ??= event.error) });
  await result.consumeStream({ onError: (reason) => (error ??= reason) });
  if (error) throw error;
  return { finishReason: await result.finishReason, text: await result.text };
}

servePeer(
  { name: "ai-sdk", version: "7.0.173", seams: ["anthropic-messages", "openai-chat", "openai-responses"] },
  ({ tools, instructions, limit, model, execute }) => {
    const messages = []; // the caller of the SDK keeps them: what he said, and the messages of every step that ended
    const settings = {
      model: modelOf({ createAnthropic, createOpenAI }, model),
      ...(instructions && { instructions }),
      tools: Object.fromEntries(
        tools.map(({ name, description, input_schema }) => {
          const run = (input, { abortSignal }) => execute(name, input, abortSignal);
          return [name, tool({ description, inputSchema: checked(input_schema), execute: run, toModelOutput })];
        }),
      ),
      stopWhen: stepCountIs(limit),
      maxRetries: 0,
      providerOptions: stateless,
      onStepFinish: (step) => messages.push(...step.response.messages),
    };
    return async (input, abortSignal) => {
      messages.push({ role: "user", content: input });
      const ask = model.transport === "sse" ? streamed : generateText;
      const { finishReason, text } = await ask({ ...settings, messages: [...messages], abortSignal });
      return { ended: endingOf(finishReason), text };
    };
  },
);
