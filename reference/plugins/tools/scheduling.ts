// Which calls of a batch may overlap.

import type { ExecutableCall, Executed, Ports, State } from "../../core/ports.ts";
import type { RunOptions, Tool } from "../../../schemas/types.ts";
import type { Plugin } from "../plugin.ts";

export const scheduling: Plugin = {
  name: "scheduling",
  options: ["scheduling", "max_concurrency"],
  attach: ({ options, agents }) => ({
    aroundBatch: () => schedule(options, ({ name }, { agent }) => isConcurrent(agents.tool(agent, name) ?? {})),
  }),
};

type Mode = NonNullable<RunOptions["scheduling"]>;
type Groups = ExecutableCall[][];

/**
 * Executes a batch group by group; the calls of a group overlap, at most `max_concurrency` at a time. Returns the results in call
 * order, regardless of the order of the groups.
 * @see TOOL-19 TOOL-20 TOOL-22
 */
export function schedule(
  options: Pick<RunOptions, "scheduling" | "max_concurrency">,
  isConcurrent: (call: ExecutableCall, state: State) => boolean,
): Ports["execute"] {
  const { scheduling = "barrier", max_concurrency = 10 } = options;
  return async (calls, run, state) => {
    const executed: Executed[] = [];
    for (const group of plans[scheduling](calls, (call) => isConcurrent(call, state))) {
      if (group.length === 1) executed.push(await run(group[0]!));
      else executed.push(...(await atMost(max_concurrency, group, run)));
    }
    return scheduling === "reads_first" ? inCallOrder(calls, executed) : executed;
  };
}

function inCallOrder(calls: ExecutableCall[], executed: Executed[]): Executed[] {
  const byId = new Map(executed.map((one) => [one.result.id, one]));
  return calls.map(({ id }) => byId.get(id)!);
}

/** Whether a tool is concurrent: by default, if it is read-only. */
export function isConcurrent({ annotations = {} }: Pick<Tool, "annotations">): boolean {
  return annotations.concurrent ?? annotations.read_only ?? false;
}

const plans: Record<Mode, (calls: ExecutableCall[], concurrent: (call: ExecutableCall) => boolean) => Groups> = {
  parallel: (calls) => [calls],
  serial: (calls) => calls.map((call) => [call]),
  reads_first: (calls, concurrent) => [
    calls.filter(concurrent),
    ...calls.filter((call) => !concurrent(call)).map((call) => [call]),
  ],
  barrier(calls, concurrent) {
    const groups: Groups = [];
    let open = false;
    for (const call of calls) {
      if (open && concurrent(call)) groups.at(-1)!.push(call);
      else groups.push([call]);
      open = concurrent(call);
    }
    return groups;
  },
};

async function atMost<T, R>(limit: number, items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries(); // shared: each worker takes the next one
  const worker = async () => {
    for (const [i, item] of queue) results[i] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
