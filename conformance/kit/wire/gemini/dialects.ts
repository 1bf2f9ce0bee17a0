// Another host that takes the format of Gemini.

import type { Dialect } from "../codec.ts";
import { vertex } from "../shared/other-hosts.ts";

export const dialects: readonly Dialect[] = [
  {
    at: vertex,
    path: "/v1/projects/p/locations/global/publishers/google/models/gemini-3-flash-preview:generateContent",
    docs: "https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference",
    recorded: true,
  },
];
