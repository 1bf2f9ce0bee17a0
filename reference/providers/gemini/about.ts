// What there is to know of Gemini's generateContent.

import { gemini, geminiCodec, renderRequest } from "./index.ts";
import { losses } from "./losses.ts";
import { PROVIDER } from "./parts.ts";
import type { AboutProvider } from "../shared/about-provider.ts";

export const about: AboutProvider = {
  name: PROVIDER,
  purpose: "Google's Gemini API: generateContent and streamGenerateContent.",
  sdk: "@google/genai",
  exampleModel: "gemini-3-flash-preview",
  traced: "gcp.gemini",
  transports: ["json", "sse"],
  losses,
  codec: geminiCodec,
  render: renderRequest,
  create: gemini,
  createOver: (send, settings) => gemini({ ...settings, send }),
};
