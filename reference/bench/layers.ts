// Measures what each layer between a loop and the wire costs per turn: `npm run bench:layers`. Prints a table in Markdown.

import { areWhole, readOptions, refuse } from "./options.ts";
import { layers, type LayerName } from "./layer-subjects.ts";
import { measure } from "./turn-measure.ts";
import { startServer } from "./turn-processes.ts";
import type { Scenario, Transport, Wire } from "./turn-script.ts";
import { wires } from "./wires.ts";

const usage = `npm run bench:layers -- [options]

CPU time of the client for each turn of a scripted conversation, with one layer more from line to line: the bare request,
Node's client behind the interface of fetch, the SDK, the adapter, and the whole loop. All are measured in turn in one process.
Every number is a multiple of the bare request of its round; the difference of two lines is what the layer costs.

  --provider <name>   ${wires.join(", ")} or all (all)
  --turns <n>         50
  --rounds <n>        5, after one that does not count
`;

const options = readOptions(usage, {
  provider: { type: "string", default: "all" },
  turns: { type: "string", default: "50" },
  rounds: { type: "string", default: "5" },
});
for (const name of ["turns", "rounds"] as const)
  if (!areWhole(options[name]) || options[name].includes(","))
    refuse(usage, `--${name} takes one whole number from 1, not ${options[name]}`);
if (options.provider !== "all" && !(wires as readonly string[]).includes(options.provider))
  refuse(usage, `--provider is one of ${wires.join(", ")} or all, not ${options.provider}`);

const [turns, rounds] = [Number(options.turns), Number(options.rounds)];
const asked = options.provider === "all" ? wires : [options.provider as Wire];
const names = Object.keys(layers) as LayerName[];
/** About how many turns a measurement has, and the conversations of 10 turns before the first of each layer. */
const [MEASURED_TURNS, WARMUPS] = [200, 30];

/** The costs of all layers in one round, each as a multiple of the first. Each round begins with another layer. */
async function measureRound(scenario: Scenario, round: number, url: string): Promise<Record<LayerName, number>> {
  const costs = {} as Record<LayerName, number>;
  for (const place of names.keys()) {
    const layer = names[(round + place) % names.length]!;
    const warmups = round === 0 ? WARMUPS : 0;
    const task = { scenario, url, run: `${layer}-${round}`, warmups, repeats: Math.ceil(MEASURED_TURNS / turns) };
    costs[layer] = (await measure(layers[layer].subject, task)).turn;
  }
  const least = costs[names[0]!];
  return Object.fromEntries(names.map((name) => [name, costs[name] / least])) as Record<LayerName, number>;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

const server = await startServer();
try {
  const scenarios = asked.flatMap((wire) =>
    (["json", "sse"] as Transport[]).map((transport): Scenario => ({ wire, transport, calls: 1, turns })),
  );
  const columns: string[][] = [];
  for (const scenario of scenarios) {
    const measured: Record<LayerName, number>[] = [];
    await measureRound(scenario, 0, server.url); // until all of them are compiled
    for (let round = 1; round <= rounds; round += 1) measured.push(await measureRound(scenario, round, server.url));
    columns.push(names.map((name) => median(measured.map((one) => one[name])).toFixed(2)));
  }
  const row = (cells: string[]) => console.log(`| ${cells.join(" | ")} |`);
  row([`of ${turns} turns`, ...scenarios.map(({ wire, transport }) => `${wire} ${transport}`)]);
  row(["---", ...scenarios.map(() => "---:")]);
  for (const [at, name] of names.entries()) row([layers[name].what, ...columns.map((column) => column[at]!)]);
} finally {
  server.stop();
}
