// What a hook is given, and may answer, follows from its point.

import { expect, expectTypeOf, it } from "vitest";
import type { HookedCall, Message, Part, RunStatus } from "../../../schemas/types.ts";
import type { Hook, HookCallAt, HookReplyAt } from "./hook-types.ts";

it("what belongs to a point is there, and nothing else", () => {
  expectTypeOf<HookCallAt<"before_tool">["call"]>().toEqualTypeOf<HookedCall>();
  expectTypeOf<HookCallAt<"after_tool">["output"]>().toEqualTypeOf<string | Part[]>();
  expectTypeOf<HookCallAt<"after_model">["messages"]>().toEqualTypeOf<Message[]>();
  expectTypeOf<HookCallAt<"stop">["status"]>().toEqualTypeOf<RunStatus>();
  expectTypeOf<HookCallAt<"run_start">>().not.toHaveProperty("call");
  expectTypeOf<keyof HookReplyAt<"stop">>().toEqualTypeOf<"block">();
});

it("a reply that its point ignores is no reply", () => {
  const hooks: Hook[] = [
    {
      point: "before_tool",
      tool: "send",
      run: ({ call }) => (call.name === "send" ? { block: "not now" } : undefined),
    },
    { point: "stop", run: async ({ status }) => ({ block: `why ${status}?` }) },
    { point: "run_end", run: ({ status }) => void status },
    // @ts-expect-error add_context is no answer to before_tool
    { point: "before_tool", run: () => ({ add_context: "More." }) },
    // @ts-expect-error there is no call when a turn starts
    { point: "turn_start", run: ({ call }) => void call },
  ];
  expect(hooks.map(({ point }) => point)).toContain("stop");
});
