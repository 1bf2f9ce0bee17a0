// The tools of a scripted run, one per behaviour.

import { ToolError } from "../core/execute-tool-calls.ts";
import type { ToolContext, ToolOutput } from "../core/ports.ts";
import type { DefinedTool } from "../tools/define-tool.ts";

/** One execution, as seen by the tool. */
export interface Execution {
  id: string;
  name: string;
  input: unknown;
  signal: AbortSignal;
  /** Tools that were running, and not aborted, when this one started. */
  beside: string[];
  /** The moment at which it was called. */
  moment: number;
  /** The tick in which it ended. */
  ended?: number;
}

/** The part of the world that the tools read and change. */
export interface ToolWorld {
  readonly executions: Execution[];
  readonly labels: readonly string[];
  readonly tick: number;
  wait(ms: number): Promise<void>;
  moment(label: string): void;
}

/** Constants, because schemas are compiled once per object. */
const ANY = { type: "object" as const };
const STRICT = {
  type: "object" as const,
  properties: { x: { type: "integer" as const } },
  required: ["x"],
  additionalProperties: false,
};

type Handler = (context: ToolContext, world: ToolWorld, input: unknown) => ToolOutput | Promise<ToolOutput>;

const untilSignal = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const behaviours: Record<string, [Handler | undefined, Partial<DefinedTool>?]> = {
  read: [() => "read", { annotations: { read_only: true } }],
  look: [(_, world) => world.wait(10).then(() => "seen"), { annotations: { read_only: true } }],
  delegate: [(_, world) => world.wait(20).then(() => "delegated"), { annotations: { concurrent: true } }],
  write: [(_, world) => world.wait(5).then(() => [{ type: "text", text: "written" }])],
  strict: [(_c, _w, input) => JSON.stringify(input), { input_schema: STRICT }],
  throws: [() => Promise.reject(new Error("no"))],
  throws_at_once: [
    () => {
      throw "not even an error"; // oxlint-disable-line no-throw-literal -- a tool may throw anything
    },
  ],
  returns_nothing: [() => undefined as unknown as string],
  says_error: [() => ({ output: "went wrong", is_error: true })],
  fatal: [() => Promise.reject(new ToolError("broken", { fatal: true }))],
  final: [() => ({ output: "the end", final: true })],
  hangs: [
    ({ signal }) =>
      untilSignal(signal).then(() => {
        throw new Error("aborted");
      }),
  ],
  tidy: [
    ({ signal }, world) =>
      untilSignal(signal)
        .then(() => world.wait(5))
        .then(() => "tidied up"),
    { annotations: { concurrent: true } },
  ],
  deaf: [() => new Promise(() => {}), { annotations: { read_only: true } }],
  late: [(_, world) => world.wait(200).then(() => "late"), { timeout_ms: 50 }],
  timed: [({ signal }) => untilSignal(signal).then(() => "in time?"), { timeout_ms: 30 }],
  outside: [undefined, { external: true }],
};

/** The names of the tools of every scripted run. */
export const toolNames = Object.keys(behaviours);

export function toolsOf(world: ToolWorld): DefinedTool[] {
  return Object.entries(behaviours).map(([name, [handler, more]]) => {
    const tool: DefinedTool = { name, input_schema: ANY, ...more };
    if (!handler) return tool;
    const execute = (input: never, context: ToolContext) => executed(handler, name, input, context, world);
    return { ...tool, execute };
  });
}

function executed(handler: Handler, name: string, input: unknown, context: ToolContext, world: ToolWorld) {
  const beside = world.executions
    .filter(({ ended, signal }) => ended === undefined && !signal.aborted)
    .map((one) => one.name);
  const { signal, call } = context;
  const execution: Execution = { id: call.id, name, input, signal, beside, moment: world.labels.length };
  world.executions.push(execution);
  world.moment(`before execute ${name}`);
  const end = () => {
    execution.ended = world.tick;
    world.moment(`after execute ${name}`);
  };
  let output: ToolOutput | Promise<ToolOutput>;
  try {
    output = handler(context, world, input);
  } catch (error) {
    end();
    throw error;
  }
  world.moment(`during execute ${name}`);
  if (!(output instanceof Promise)) {
    end();
    return output;
  }
  return output.finally(end);
}
