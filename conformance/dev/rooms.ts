// The rooms of the source: what each is for, and what it may import. The rules of the linter, the tables in CONTRIBUTING.md and
// the test on the graph of all imports come from this list.

import { providers } from "../../reference/providers/registry.ts";

/** A folder of sources with one purpose, or a file that is a door to others. */
export interface Room {
  /** The folder or file. A room inside another one is a room of its own. */
  path: string;
  /** What it is for, in one sentence. */
  purpose: string;
  /**
   * What it may import besides itself and the types in `schemas/`: folders and files of the project, and packages.
   * Tests, and the stand-ins in `testing/`, may import everything.
   */
  imports: readonly string[] | "everything";
  /** What it may import types of, and nothing that runs. */
  types?: readonly string[];
  /** Its files do not import each other. */
  apart?: true;
  /** What this is good for, where it is not plain. */
  because?: string;
}

const state = "reference/state";
const tools = "reference/tools";
const run = "reference/run";
const plugIn = "reference/plugins/plugin.ts";
const belowPlugins = ["reference/core", "reference/support", state, tools];
const validator = "@cfworker/json-schema";
const anthropic = "@anthropic-ai/sdk";
const google = "@google/genai";

const alone = "each one is read, tested and installed alone.";
const anywhere =
  "What the root of the package imports runs anywhere and loads no SDK: no node:*, no provider adapter, no SDK.";
const neverAnother =
  "Never another plug-in and never run/: what two of them need is in state/ or tools/, and what they need of the run is handed to them.";

/** Bottom to top: a room imports nothing that stands after it. */
const reference: Room[] = [
  {
    path: "reference/core",
    purpose: "The loop, in at most 300 lines.",
    imports: [],
    because: "It is read alone, runs alone, and knows neither modules nor providers nor Node.",
  },
  {
    path: "reference/support",
    purpose: "Clock, exact money, canonical JSON, waiting until aborted: knows nothing of agents.",
    imports: [],
    because: anywhere,
  },
  {
    path: state,
    purpose:
      "Sessions, snapshots and journals as values: checked, repaired, folded, priced, summed to a result; nothing here runs anything.",
    imports: ["reference/core", "reference/support"],
    because: anywhere,
  },
  {
    path: "reference/events",
    purpose: "What consumers do with the events of a run: streams, filters, debug text, spans.",
    imports: ["reference/core", "reference/support", "@opentelemetry/api"],
    because: anywhere,
  },
  {
    path: tools,
    purpose: "What a tool and an agent are: definitions, schema validation, MCP.",
    imports: ["reference/core", "reference/support", state, validator, "@modelcontextprotocol/client"],
    because: anywhere,
  },
  {
    path: "reference/providers",
    purpose: "One folder for each provider.",
    imports: [],
    because: "Here itself stand only the tests of what all providers have in common.",
  },
  {
    path: "reference/providers/shared",
    purpose: "What all providers share: requests over HTTP, errors, streams, caches, names.",
    imports: ["reference/support", "eventsource-parser"],
    types: ["reference/core", "node:http"],
  },
  {
    path: "reference/providers/openai",
    purpose: "What the two providers of OpenAI share.",
    imports: ["reference/support", "reference/providers/shared", "openai"],
    types: ["reference/core"],
  },
  ...Object.values(providers).map(({ name, purpose, sdk = [], shares = [] }): Room => ({
    path: `reference/providers/${name}`,
    purpose,
    imports: [
      "reference/support",
      ...["shared", ...shares].map((folder) => `reference/providers/${folder}`),
      ...[sdk].flat(),
    ],
    types: ["reference/core"],
    because: `A provider adapter imports its own SDK and no other adapter: ${alone}`,
  })),
  {
    path: "reference/providers/registry.ts",
    purpose: "The providers by name, generated from their folders.",
    imports: Object.keys(providers).map((name) => `reference/providers/${name}`),
    types: ["reference/providers/shared"],
  },
  {
    path: "reference/providers/replay",
    purpose: "A provider that answers with recorded traffic, read as the adapters read it.",
    imports: ["reference/providers/shared", "reference/providers/registry.ts"],
    types: ["reference/core"],
  },
  {
    path: "reference/stores",
    purpose: "Where journals are kept.",
    imports: ["reference/core", "reference/support", state, "node:*"],
  },
  {
    path: "reference/plugins",
    purpose: "Everything that plugs into a run, all of one shape; one file each, in a folder for where it plugs in.",
    // A table of the spec as code belongs to the plug-in that reads it.
    imports: [...belowPlugins, plugIn, "reference/plugins/tools/permission-table.ts"],
    apart: true,
    because: `${neverAnother} ${anywhere}`,
  },
  {
    path: "reference/plugins/hooks",
    purpose: "Asks the hooks of the user: one plug-in in several files.",
    imports: [...belowPlugins, plugIn],
    because: `${neverAnother} ${anywhere}`,
  },
  {
    path: "reference/plugins/compaction",
    purpose: "Keeps a session within the context window: one plug-in in several files.",
    imports: [...belowPlugins, plugIn],
    because: `${neverAnother} ${anywhere}`,
  },
  {
    path: run,
    purpose: "One run from setup to result: its handle, its beginning, its plug-ins in order, the core, its end.",
    imports: [...belowPlugins, "reference/events", "reference/plugins"],
    because: anywhere,
  },
  {
    path: "reference/patterns",
    purpose: "Whole runs put together: planning, reflection, hypotheses, prompt layers, streams of input.",
    imports: [...belowPlugins, "reference/events", run],
    types: ["reference/plugins"],
    because: anywhere,
  },
  {
    path: "reference/durable",
    purpose: "The loop on an engine that keeps steps: two verbs, and what they have to promise.",
    imports: ["reference/core", "reference/support", "reference/tools", run],
    types: ["reference/plugins"],
    because: anywhere,
  },
  {
    path: "reference/index.ts",
    purpose: "What the root of the package exports.",
    imports: [...belowPlugins, "reference/events", "reference/plugins", run, "reference/patterns"],
    because: anywhere,
  },
  {
    path: "reference/durable/engines",
    purpose:
      "The loop on engines of others, a file each: with packages of their own, which the project does not install.",
    imports: [
      "reference",
      "node:*",
      "@dbos-inc/dbos-sdk",
      "@restatedev/restate-sdk",
      "@restatedev/restate-sdk-clients",
      "@temporalio/activity",
      "@temporalio/client",
      "@temporalio/worker",
      "@temporalio/workflow",
    ],
  },
  {
    path: "reference/static.ts",
    purpose: "The same for sandboxes that load nothing later, such as those of workflow engines.",
    imports: [...belowPlugins, run, "@cfworker/json-schema"],
    because: anywhere,
  },
  {
    path: "reference/examples",
    purpose: "A program of at most 25 lines for each feature.",
    imports: ["reference", "fixtures", "node:*", "@opentelemetry/sdk-trace-base"],
  },
  {
    path: "reference/beside",
    purpose: "The same small program with this loop and with other libraries.",
    imports: ["reference", "node:*", anthropic, "@openai/agents", "ai", "valibot", "@valibot/to-json-schema", "zod"],
  },
  {
    path: "reference/bench",
    purpose: "Measures what the loop costs beside a hand-written one.",
    imports: ["reference", "node:*", anthropic, google, "openai"],
  },
  {
    path: "reference/testing",
    purpose: "What tests of the reference share: scripted worlds, random sessions, what must hold in every run.",
    imports: "everything",
  },
];

const kit = (...names: string[]) => names.map((name) => `conformance/kit/${name}`);
const ownDoor = "The kit meets the reference through the same door as everyone else, a driver process.";
const look = ["conformance/reporters/visible.ts", "conformance/reporters/html"];
/** What works on recorded sessions checks, repairs, prices and renders them as the reference does. */
const readsSessions = [
  "reference/state/check-session.ts",
  "reference/state/repair-session.ts",
  "reference/support/money.ts",
  "reference/providers",
];
const fixture = "conformance/traffic/fixture";
const record = "conformance/traffic/record";
const replay = "conformance/traffic/replay";
const read = "conformance/traffic/read";
const probeRoom = "conformance/probe";
const matrixRoom = "conformance/matrix";
const files = "conformance/files";
const copy = "conformance/copy";
const shared = "conformance/cli/shared";
const testCommand = "conformance/cli/test-command";

/** Bottom to top: a room imports nothing that stands after it. */
const conformance: Room[] = [
  {
    path: "conformance/kit/base",
    purpose: "Validation, matchers, JSON pointers, redaction, the names of the protocol.",
    imports: ["node:*", validator],
    because: ownDoor,
  },
  {
    path: "conformance/kit/wire",
    purpose:
      "Each provider as the kit knows it: reads requests, renders responses, holds the provider's rules; and the HTTP server that plays it.",
    imports: [...kit("base"), "node:*"],
    because: "Never the reference's adapters: what the kit knows of a provider is a second opinion.",
  },
  {
    path: "conformance/kit/suite",
    purpose: "Case files become linted cases and variants.",
    imports: [...kit("base", "wire"), "node:*", "yaml"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/driver",
    purpose: "An implementation under test: its process, its handshake, its messages, its restarts.",
    imports: [...kit("base"), "node:*"],
    types: kit("suite"),
    because: ownDoor,
  },
  {
    path: "conformance/kit/observed",
    purpose: "What was seen of one run, and what a correct loop's session would be at that moment.",
    imports: [...kit("base", "suite"), "node:*"],
    types: kit("wire"),
    because: ownDoor,
  },
  {
    path: "conformance/kit/checks",
    purpose: "Compares what was seen with the case and with the spec.",
    imports: [...kit("base", "wire", "suite", "driver", "observed"), "node:*"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/play",
    purpose: "Plays one variant: the model, tools, hooks and functions that a case scripts.",
    imports: [...kit("base", "wire", "suite", "driver", "observed", "checks"), "node:*"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/vectors",
    purpose: "Cases as plain data for other test runners.",
    imports: [...kit("base", "wire", "suite", "driver", "observed", "checks"), "node:*"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/run",
    purpose: "A run of the suite: jobs, verdicts, known failures, coverage, report.",
    imports: [...kit("base", "wire", "suite", "driver", "observed", "checks", "play"), "node:*", "yaml"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/driver-check",
    purpose: "Walks a driver through the protocol.",
    imports: [...kit("base", "wire", "suite", "driver", "observed", "checks", "play", "run"), "node:*"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/relay",
    purpose: "Two drivers as one: each gets a session where the other left it.",
    imports: [...kit("base", "wire", "suite", "driver", "observed", "checks", "play", "run"), "node:*"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/combine",
    purpose: "Cases that nobody wrote, in which features meet, and where loops differ in them.",
    imports: [...kit("base", "wire", "suite", "driver", "observed", "checks", "play", "run"), "node:*"],
    because: ownDoor,
  },
  {
    path: "conformance/kit/index.ts",
    purpose: "What the package exports of the kit.",
    imports: kit("base", "wire", "suite", "driver", "observed", "checks", "play", "vectors", "run"),
    because: ownDoor,
  },
  {
    path: "conformance/kit/testing",
    purpose: "What tests of the kit share: drivers, loops and servers that behave, and a zoo of drivers that do not.",
    imports: "everything",
  },
  {
    path: "conformance/reporters",
    purpose: "A report in the format that somebody reads.",
    imports: ["conformance/kit", "node:*", "diff", "picocolors", "vitest"],
    because: ownDoor,
  },
  {
    path: fixture,
    purpose: "Recorded traffic as data: files, faults, secrets, and which request of a fixture is meant.",
    imports: ["conformance/kit", "node:*", "@secretlint"],
    because: ownDoor,
  },
  {
    path: record,
    purpose: "Writes down what a program and a provider say to each other.",
    imports: ["conformance/kit", fixture, "node:*"],
    because: ownDoor,
  },
  {
    path: replay,
    purpose: "Answers a program with what was recorded.",
    imports: ["conformance/kit", fixture, record, "node:*"],
    because: ownDoor,
  },
  {
    path: "conformance/traffic/in-process",
    purpose: "Records and replays inside a TypeScript program: as handlers, or as a provider.",
    imports: ["conformance/kit", fixture, record, replay, "reference/providers", "node:*", "msw"],
    types: ["reference/core"],
    because: "Of the reference, replaying in process imports only the adapters that render and read what is replayed.",
  },
  {
    path: files,
    purpose: "What a file of the spec is, and everything that is wrong with it.",
    imports: ["conformance/kit", "reference/state/check-session.ts", "reference/tools/check-schema.ts", "node:*"],
    because: "A session is held against the rules that the reference itself keeps.",
  },
  {
    path: read,
    purpose: "Says what recorded traffic means: its requests and answers, what it breaks, what it cost.",
    imports: ["conformance/kit", files, fixture, record, ...look, ...readsSessions, "node:*", "picocolors"],
  },
  {
    path: "conformance/traffic/formats",
    purpose: "Traffic and conversations in the formats of others, in and out.",
    imports: ["conformance/kit", fixture, record, read, ...readsSessions, "node:*", "yaml"],
  },
  {
    path: probeRoom,
    purpose: "Puts a whole agent program under test: plays the provider to it, and judges what it asked and did.",
    imports: ["conformance/kit", fixture, record, read, "node:*"],
  },
  {
    path: "conformance/probe/testing",
    purpose: "What tests of the probe share: a small agent program, right or with one of many faults.",
    imports: "everything",
  },
  {
    path: matrixRoom,
    purpose: "The matrix: installs loops of others, measures them, and shows every breach with what proves it.",
    imports: ["conformance/kit", "conformance/reporters", probeRoom, "node:*"],
  },
  {
    path: "conformance/traffic/testing",
    purpose: "What tests of traffic share: a provider to record.",
    imports: "everything",
  },
  {
    path: "conformance/teaching/faults",
    purpose: "The faults that can be planted in the reference, and the edit that plants one.",
    imports: ["conformance/kit", "node:*", "diff", "yaml"],
  },
  {
    path: "conformance/teaching/explain",
    purpose: "Explains a word, a requirement, a message, a failure: whatever has a name.",
    imports: ["conformance/kit", "conformance/teaching/faults", "node:*"],
  },
  {
    path: "conformance/teaching/stages",
    purpose: "The stages in which somebody builds a loop, and how far one has come.",
    imports: ["conformance/kit", "node:*", "yaml"],
  },
  {
    path: "conformance/teaching/stepper",
    purpose: "Walks through a run one transition at a time.",
    imports: ["conformance/kit", "conformance/traffic", ...look, "reference/core", state, "node:*", "picocolors"],
  },
  {
    path: "conformance/teaching/quiz",
    purpose: "Shows a trace with a fault in it, and asks what is wrong.",
    imports: [
      "conformance/kit",
      "conformance/reporters/show-difference.ts",
      ...look,
      "conformance/traffic",
      "conformance/teaching/faults",
      "conformance/teaching/explain",
      "node:*",
      "picocolors",
    ],
  },
  {
    path: "conformance/teaching/tour",
    purpose: "The loop in ten programs, each a step on from the last.",
    imports: ["conformance/traffic", "reference", "node:*", "diff", "picocolors"],
  },
  {
    path: copy,
    purpose: "Makes the files of a copy of the core: no more than it needs, with imports that hold in it.",
    imports: ["conformance/kit", "conformance/traffic/record/this-program.ts", "node:*"],
  },
  {
    path: shared,
    purpose:
      "What several commands share: how options are read, where reports and files are written, what the terminal can do.",
    imports: ["conformance/kit", "conformance/reporters", fixture, record, "node:*", "commander"],
  },
  {
    path: testCommand,
    purpose:
      "The parts of the command `test`: its options, its known failures, its second driver, and running again what is touched.",
    imports: ["conformance/kit", shared, "node:*"],
  },
  {
    path: "conformance/cli",
    purpose: "One file a command: options in, exit code out, and nothing that another room needs.",
    imports: [
      "conformance/kit",
      "conformance/reporters",
      "conformance/traffic",
      probeRoom,
      matrixRoom,
      files,
      "conformance/teaching",
      copy,
      shared,
      testCommand,
      ...readsSessions,
      "node:*",
      "commander",
      "picocolors",
      "yaml",
    ],
    because:
      "Of the reference, the command line imports only check-session and repair-session (validate, repair), money (what traffic cost) and providers (convert).",
  },
  {
    path: "conformance/drivers",
    purpose: "The implementations that are tested here, each as a driver.",
    imports: ["reference", "node:*"],
  },
  {
    path: "conformance/agents",
    purpose: "Agent programs that a probe knows: described as data, and small ones of the project itself.",
    imports: ["reference", "node:*", anthropic, google, "openai"],
    because: "They meet the kit as programs, and know nothing of it.",
  },
  {
    path: "conformance/eject",
    purpose: "What `agent-loop eject` writes around the core.",
    imports: [
      "reference/core",
      "reference/state/call-ids.ts",
      "reference/state/check-session.ts",
      "reference/state/known-ending.ts",
      "reference/tools/check-schema.ts",
      "node:*",
    ],
    because: "What it imports is ejected, too.",
  },
  {
    path: "conformance/templates",
    purpose: "What `agent-loop init` writes: a driver to begin with.",
    imports: ["node:*", "openai"],
    because: "It leaves the project, and runs without it, with the SDK that its user has.",
  },
  {
    path: "conformance/peers",
    purpose: "Frameworks of others, each as a driver of level wire, in a fixed version.",
    imports: ["conformance/templates/framework/typescript", "node:*"],
    because: "A peer is driven with its own packages, which are installed beside its driver and nowhere else.",
  },
  {
    path: "conformance/dev",
    purpose: "What makes and checks the project, and is not shipped.",
    imports: "everything",
  },
];

/** Whether a place is a file of the project. */
export function isFile(place: string): boolean {
  return place.endsWith(".ts");
}

/** Whether a place is a package, or `node:*`, which is all of Node. */
export function isPackage(place: string): boolean {
  return !/^(reference|conformance|schemas|fixtures)(\/|$)/.test(place);
}

/** Every room, bottom to top. */
export const rooms: readonly Room[] = [
  {
    path: "schemas",
    purpose: "JSON Schemas, one concept each, and the types that are made of them.",
    imports: [],
  },
  ...reference,
  ...conformance,
];

/**
 * Imports that are still against this list, or close a circle of files, by the file that has them. The linter does not hold these
 * files, the test on the graph of all imports holds the rest of what they import.
 */
export const pending: Readonly<Record<string, readonly string[]>> = {};
