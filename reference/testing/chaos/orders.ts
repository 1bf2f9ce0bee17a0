// What a process of the chaos test is started with.

import type { QueueStore } from "../../stores/session-store.ts";
import { openStore, type StoreName } from "../open-store.ts";
import { withFileQueue } from "./file-queue.ts";
import type { Pace } from "./world.ts";

export interface StorePlace {
  store: StoreName;
  where: string;
  leaseMs: number;
}

export interface Orders extends StorePlace {
  pace: Pace;
  /** How many runs a worker has under way at once. */
  atOnce: number;
  /** The file of notes. */
  notes: string;
}

/** The orders of this process, from its command line. */
export function orders(): Orders {
  return JSON.parse(process.argv[2]!) as Orders;
}

export async function openQueue({ store: kind, where, leaseMs }: StorePlace) {
  const { store, end } = await openStore(kind, where, { leaseMs });
  return { store: kind === "jsonl" ? withFileQueue(store, `${where}.jobs`) : (store as QueueStore), end };
}
