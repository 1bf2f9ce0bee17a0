// How the answers of OpenAI's Responses API travel.

import { json, sse } from "../shared/transports.ts";
import type { AnswerTransport } from "../transport.ts";

export const transports: readonly AnswerTransport[] = [json, sse];
