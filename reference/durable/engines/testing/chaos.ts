// Kills workers on DBOS in the midst of runs, and says whether anything was lost or done twice: npm run chaos -- 15

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { campaign, reportInWords, type Side } from "../../../testing/chaos/campaign.ts";
import { isFaultless, type RunFound } from "../../../testing/chaos/verdict.ts";
import { noPostgres, startPostgres } from "../../../testing/postgres-server.ts";
import { connect } from "../dbos.ts";

if (noPostgres) {
  console.log(`skip  dbos: ${noPostgres}`);
  process.exit(0);
}
const server = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), "chaos-"));
const url = `postgresql://${server.user}@localhost/dbos?host=${encodeURIComponent(server.host)}`;
await DBOS.migrate(url);
const client = await connect(url);
const notes = join(folder, "notes.jsonl");
const program = fileURLToPath(new URL("./dbos-process.ts", import.meta.url));

const side: Side = {
  begin: async (run) => void (await client.begin(run, "Begin.")),
  start: (name, number) =>
    spawn(process.execPath, [program, name, url, notes, `worker-${number}`], { stdio: ["pipe", "ignore", "inherit"] }),
  async found(run): Promise<RunFound> {
    const { result, session } = (await client.endOf(`${run}+`)) ?? {};
    if (!result || !session) return { run };
    const ended = { phase: "done", session, ending: { status: result.status } };
    return { run, snapshot: ended as NonNullable<RunFound["snapshot"]> };
  },
  end: () => client.close(),
};
// No freezes: a run belongs to the worker of its name until that one is started again, however long it stands still.
const plan = {
  notes,
  freezeMs: 0,
  kills: Number(process.argv[2] ?? 15),
  freezes: 0,
  wave: 8,
  everyMs: 1_500,
  mostMs: 600_000,
};
const report = await campaign(side, plan);
console.log(`dbos: ${reportInWords(report)}`);
await server.end();
await rm(folder, { recursive: true, force: true });
process.exit(isFaultless(report) ? 0 : 1);
