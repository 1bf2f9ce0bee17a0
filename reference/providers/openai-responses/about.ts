// What there is to know of OpenAI's Responses API.

import { openaiResponses, openaiResponsesCodec, renderRequest } from "./index.ts";
import { losses } from "./losses.ts";
import { PROVIDER } from "./parts.ts";
import type { AboutProvider } from "../shared/about-provider.ts";
import { posting } from "../shared/posting.ts";

export const about: AboutProvider = {
  name: PROVIDER,
  purpose: "OpenAI's Responses API.",
  sdk: "openai",
  shares: ["openai"],
  exampleModel: "gpt-5",
  traced: "openai",
  transports: ["json", "sse"],
  losses,
  codec: openaiResponsesCodec,
  render: renderRequest,
  create: openaiResponses,
  createOver: (send, settings) => openaiResponses({ ...settings, client: posting(send) }),
};
