// Which calls break the schemas of their tools, as a case says: executing one of a foreign loop is a fault of its own, whatever the case is about.

import type { Observation } from "../observed/observation.ts";
import { isWireDriver } from "../suite/wire-driver.ts";

/**
 * Whether a call of a driver of level wire is one that the case expects to be answered as invalid, though its arguments can be read:
 * executing those that cannot is another fault.
 * @see TOOL-3 TOOL-5
 */
export function isInvalidCall(id: string, { filled, driver }: Observation): boolean {
  const { session } = filled.case.expect;
  if (!isWireDriver(driver) || !Array.isArray(session)) return false;
  const about = (session as { id?: string; input?: unknown; outcome?: unknown }[]).filter(
    ({ id: name = "" }) => (filled.bindings.get(name.slice(1)) ?? name) === id, // a name has a $ before it
  );
  return about.some(({ outcome }) => outcome === "invalid_arguments") && about.every(({ input }) => input !== null);
}
