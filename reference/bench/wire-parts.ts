// What the measured providers have in common: headers, events, and settings of their SDKs.

import { nodeFetch } from "../providers/shared/node-fetch.ts";
import type { Fields } from "./measured-wire.ts";
import type { Transport } from "./turn-script.ts";

export const streaming = (transport: Transport): { stream?: true } => (transport === "sse" ? { stream: true } : {});

/** What any client says of itself and of what it sends. */
export const common = { accept: "application/json", "content-type": "application/json", "user-agent": "bench" };
export const bearer = { ...common, authorization: "Bearer none" };

export const usage = { input_tokens: 1000, output_tokens: 100 };

/** A text in the pieces in which it is streamed. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,5}/g) ?? [];

/** A server-sent event whose name is its type. */
export const named = (data: Fields): string => `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`;

/** JSON that may have been laid out, in one line. */
export const inOneObject = (text: string): string => JSON.stringify(JSON.parse(text));

/** Settings of an SDK that asks as it likes. */
export const client = { apiKey: "none", maxRetries: 0 };

/** Settings of an SDK that is given bytes, and asks through Node's client. */
export const byNode = { apiKey: "none", maxRetries: 0, fetch: nodeFetch };
export const jsonContent = { "content-type": "application/json" };
