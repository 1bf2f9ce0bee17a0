// A tool whose input is typed and validated by valibot; the description is demanded.

import { betaStandardSchemaTool } from "@anthropic-ai/sdk/helpers/beta/standard-schema";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

export const weather = betaStandardSchemaTool({
  name: "weather",
  description: "The weather in a city.",
  inputSchema: toStandardJsonSchema(v.object({ city: v.string() })),
  run: ({ city }) => `18 °C in ${city.trim()}`,
});
