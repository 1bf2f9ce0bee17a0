// How the answers of Google's generateContent and streamGenerateContent travel.

import { json, sse } from "../shared/transports.ts";
import type { AnswerTransport } from "../transport.ts";

export const transports: readonly AnswerTransport[] = [json, sse];
