// What `test` refuses: names of cases, requirements, features and variants that there are not, with those that may be meant.

import { expect, it } from "vitest";
import type { TestOptions } from "./test-command/test-options.ts";
import { test } from "./test.ts";

const refused: [options: Partial<TestOptions>, message: string][] = [
  [{ case: ["tols/unknown-tool"] }, "--case tols/unknown-tool fits no case; do you mean tools/unknown-tool?"],
  [{ case: ["stop/", "telepathy/"] }, "--case telepathy/ fits no case; see them with: npx agent-loop-spec list cases"],
  [{ requires: ["TOOL-"] }, "--requires TOOL- is not known; do you mean TOOL-1, "],
  [{ requires: ["LOOP-7", "KIT-1"] }, "no case tests KIT-1: the kit is the actor"],
  [{ feature: ["cancle"] }, "--feature cancle is not known; do you mean cancel?"],
  [{ provider: ["openai"] }, "--provider openai is not known; do you mean openai-chat, openai-responses?"],
  [{ variant: ["openai-chat/see"] }, "--variant openai-chat/see is not known; do you mean openai-chat/sse, "],
  [{ variant: ["x"] }, "--variant x is not known; known: generic, anthropic-messages/json, "],
  [{ case: ["stop/end-turn-text"], feature: ["cancel"] }, "no variant of any case fits these options"],
];

it.each(refused)("%j", async (options, message) => {
  const others = { driver: ["reference"], details: "failures", jobs: 1, timeout: 10_000 } as const;
  await expect(test({ ...others, driver: [...others.driver], ...options })).rejects.toThrow(message);
});
