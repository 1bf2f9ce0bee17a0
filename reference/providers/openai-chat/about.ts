// What there is to know of OpenAI's Chat Completions API.

import { openaiChat, openaiChatCodec, renderRequest } from "./index.ts";
import { losses } from "./losses.ts";
import { PROVIDER } from "./parts.ts";
import type { AboutProvider } from "../shared/about-provider.ts";
import { posting } from "../shared/posting.ts";

export const about: AboutProvider = {
  name: PROVIDER,
  purpose: "OpenAI's Chat Completions API.",
  sdk: "openai",
  shares: ["openai"],
  exampleModel: "gpt-4.1",
  traced: "openai",
  transports: ["json", "sse"],
  losses,
  codec: openaiChatCodec,
  render: renderRequest,
  create: openaiChat,
  createOver: (send, settings) => openaiChat({ ...settings, client: posting(send) }),
};
