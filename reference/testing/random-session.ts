// Random sessions, as runs leave them, for fast-check: valid, with errors, signatures, media, incomplete and compacted messages.

import { resultText } from "../core/session.ts";
import fc from "fast-check";

import type { Message, Part, Session } from "../../schemas/types.ts";

const long = fc.constantFrom("Short.", "One line of many. ".repeat(20), `${"Ä🙂".repeat(150)}`, "x".repeat(3_000));
const image: Part = { type: "image", media_type: "image/png", data: "iVBORw0KGgo=" };

const opaque = fc.constantFrom(
  undefined,
  { provider: "anthropic-messages", model: "m" },
  { provider: "anthropic-messages", model: "m", signature: "c2ln" },
  { provider: "openai-responses", model: "m", encrypted_content: "ZW5j", id: "rs_1" },
);

interface Turn {
  thinking?: { content: string; opaque?: { provider: string; model: string } | undefined };
  text?: string;
  calls: {
    argument: string;
    isBroken: boolean;
    output: string | Part[];
    outcome: "ok" | "error" | "denied" | "none";
  }[];
  user?: string;
  system?: string;
  isCut: boolean;
}

const turn: fc.Arbitrary<Turn> = fc.record(
  {
    thinking: fc.record({ content: long, opaque }),
    text: long,
    calls: fc.array(
      fc.record({
        argument: long,
        isBroken: fc.boolean(),
        output: fc.oneof(
          long,
          long.map((text): Part[] => [{ type: "text", text }, image, { type: "text", text }]),
        ),
        outcome: fc.constantFrom("ok" as const, "ok" as const, "none" as const, "error" as const, "denied" as const),
      }),
      { maxLength: 3 },
    ),
    user: long,
    system: fc.constant("Be brief."),
    isCut: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  },
  { requiredKeys: ["calls", "isCut"] },
);

/** A session from which a run can start. */
export const randomSession: fc.Arbitrary<Session> = fc
  .record({ instructed: fc.boolean(), turns: fc.array(turn, { maxLength: 7 }), more: fc.boolean() })
  .map(({ instructed, turns, more }) => {
    let ids = 0;
    const messages: Message[] = instructed ? [{ role: "system", content: "Help." }] : [];
    messages.push({ role: "user", content: "Do the task." });
    for (const one of turns) messages.push(...messagesOf(one, () => `call_${(ids += 1)}`));
    const last = messages.findLast((message) => !("status" in message));
    if (more || !last || (last.role !== "user" && last.type !== "tool_result"))
      messages.push({ role: "user", content: "Go on." });
    return { spec_version: "1.0", id: "s", messages };
  });

function messagesOf({ thinking, text, calls, user, system, isCut }: Turn, newId: () => string): Message[] {
  const status = isCut && ({ status: "incomplete" } as const);
  const made = calls.map((call) => ({ id: newId(), ...call }));
  const response: Message[] = [
    ...(thinking ? [thinkingOf(thinking)] : []),
    ...(text !== undefined ? [{ role: "assistant" as const, content: text }] : []),
    ...made.map(({ id, argument, isBroken }): Message => ({
      type: "tool_call",
      id,
      name: "work",
      ...(isBroken ? { input: null, raw_input: argument } : { input: { argument } }),
    })),
  ];
  if (text === undefined && made.length === 0) response.push({ role: "assistant", content: "Done." });
  const results = made.map(({ id, output, outcome }): Message => ({
    type: "tool_result",
    id,
    output: isCut ? resultText("never_answered") : output,
    ...(outcome !== "none" && { outcome: isCut ? ("interrupted" as const) : outcome }),
    ...((isCut || outcome === "error" || outcome === "denied") && { is_error: true }),
  }));
  const isOver = made.length === 0 || user !== undefined;
  const after: Message[] = isOver ? [{ role: "user", content: user ?? "And then?" }] : [];
  if (isOver && system !== undefined) after.push({ role: "system", content: system });
  return [...[...response, ...results].map((message) => ({ ...message, ...status }) as Message), ...after];
}

function thinkingOf({ content, opaque: given }: NonNullable<Turn["thinking"]>): Message {
  return { type: "thinking", content, ...(given && { opaque: given }) };
}
