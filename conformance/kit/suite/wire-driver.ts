// What a driver of level wire can be asked: which cases can be said to it, and as what.

import type {
  Case,
  Handler,
  InitializeResult,
  ModelAccess,
  RunOptions,
  Tool,
  WireRunParams,
} from "../../../schemas/types.ts";
import type { ProviderCodec } from "../wire/codec.ts";
import { whyTaken } from "../wire/taken.ts";
import { toolsOf } from "./case-agents.ts";

/** Whether a driver is judged by what the kit sees, and sent what a user says instead of a session. */
export function isWireDriver({ level }: InitializeResult): boolean {
  return level === "wire";
}

/** What the features are called of which a driver of level wire needs a verb. */
const verbOf = { next_message: "after", cancel: "cancel" } as const;
/** Features of which a driver of level wire needs nothing: the kit sees for itself what comes of them. */
const needsNothing = new Set(["streaming"]);
/** Options that say nothing of what the loop has to do on the wire. */
const unsaid = new Set<keyof RunOptions>(["max_retries"]);

/** `true`, or why a case cannot be said to a driver of level wire, or means nothing at its provider. @see KIT-28 */
export function sayableTo(driver: InitializeResult, source: Case, codec?: ProviderCodec): true | string {
  if (!isWireDriver(driver)) return true;
  const taken = codec && source.requires.map((id) => whyTaken(id, codec)).find((why) => why !== undefined);
  return taken ?? whyNot(driver, source) ?? true;
}

function whyNot(
  { verbs = [] }: InitializeResult,
  { given, features = [], actions = [], model }: Case,
): string | undefined {
  for (const feature of features) {
    const verb = verbOf[feature as keyof typeof verbOf];
    if (verb !== undefined && !verbs.includes(verb)) return `the driver does not offer ${verb}`;
    if (verb === undefined && !needsNothing.has(feature)) return `a driver of level wire is not sent ${feature}`;
  }
  const { messages, tools: _, handlers = {}, instructions: __, options = {}, ...others } = given;
  const [other] = Object.keys(others);
  if (other !== undefined) return `a driver of level wire is not sent given.${other}`;
  const [message, ...more] = messages;
  if (more.length > 0 || message?.role !== "user" || typeof message.content !== "string" || message.content === "")
    return "a driver of level wire is sent one text of a user, and no session";
  if (Object.keys(message).length > 2) return "a driver of level wire is sent a text, and no other field of a message";
  for (const [name, value] of Object.entries(options) as [keyof RunOptions, unknown][]) {
    if (unsaid.has(name)) continue;
    if (name !== "max_turns" || typeof value !== "number")
      return `a driver of level wire is not sent the option ${name}`;
    if (!verbs.includes("limit")) return "the driver does not offer limit";
  }
  if (
    toolsOf(given).some(
      ({ external, agent, timeout_ms }) => external || agent !== undefined || timeout_ms !== undefined,
    )
  )
    return "a tool of a driver of level wire is executed by the kit, and has no time limit";
  if (Object.values(handlers).some(({ fatal }) => fatal)) return "a driver of level wire is not sent fatal errors";
  if (Object.values(handlers).some(saysParts)) return "a tool of a driver of level wire says a text";
  const names = new Set(toolsOf(given).map(({ name }) => name));
  if (callsCustom(model, names)) return "a driver of level wire declares no custom tool, so that no model calls one";
  const isForeign = actions.some(({ do: act }) => act !== "cancel" && (typeof act === "string" || !act.release));
  return isForeign ? "a driver of level wire takes no other action than a cancel" : undefined;
}

/** Whether a model calls one of the tools as a custom one, which it does only where the request declares it so. */
function callsCustom(value: unknown, names: ReadonlySet<unknown>): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("type" in value && value.type === "custom_tool_call" && "name" in value && names.has(value.name)) return true;
  return Object.values(value).some((one) => callsCustom(one, names));
}

/** What a framework takes for an image is its own affair: as text it would be the text of its data. */
function saysParts({ output, sequence = [] }: Handler): boolean {
  return Array.isArray(output) || sequence.some((each) => Array.isArray(each.output));
}

/** The run of a case that can be said. */
export function wireRun({ given }: Case, run: string, model: ModelAccess): WireRunParams {
  const { messages, instructions, options = {} } = given;
  const { max_turns: limit } = options;
  const input = messages[0]!.role === "user" ? String(messages[0]!.content) : "";
  const optional = { ...(instructions && { instructions }), ...(typeof limit === "number" && { limit }) };
  return { run, input, tools: toolsOf(given).map(withProperties), ...optional, model };
}

/** Frameworks make schemas of typed functions, which always have properties; OpenAI refuses one without. */
function withProperties(tool: Tool): Tool {
  return { ...tool, input_schema: { properties: {}, ...tool.input_schema } };
}
