// How the answers of OpenAI's Chat Completions API travel.

import { json, sse } from "../shared/transports.ts";
import type { AnswerTransport } from "../transport.ts";

export const transports: readonly AnswerTransport[] = [json, sse];
