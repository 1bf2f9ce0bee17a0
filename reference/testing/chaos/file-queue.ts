// A queue for a store that has none: a folder with a file for each job, which workers look through.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { SessionInUseError, type QueueStore, type SessionStore } from "../../stores/session-store.ts";

/** For ids that are names of files. The place of a job in the queue is in its name. */
export function withFileQueue(store: SessionStore, folder: string): QueueStore {
  const jobsIn = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".job")).toSorted();
  const idOf = (name: string) => name.slice(name.indexOf("~") + 1, name.lastIndexOf("~"));

  return {
    ...store,

    async enqueue(id, job) {
      await mkdir(folder, { recursive: true });
      const name = `${String(Date.now()).padStart(15, "0")}~${id}~${randomUUID()}`;
      await writeFile(join(folder, `${name}.new`), JSON.stringify(job));
      await rename(join(folder, `${name}.new`), join(folder, `${name}.job`));
    },

    async take() {
      for (const id of new Set((await jobsIn()).map(idOf))) {
        const session = await store.open(id).catch((error: unknown) => {
          if (error instanceof SessionInUseError) return undefined;
          throw error;
        });
        if (!session) continue;
        const names = (await jobsIn()).filter((name) => idOf(name) === id);
        if (names.length === 0) {
          await session.close(); // another worker has just done them
          continue;
        }
        const jobs = await Promise.all(names.map(async (name) => readFile(join(folder, name), "utf8")));
        return {
          ...session,
          jobs: jobs.map((job) => JSON.parse(job) as unknown),
          async done() {
            await session.append([]); // rejected if the writer was replaced
            for (const name of names) await rm(join(folder, name));
          },
        };
      }
      return undefined;
    },
  };
}
