// What there is to know of Anthropic's Messages API.

import { anthropicMessages, anthropicMessagesCodec, renderRequest } from "./index.ts";
import { losses } from "./losses.ts";
import { PROVIDER } from "./parts.ts";
import type { AboutProvider } from "../shared/about-provider.ts";
import { posting } from "../shared/posting.ts";

export const about: AboutProvider = {
  name: PROVIDER,
  purpose: "Anthropic's Messages API.",
  sdk: "@anthropic-ai/sdk",
  exampleModel: "claude-sonnet-4-5",
  traced: "anthropic",
  transports: ["json", "sse"],
  losses,
  codec: anthropicMessagesCodec,
  render: renderRequest,
  create: anthropicMessages,
  createOver: (send, settings) => anthropicMessages({ ...settings, client: posting(send) }),
};
