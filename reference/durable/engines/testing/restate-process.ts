// A worker of the chaos test on Restate, or the process that approves.

import * as restate from "@restatedev/restate-sdk";
import { notesIn, setupOf } from "../../../testing/chaos/world.ts";
import type { DurableSetup } from "../../index.ts";
import { agents, connect } from "../restate.ts";
import { watch } from "./watch.ts";

process.stdin.resume().once("end", () => process.exit(1)); // ends with its parent
const [program, where, file] = process.argv.slice(2) as [string, string, string];

if (program === "worker") {
  const pace = { model: 20, slow: 60, quick: 20 };
  const setup = (run: string) => setupOf(run, pace, notesIn(file)) as DurableSetup;
  await restate.serve({ services: [agents(setup)], port: Number(where) });
} else {
  const client = connect(where);
  await watch(file, { ...client, hasEnded: async (run) => (await client.endOf(run)) !== undefined });
}
