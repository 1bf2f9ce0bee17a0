// Measures what whole turns cost: `npm run bench`. The reference beside a hand-written loop over the SDK, and beside the floor.

import { areWhole, readOptions, refuse } from "./options.ts";
import { measureApart, startServer } from "./turn-processes.ts";
import { headLine, judge, ratiosOf, tableLine } from "./turn-report.ts";
import type { Round } from "./turn-report.ts";
import { wires } from "./wires.ts";
import type { Scenario, Transport, Wire } from "./turn-script.ts";
import type { SubjectName } from "./turn-subjects.ts";

const usage = `npm run bench -- [options]

CPU time of the client for each turn of a scripted conversation, in a process of its own for each measurement, against a
server on this machine. Prints ratios with their spread over the rounds; ends with 1 if a target is missed or a subject
does not do the work.

  --provider <name>   ${wires.join(", ")} or all (${wires[0]})
  --transport <list>  json,sse
  --turns <list>      10,50,200,1000
  --calls <list>      tool calls in each turn: 1,8
  --rounds <n>        5
  --quick             every provider with short conversations, one round: that the work is done, no targets
`;

const options = readOptions(usage, {
  provider: { type: "string", default: wires[0]! },
  transport: { type: "string", default: "json,sse" },
  turns: { type: "string", default: "10,50,200,1000" },
  calls: { type: "string", default: "1,8" },
  rounds: { type: "string", default: "5" },
  quick: { type: "boolean", default: false },
});

for (const name of ["turns", "calls"] as const)
  if (!areWhole(options[name])) refuse(usage, `--${name} takes whole numbers from 1, not ${options[name]}`);
if (!areWhole(options.rounds) || options.rounds.includes(","))
  refuse(usage, `--rounds takes one whole number from 1, not ${options.rounds}`);
if (options.provider !== "all" && !(wires as readonly string[]).includes(options.provider))
  refuse(usage, `--provider is one of ${wires.join(", ")} or all, not ${options.provider}`);
if (!options.transport.split(",").every((one) => one === "json" || one === "sse"))
  refuse(usage, `--transport is json, sse or both, not ${options.transport}`);

const subjectNames: SubjectName[] = ["reference", "sdk", "floor"];
/** About how many turns a measurement has, so that a short conversation is repeated until its cost can be seen. */
const MEASURED_TURNS = options.quick ? 1 : 1000;
/** Conversations of 10 turns that are not measured, so that no subject pays for what is compiled once. */
const WARMUPS = options.quick ? 1 : 100;

function scenarios(): Scenario[] {
  if (options.quick) {
    const short = { calls: 2, turns: 5 };
    return wires.flatMap((wire) => [
      { wire, transport: "json", ...short },
      { wire, transport: "sse", ...short },
    ]);
  }
  const numbers = (list: string) => list.split(",").map(Number);
  const asked = options.provider === "all" ? wires : [options.provider as Wire];
  return asked.flatMap((wire) =>
    numbers(options.turns).flatMap((turns) =>
      numbers(options.calls).flatMap((calls) =>
        options.transport.split(",").map((transport) => ({ wire, transport: transport as Transport, calls, turns })),
      ),
    ),
  );
}

/** Measures every subject once. Each round begins with another one. */
async function measureRound(scenario: Scenario, round: number, url: string): Promise<Round> {
  const costs: Partial<Round> = {};
  const repeats = Math.ceil(MEASURED_TURNS / scenario.turns);
  for (let place = 0; place < subjectNames.length; place += 1) {
    const subject = subjectNames[(round + place) % subjectNames.length]!;
    costs[subject] = await measureApart({
      subject,
      scenario,
      url,
      run: `${subject}-${round}`,
      warmups: WARMUPS,
      repeats,
    });
  }
  return costs as Round;
}

async function main(): Promise<number> {
  const rounds = options.quick ? 1 : Number(options.rounds);
  const server = await startServer();
  const missed: string[] = [];
  try {
    console.log(headLine());
    for (const scenario of scenarios()) {
      const measured: Round[] = [];
      for (let round = 0; round < rounds; round += 1) measured.push(await measureRound(scenario, round, server.url));
      const ratios = ratiosOf(measured);
      const line = tableLine(scenario, ratios);
      console.log(line);
      if (options.quick) continue;
      for (const { what, holds } of judge(scenario, ratios)) {
        console.log(`  ${holds ? "ok    " : "MISSED"} ${what}`);
        if (!holds) missed.push(`${line.split("  ")[0]}: ${what}`);
      }
    }
  } finally {
    server.stop();
  }
  console.log(
    missed.length > 0 ? `\nMissed:\n${missed.join("\n")}` : "\nEvery subject did the work; no target was missed.",
  );
  return missed.length > 0 ? 1 : 0;
}

process.exitCode = await main().catch((thrown: unknown) => {
  console.error(String(thrown));
  return 1;
});
