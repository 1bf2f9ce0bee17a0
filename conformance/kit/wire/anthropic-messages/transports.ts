// How the answers of Anthropic's Messages API travel.

import { json, sse } from "../shared/transports.ts";
import type { AnswerTransport } from "../transport.ts";

export const transports: readonly AnswerTransport[] = [json, sse];
