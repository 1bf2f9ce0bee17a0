// Gemini's traffic beside what its contents mean: hosts, paths, headers, errors, and the chunks of its streams.

import type { ProviderTraffic } from "../codec.ts";
import { dialects } from "./dialects.ts";
import { isObject, listOf, type JsonObject } from "../shared/json.ts";

/** The words that stand for a status. @see https://ai.google.dev/gemini-api/docs/troubleshooting */
export const statusWords: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const route = /\/(?<model>models\/[^/:]+|[^/:]+):(?<verb>generateContent|streamGenerateContent)$/;

export const traffic: ProviderTraffic = {
  host: {
    name: "gemini",
    url: "https://generativelanguage.googleapis.com",
    addressVariables: ["GOOGLE_GEMINI_BASE_URL", "GEMINI_BASE_URL"],
    keyVariables: ["GEMINI_API_KEY"],
  },
  // https://ai.google.dev/api/generate-content, and as Vertex AI has it, below a project or not.
  routes: [/\/(?:models|tunedModels|endpoints)\/[^/:]+:(?:streamG|g)enerateContent$/],
  dialects,
  keyHeader: (key) => ({ "x-goog-api-key": key }),
  headers: {},
  keptHeaders: [],
  errorBody: (status, message) => ({ error: { code: status, message, status: statusWords[status] ?? "UNKNOWN" } }),
  errorFields: ["status"],
  ending: /"finishReason":/,
  callsIn: () => [],
  isBody: (fields) => "contents" in fields,
  chapter: "GEMINI",
  occasions: { 2: "result", 6: "sealed_call", 8: "declared_tools" },
  endingsHead: "`finishReason`",
};

/** The model and the kind of answer that a path names, as the fields of a body that other formats have for them, and whether it has a key. */
export function readTarget(target: string): JsonObject | undefined {
  const [path = "", query = ""] = target.split("?", 2);
  const { model, verb } = route.exec(path)?.groups ?? {};
  if (model === undefined || !traffic.routes[0]!.test(path)) return undefined;
  const parameters = new URLSearchParams(query);
  const stream = verb === "streamGenerateContent" && parameters.get("alt") === "sse";
  return { model: model.replace(/^models\//, ""), stream, ...(parameters.has("key") && { key: true }) };
}

/** The parts of a content that are objects. */
export function partsOf(content: unknown): JsonObject[] {
  return listOf(isObject(content) ? content["parts"] : undefined).filter(isObject);
}
