// DBOS for the chaos test: a PostgreSQL of its own, and a client.

import { DBOS } from "@dbos-inc/dbos-sdk";
import { noPostgres, startPostgres } from "../../../testing/postgres-server.ts";
import { connect } from "../dbos.ts";
import { foundIn, startProgram, type EngineTest, type Started } from "./engine.ts";

export const dbosTest: EngineTest = { missing: noPostgres, start };

async function start(_folder: string, notes: string): Promise<Started> {
  const server = await startPostgres();
  const url = `postgresql://${server.user}@localhost/dbos?host=${encodeURIComponent(server.host)}`;
  await DBOS.migrate(url);
  const client = await connect(url);
  return {
    freezeMs: 3_000, // no lease ends: a run belongs to the worker of its name, however long that one stands still
    side: {
      begin: async (run) => void (await client.begin(run, "Begin.")),
      start: (name, number) => startProgram("dbos-process", name, url, notes, `worker-${number}`),
      found: async (run) => foundIn(run, await client.endOf(`${run}+`)),
      async end() {
        await client.close();
        await server.end();
      },
    },
  };
}
