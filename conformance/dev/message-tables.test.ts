// The tables of the driver protocol name every message, and lead to its fields.

import { expect, it } from "vitest";
import { driverNotifications, driverRequests, kitNotifications, kitRequests } from "../kit/base/protocol.ts";
import { fieldTable, messageFields, messageTable } from "./message-tables.ts";

const methods = [kitRequests, kitNotifications, driverRequests, driverNotifications].flatMap((table) =>
  Object.keys(table),
);

it("has a row for each message, with what it says and needs", () => {
  const rows = messageTable().split("\n").slice(2);
  expect(rows.map((row) => /^\| \[`(.*?)`\]/.exec(row)?.[1])).toEqual(methods);
  expect(rows.find((row) => row.includes("[`cancel`]"))).toBe(
    "| [`cancel`](#cancel) | kit → driver | notification | the run is to end at once | `cancel` |",
  );
});
it("has a section for each message", () => {
  expect([...messageFields().matchAll(/^### `(.*)`$/gm)].map(([, method]) => method)).toEqual(methods);
});
it("says of a field what it is, and whether it may be absent", () => {
  const rows = fieldTable("ToolExecuteParams").split("\n");
  expect(rows).toContain("| `run` | string |  | Names the run; chosen by the kit. |");
  expect(rows.find((row) => row.startsWith("| `context` | object | optional |"))).toBeDefined();
  const options = fieldTable("RunOptions").split("\n");
  expect(options.find((row) => row.startsWith("| `max_turns` | integer or null | default `20` |"))).toBeDefined();
});
