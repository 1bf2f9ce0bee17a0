// In which other forms an API takes what its model said: what a loop of level wire may leave out of it on the way back.

type Fields = Record<string, unknown>;

/** Fields that say where a text was found: a conversation goes on without them. */
const sources: ReadonlySet<string> = new Set(["annotations", "citations"]);

/** Items that the API takes without their ids. Reasoning is not one of them. */
const withoutId: ReadonlySet<unknown> = new Set(["message", "function_call"]);

/**
 * Expected bodies as they are held against what was sent. Where a loop uses a shorter form that the API takes as well, that form is
 * expected: a message without its type and id, and with its content as one text; a call without the id of its item; a text without its
 * sources. What is sent has to be as it was; seals, phases and places are asked for in every form.
 * @see RESPONSES-3 RESPONSES-17 PROVIDER-14
 */
export function inTakenForm(expected: unknown, received: unknown): unknown {
  if (Array.isArray(expected))
    return Array.isArray(received) ? expected.map((one, at) => inTakenForm(one, received[at])) : expected;
  if (!isFields(expected) || !isFields(received)) return expected;
  const required = Object.entries(expected).filter(([key]) => !mayBeMissing(key, expected, received));
  return Object.fromEntries(
    required.map(([key, value]) => [key, inTakenForm(asSaid(key, value, received[key], expected), received[key])]),
  );
}

function mayBeMissing(key: string, { type }: Fields, { [key]: received, role }: Fields): boolean {
  if (sources.has(key)) return received === undefined || received === null || isEmptyList(received);
  if (received !== undefined) return false;
  return key === "id" ? withoutId.has(type) : key === "type" && type === "message" && role === "assistant";
}

/** Content as one text, where it is sent so; and the output of a tool as it is sent, where the loop has only put it into its own words. */
function asSaid(key: string, value: unknown, received: unknown, { type, role }: Fields): unknown {
  if (key !== "content" || typeof received !== "string") return value;
  if (type === "message" && Array.isArray(value))
    return value.map(({ text }: { text?: string }) => text ?? received).join("");
  const isWrapped = role === "tool" && typeof value === "string" && value !== "" && received.includes(value);
  return isWrapped ? received : value;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
