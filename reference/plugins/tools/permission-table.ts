// What decides about a call: the first row that holds. Generated from spec/permissions.json by `npm run generate`. Do not edit.

import type { Permissions, PermissionRule } from "../../../schemas/types.ts";

/** What must hold for a row, and what becomes of the call. */
export interface PermissionRow {
  when: { rule?: PermissionRule["effect"]; mode?: Permissions["mode"]; read_only?: boolean; edits?: boolean };
  verdict: "allow" | "deny" | "ask" | "classify";
}

export const permissionTable: readonly PermissionRow[] = [
  { when: { rule: "deny" }, verdict: "deny" },
  { when: { rule: "ask" }, verdict: "ask" },
  { when: { mode: "bypass" }, verdict: "allow" },
  { when: { mode: "plan", read_only: false }, verdict: "deny" },
  { when: { mode: "accept_edits", edits: true }, verdict: "allow" },
  { when: { rule: "allow" }, verdict: "allow" },
  { when: { mode: "plan" }, verdict: "allow" },
  { when: { mode: "auto" }, verdict: "classify" },
  { when: {}, verdict: "ask" },
];
