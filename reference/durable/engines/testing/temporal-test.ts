// Temporal for the chaos test: a server of its own, and a client. No registry of npm has the server.

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleWorkflowCode, DefaultLogger } from "@temporalio/worker";
import { connect } from "../temporal-client.ts";
import { workflowsPath } from "../temporal.ts";
import { freePort } from "./balancer.ts";
import { foundIn, startProgram, type EngineTest, type Started } from "./engine.ts";
import { startGuarded } from "./guarded.ts";

const program = process.env["TEMPORAL_SERVER"];

export const temporalTest: EngineTest = {
  missing: program
    ? undefined
    : "no registry of npm has its server: name the command in TEMPORAL_SERVER, as in 'temporal server start-dev --headless --port'; the port is added",
  start,
};

async function start(folder: string, notes: string): Promise<Started> {
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger("WARN") });
  const codePath = join(folder, "workflow.js");
  await writeFile(codePath, code);
  const port = await freePort();
  const [file = "", ...given] = program!.split(" ");
  const server = startGuarded(file, [...given, String(port)], {});
  const closed = once(server, "close");
  const address = `127.0.0.1:${port}`;
  const client = await connected(address);
  return {
    freezeMs: 9_000, // three times as long as a tool may give no sign of life
    side: {
      begin: async (run) => void (await client.begin(run, "Begin.")),
      start: (name) => startProgram("temporal-process", name, address, notes, codePath),
      found: async (run) => foundIn(run, await client.endOf(run)),
      async end() {
        await client.close();
        server.stdin!.end();
        await closed;
      },
    },
  };
}

async function connected(address: string): ReturnType<typeof connect> {
  for (let attempts = 1; ; attempts += 1)
    try {
      return await connect(address);
    } catch (error) {
      if (attempts === 60) throw error;
      await sleep(500);
    }
}
