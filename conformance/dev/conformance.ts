// Runs the conformance suite on the implementations of this repository, and relays between them: npm run conformance

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bundleReference, bundledReference } from "./bundle-driver.ts";
import { providerNames } from "../kit/wire/provider-names.ts";
import { root } from "./schema-files.ts";

/** The implementations of this repository, as `agent-loop test --driver` names them. */
export const drivers = ["reference", "python", "go"];

/** Pairs of them between which runs change hands, each with the variants that are enough for every build. @see SESSION-22 */
const relays = [
  ["reference", "python", ["generic", "anthropic-messages/sse"]],
  ["python", "reference", ["generic", "openai-chat/json"]],
  ["go", "python", ["generic", "openai-responses/sse"]],
  ["python", "go", ["generic", "anthropic-messages/json"]],
  ["reference", "go", ["generic", "openai-chat/sse"]],
  ["go", "reference", ["generic", "openai-responses/json"]],
] as const;

/** The suite, once, on one driver or on two. */
export interface Play {
  name: string;
  /** The driver, and the one with which it is played in turns. */
  needed: [driver: string] | [driver: string, relay: string];
  /** Of `agent-loop test`, beside the drivers. */
  options: readonly string[];
}

/** Whether the second loop of a relay is the next one behind the first: three of the relays are a ring. */
function isOfTheRing([driver, relay]: (typeof relays)[number]): boolean {
  return relay === drivers[(drivers.indexOf(driver) + 1) % drivers.length];
}

const ring = relays.filter(isOfTheRing);

/** Every driver with every variant, then every relay: those of a ring over both of their variants, the way back over a provider alone. */
export const wholePlays: readonly Play[] = [
  ...drivers.map((driver): Play => ({ name: driver, needed: [driver], options: [] })),
  ...relays.map((pair) => relayPlay(pair[0], pair[1], isOfTheRing(pair) ? pair[2] : pair[2].slice(1))),
];

/** Each provider over one transport: over SSE every second of them. */
const oneTransport: readonly string[] = providerNames.map((name, at) => `${name}/${at % 2 === 0 ? "sse" : "json"}`);

/** Each provider over its other transport. */
const otherTransports: readonly string[] = providerNames.map((name, at) => `${name}/${at % 2 === 0 ? "json" : "sse"}`);

/** The folders with cases about what goes over the wire, of which many are said over one transport alone. */
const onTheWire: readonly string[] =
  "providers streaming bounds budget cancel events limits pause results retry settings tools"
    .split(" ")
    .flatMap((folder) => ["--case", `${folder}/`]);

/** A loop with every case on some variants, and with the cases about the wire on others. */
function loopPlays(driver: string, variants: readonly string[], wire: readonly string[]): Play[] {
  return [
    { name: driver, needed: [driver], options: variants.flatMap(asOption) },
    { name: `${driver}, on the wire`, needed: [driver], options: [...wire.flatMap(asOption), ...onTheWire] },
  ];
}

/** A loop that shares none of its code with the reference: the generic seam and one provider, and the wire of all others. */
function portPlays(driver: string, provider: string): Play[] {
  const others = [...oneTransport, ...otherTransports].filter((variant) => variant !== provider);
  return loopPlays(driver, ["generic", provider], others);
}

/**
 * What is played of every build: every loop on the generic seam, the reference over one transport of each provider, the others over one
 * of them, and each over everything else with the cases about the wire; and the relays of the ring, in which each loop begins runs and
 * goes on with those of another, one of them over both of its variants. `npm run conformance` plays all of it.
 */
export const buildPlays: readonly Play[] = [
  ...loopPlays("reference", ["generic", ...oneTransport], otherTransports),
  ...portPlays("python", oneTransport[0]!),
  ...portPlays("go", oneTransport[1]!),
  ...ring.slice(0, 1).map(([driver, relay, variants]) => relayPlay(driver, relay, variants)),
  ...ring.slice(1, 2).map(([driver, relay, [generic]]) => relayPlay(driver, relay, [generic])),
  ...ring.slice(2).map(([driver, relay, [, provider]]) => relayPlay(driver, relay, [provider])),
];

/** What is enough between two edits: every case on the generic seam. */
export const quickVariants: readonly string[] = asOption("generic");

/**
 * What is enough while one works: every loop on the generic seam, the reference over each provider with the cases about the wire; and
 * a relay over a provider.
 */
export const shortPlays: readonly Play[] = [
  ...loopPlays("reference", ["generic"], oneTransport),
  { name: "python", needed: ["python"], options: quickVariants },
  { name: "go", needed: ["go"], options: quickVariants },
  ...ring.slice(0, 1).map(([driver, relay, [, provider]]) => relayPlay(driver, relay, [provider])),
];

function relayPlay(driver: string, relay: string, variants: readonly string[]): Play {
  return {
    name: `${driver} ⇄ ${relay}`,
    needed: [driver, relay],
    options: variants.flatMap(asOption),
  };
}

function asOption(variant: string): string[] {
  return ["--variant", variant];
}

/** What a driver needs beside Node: a command that succeeds where it is there, and what to do where it is not. */
const toolchains: Record<string, { probe: [string, ...string[]]; missing: string }> = {
  python: {
    probe: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"],
    missing: "python3 is not installed, or older than 3.9; install it to run the driver that is written in Python",
  },
  go: {
    probe: ["go", "-C", join(root, "conformance/drivers/go"), "list", "-m"],
    missing:
      "go is not installed, or older than its go.mod asks for; install it to run the driver that is written in Go",
  },
};

/** The bundle is made once for all plays. */
let bundling: Promise<void> | undefined;

/** The options of `agent-loop test` that play it. The reference is played as a bundle; `--driver reference` plays its sources. */
export async function testOptions({ needed, options }: Pick<Play, "needed" | "options">): Promise<string[]> {
  if (needed.includes("reference")) await (bundling ??= bundleReference());
  const [driver, relay] = needed.map((name) => (name === "reference" ? bundledReference : name));
  return ["--driver", driver!, ...(relay === undefined ? [] : ["--relay", relay]), ...options];
}

/** Why a driver cannot run here, or undefined if it can. */
export function whyNot(driver: string): string | undefined {
  const needed = toolchains[driver];
  if (needed === undefined) return undefined;
  const [program, ...args] = needed.probe;
  return spawnSync(program, args, { stdio: "ignore" }).status === 0 ? undefined : needed.missing;
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  const plays =
    wanted.length === 0
      ? wholePlays
      : drivers.map((driver): Play => ({ name: driver, needed: [driver], options: wanted }));
  const missing: string[] = [];
  for (const play of plays) missing.push(...(await conformance(play)));
  // Once more at the end, where it is read.
  if (missing.length > 0) console.log(["", ...missing.map((line) => `not run: ${line}`)].join("\n"));
}

/** Runs the suite once, if every driver of it can run here; returns why not, if it cannot. */
async function conformance({ name, needed, options }: Play): Promise<string[]> {
  const reason = needed.map(whyNot).find((why) => why !== undefined);
  console.log(`\n${name}${reason === undefined ? "" : `: skipped, ${reason}`}`);
  if (reason !== undefined) return [`${name}, because ${reason.split(";", 1)[0]}`];
  const command = [join(root, "conformance/cli/main.ts"), "test", ...(await testOptions({ needed, options }))];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
  return [];
}
