// Restate for the chaos test: a server of its own, two workers behind one address, and a client.

import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../restate.ts";
import { freePort, startBalancer } from "./balancer.ts";
import { foundIn, startProgram, type EngineTest, type Started } from "./engine.ts";
import { startGuarded } from "./guarded.ts";

const program = serverProgram();
const pingMs = 500;

export const restateTest: EngineTest = {
  missing: program ? undefined : "@restatedev/restate-server has no server for this system",
  start,
};

async function start(folder: string, notes: string): Promise<Started> {
  const workers = [await freePort(), await freePort()];
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const balancer = await startBalancer(workers);
  const server = startGuarded(program!, ["--base-dir", join(folder, "restate"), "--no-logo", "--listen-mode", "tcp"], {
    RESTATE_LOG_FILTER: "error,octocrab=off",
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_BIND_IP: "127.0.0.1",
    RESTATE_BIND_PORT: String(node),
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
    RESTATE_DEFAULT_RETRY_POLICY__MAX_INTERVAL: `${pingMs}ms`, // else it waits up to a minute for a worker
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: `${pingMs}ms`,
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: `${pingMs}ms`,
  });
  const closed = once(server, "close");
  const url = `http://127.0.0.1:${ingress}`;
  const client = connect(url);
  const register = () => registered(`http://127.0.0.1:${admin}/deployments`, `http://127.0.0.1:${balancer.port}`);
  let isReady: Promise<void> | undefined;
  return {
    freezeMs: 6 * pingMs,
    side: {
      async begin(run) {
        await (isReady ??= register());
        await client.begin(run, "Begin.");
      },
      start: (name, number) =>
        startProgram("restate-process", name, name === "worker" ? String(workers[number]) : url, notes),
      found: async (run) => foundIn(run, await client.endOf(run)),
      async end() {
        server.stdin!.end();
        await closed;
        balancer.end();
      },
    },
  };
}

/** Tells the server where the workers are, as soon as it and one of them listen. */
async function registered(admin: string, uri: string): Promise<void> {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ uri }) };
  for (let attempts = 1; ; attempts += 1) {
    const answer = await fetch(admin, request).catch((error: unknown) => error);
    if (answer instanceof Response && answer.ok) return;
    if (attempts === 120) throw new Error("Restate did not accept the workers.", { cause: answer });
    await sleep(500);
  }
}

function serverProgram(): string | undefined {
  try {
    const name = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
    return createRequire(createRequire(import.meta.url).resolve("@restatedev/restate-server/package.json")).resolve(
      name,
    );
  } catch {
    return undefined;
  }
}
