// Which calls break the schemas of their tools, as a case says: executing one of a foreign loop is a fault of its own, whatever the case is about.

import type { Observation } from "../observed/observation.ts";
import { isWireDriver } from "../suite/wire-driver.ts";

/**
 * Whether a call of a driver of level wire has arguments that the case expects to be answered as invalid. What is no JSON object at all is
 * not one: that is never to be executed, and said of its own requirement.
 * @see TOOL-5 TOOL-3
 */
export function isInvalidCall(id: string, { filled, driver, expected }: Observation): boolean {
  const { session } = filled.case.expect;
  if (!isWireDriver(driver) || !Array.isArray(session)) return false;
  if (expected.calls.some(({ message }) => message.id === id && message.input === null)) return false;
  return session.some((message: unknown) => {
    const { id: name = "", outcome } = message as { id?: string; outcome?: unknown }; // a name has a $ before it
    return outcome === "invalid_arguments" && (filled.bindings.get(name.slice(1)) ?? name) === id;
  });
}

/**
 * Whether arguments differ in the types of single values alone, such as the word true in place of true. Many loops convert what does not
 * fit its schema, and hand that to the tool: what the model meant is executed, and nobody is hurt.
 * @see TOOL-4
 */
export function isSameInWords(written: unknown, handed: unknown): boolean {
  if (isSingle(written) && isSingle(handed)) return String(written) === String(handed);
  if (!isNested(written) || !isNested(handed)) return written === handed;
  const [left, right] = [Object.entries(written), new Map(Object.entries(handed))];
  return (
    Array.isArray(written) === Array.isArray(handed) &&
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isSameInWords(value, right.get(key)))
  );
}

/** A value that can be said in a word. What stands for nothing, or has values in it, is no word. */
function isSingle(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
