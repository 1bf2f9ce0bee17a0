// A worker of the chaos test on Temporal, or the process that approves.

import { DefaultLogger, Runtime } from "@temporalio/worker";
import { notesIn, setupOf } from "../../../testing/chaos/world.ts";
import type { DurableSetup } from "../../index.ts";
import { connect } from "../temporal-client.ts";
import { work } from "../temporal.ts";
import { watch } from "./watch.ts";

process.stdin.resume().once("end", () => process.exit(1)); // ends with its parent
const [program, address, file, codePath] = process.argv.slice(2) as [string, string, string, string];

if (program === "worker") {
  const pace = { model: 20, slow: 60, quick: 20 };
  Runtime.install({ logger: new DefaultLogger("WARN") });
  await work(address, (run) => setupOf(run, pace, notesIn(file)) as DurableSetup, { codePath });
} else {
  const client = await connect(address);
  await watch(file, {
    ...client,
    hasEnded: async (run) => (await client.endOf(run)) !== undefined,
  });
}
