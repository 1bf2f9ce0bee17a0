// What messages are made of, of which each provider has a form of its own.

import type { Message, Part, ScriptedPart } from "../../../../schemas/types.ts";
import { addCall, addTool, anyTurn, callOf, workingTurn } from "../draft.ts";
import type { Draft, Ingredient } from "../draft.ts";

const object = { type: "object" as const };
const image: Part = { type: "image", media_type: "image/png", data: "iVBORw0KGgo=" };
const other: Part = { type: "image", media_type: "image/jpeg", data: "/9j/4AAQSkY=" };

/** What may have been said before, each a part of a conversation that is whole. */
const episodes: readonly Message[][] = [
  [
    { role: "user", content: "{{older}}" },
    { type: "thinking", content: "{{musing}}" },
    { type: "tool_call", id: "$past1", name: "look", input: {} },
    { type: "tool_call", id: "$past2", name: "write", input: { to: "{{there}}" } },
    { type: "tool_result", id: "$past1", output: "{{old}}", outcome: "ok" },
    { type: "tool_result", id: "$past2", output: "{{bad}}", is_error: true, outcome: "error" },
    { role: "assistant", content: "{{ended}}." },
  ],
  [
    { role: "user", content: "{{asked}}" },
    { role: "assistant", content: "{{one}} " },
    { role: "assistant", content: "{{two}}." },
  ],
  [
    { role: "user", content: [{ type: "text", text: "{{look}}" }, image] },
    { role: "user", content: "And {{this}}?" },
    { type: "tool_call", id: "$past3", name: "look", input: {} },
    { type: "tool_result", id: "$past3", output: [{ type: "text", text: "{{pictured}}" }, other], outcome: "ok" },
    { role: "assistant", content: "{{seen}} it." },
  ],
  [
    { role: "user", content: "{{broken}}" },
    { type: "tool_call", id: "$past4", name: "write", input: null, raw_input: '{"to": "{{no' },
    { type: "tool_result", id: "$past4", output: "Not {{readable}}.", is_error: true, outcome: "invalid_arguments" },
    { role: "assistant", content: "{{half}}", status: "incomplete" },
  ],
];

/** What is not one text, and calls that are named badly. */
export const contents: readonly Ingredient[] = [
  {
    name: "image of a user",
    features: [],
    add(draft) {
      const content: Part[] = [{ type: "text", text: "{{task}}" }, image];
      sayFirst(draft, { role: "user", content: draft.choose.happens(0.5) ? content : content.toReversed() });
    },
  },
  {
    name: "image of a tool",
    features: [],
    add(draft) {
      const { choose } = draft;
      const outputs: Part[][] = [
        [image],
        [{ type: "text", text: "{{shown}}" }, image],
        [image, { type: "text", text: "{{shown}}" }, other],
      ];
      addTool(
        draft,
        { name: "draw", input_schema: object },
        { output: choose.of(outputs), ...(choose.happens(0.3) && { is_error: true }) },
      );
      for (let more = choose.from(1, 2); more > 0; more -= 1) addCall(draft, callOf(draft, "draw"));
    },
  },
  {
    name: "several texts",
    features: [],
    add(draft) {
      const { choose } = draft;
      const turn = anyTurn(draft);
      const texts: ScriptedPart[] = [{ text: "{{first}} " }, { text: "{{second}} " }];
      if (choose.happens(0.3)) turn.parts.unshift(...texts);
      else turn.parts = [texts[0]!, ...turn.parts, texts[1]!];
    },
  },
  {
    name: "thoughts in between",
    features: [],
    add(draft) {
      const { parts } = workingTurn(draft);
      parts.splice(draft.choose.from(0, parts.length), 0, { thinking: "{{between}}" });
      if (draft.choose.happens(0.5)) parts.unshift({ thinking: "{{idea}}", redacted: true });
    },
  },
  {
    name: "call without an id",
    features: [],
    add(draft) {
      for (let more = draft.choose.from(1, 2); more > 0; more -= 1)
        addCall(draft, { tool_call: { name: "look", input: {} } });
    },
  },
  {
    name: "id of an earlier call",
    features: [],
    add(draft) {
      const earlier = workingTurn(draft).parts.find((part) => part.tool_call)?.tool_call?.id;
      if (earlier !== undefined) addCall(draft, { tool_call: { id: earlier, name: "look", input: {} } });
    },
  },
  {
    name: "long history",
    features: [],
    without: ["earlier run", "image of a user"],
    add(draft) {
      const { choose } = draft;
      const past = choose.some(episodes, choose.from(1, episodes.length)).flat();
      draft.given.messages = [...past, { role: "user", content: "{{task}}" }];
    },
  },
  {
    name: "telling tools",
    features: [],
    add(draft) {
      const { choose } = draft;
      for (const tool of draft.tools) {
        if (choose.happens(0.6)) tool.description = `It can ${tool.name}.`;
        if (choose.happens(0.3)) tool.annotations = { ...tool.annotations, idempotent: true };
      }
      addTool(
        draft,
        {
          name: "choose",
          input_schema: {
            type: "object",
            properties: {
              size: { enum: ["small", "large"] },
              of: { type: "array", items: { $ref: "#/$defs/Thing" } },
            },
            $defs: { Thing: { type: "object", properties: { name: { type: ["string", "null"] } } } },
            additionalProperties: false,
          },
        },
        { output: "{{chosen}}" },
      );
      addCall(draft, callOf(draft, "choose", { size: "small", of: [{ name: null }] }));
    },
  },
  {
    name: "all settings",
    features: ["settings"],
    without: ["settings"],
    add(draft) {
      const { choose } = draft;
      const settings = {
        max_output_tokens: 100,
        temperature: 0.5,
        stop_sequences: ["STOP"],
        parallel_tool_calls: false,
      } as const;
      for (const agent of Object.values(draft.agents)) {
        const chosen = choose.some(Object.entries(settings), choose.from(1, 3));
        agent.settings = Object.fromEntries(chosen);
      }
    },
  },
];

/** Puts a message in the place of what the user says first. */
function sayFirst(draft: Draft, message: Message): void {
  draft.given.messages = [...(draft.given.messages ?? []).slice(0, -1), message];
}
