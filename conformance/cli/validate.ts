// The command `validate`: finds out what a file is, and says everything that is wrong with it.

import { readFileSync } from "node:fs";
import type { LoopEvent, Session } from "../../reference/types.ts";
import { checkGrammar } from "../kit/event-grammar.ts";
import { packagePath } from "../kit/package-root.ts";
import { validate } from "../kit/validate.ts";
import type { SchemaType } from "../kit/validate.ts";
import { UsageError } from "./usage-error.ts";

/** What a file can be: a value of a schema, or a list of them. */
type FileType = SchemaType | "Message[]" | "Event[]";

const typeNames: Record<string, FileType> = {
  session: "Session",
  snapshot: "Snapshot",
  fixture: "Fixture",
  case: "Case",
  report: "Report",
  result: "RunResult",
  tool: "Tool",
  agent: "Agent",
  message: "Message",
  messages: "Message[]",
  event: "Event",
  events: "Event[]",
};

/** Something that is wrong with a file. */
interface FileProblem {
  pointer: string;
  message: string;
  requirement?: string;
}

interface ValidateOptions {
  /** What the files are, where it cannot be told. */
  type?: string;
  /** Whose rules the files, bodies of requests, are held against. */
  provider?: string;
}

/** Validates files; exit code 1 if one is not valid. */
export async function validateFiles(files: string[], { type, provider }: ValidateOptions): Promise<void> {
  if (type !== undefined && !Object.hasOwn(typeNames, type))
    throw new UsageError(`--type ${type} is not known; known: ${Object.keys(typeNames).join(", ")}`);
  if (type !== undefined && provider !== undefined)
    throw new UsageError("--provider is for bodies of requests, which have no --type; leave one of the two out");
  if (provider !== undefined) return validateRequests(files, provider);
  for (const file of files) {
    const text = read(file);
    const isCase = type === "case" || (type === undefined && /\.ya?ml$/.test(file));
    const valid = isCase
      ? await validateCase(file, text)
      : await validateJson(file, text, type === undefined ? undefined : typeNames[type]);
    if (!valid) process.exitCode = 1;
  }
}

async function validateRequests(files: string[], name: string): Promise<void> {
  const { providerNamed, validateRequest } = await import("./validate-request.ts");
  const provider = providerNamed(name);
  for (const file of files) {
    if (!validateRequest(file, parse(file, read(file)).value, provider)) process.exitCode = 1;
  }
}

async function validateCase(file: string, text: string): Promise<boolean> {
  const [{ readCaseFile }, { bugNames, fixtureExists }, { readCatalogue }] = await Promise.all([
    import("../kit/case-file.ts"),
    import("../kit/suite.ts"),
    import("../kit/catalogue.ts"),
  ]);
  const names = { ...readCatalogue(packagePath()), bugs: await bugNames(), hasFixture: fixtureExists };
  const { problems } = readCaseFile(file, text, names);
  for (const { line, column, message } of problems) console.log(`${file}:${line}:${column} ${message}`);
  if (problems.length === 0) console.log(`${file}: a valid case`);
  return problems.length === 0;
}

async function validateJson(file: string, text: string, asked: FileType | undefined): Promise<boolean> {
  const { value, isLines } = parse(file, text);
  const type = asked ?? detect(value, isLines);
  if (!type)
    throw new UsageError(`${file}: this is none of ${Object.keys(typeNames).join(", ")}; name what it is with --type`);
  const problems = await check(type, value);
  for (const { pointer, message, requirement } of problems)
    console.log(
      `${file}${pointer === "" ? "" : `#${pointer}`}: ${requirement === undefined ? "" : `${requirement}: `}${message}`,
    );
  if (problems.length === 0) console.log(`${file}: a valid ${describe(type)}`);
  return problems.length === 0;
}

async function check(type: FileType, value: unknown): Promise<FileProblem[]> {
  if (type === "Message[]") return await checkMessages(value);
  if (type === "Event[]") return checkEvents(value);
  const problems = validate(type, value);
  return problems.length > 0 || type !== "Session" ? problems : await checkPairing(value as Session);
}

async function checkMessages(value: unknown): Promise<FileProblem[]> {
  const session = { spec_version: "1.0", id: "messages", messages: value };
  const problems: FileProblem[] = validate("Session", session);
  const found = problems.length > 0 ? problems : await checkPairing(session as Session);
  return found.map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/messages/, "") }));
}

async function checkPairing(session: Session): Promise<FileProblem[]> {
  const { checkSession } = await import("../../reference/session-rules.ts");
  return checkSession(session);
}

function checkEvents(value: unknown): FileProblem[] {
  const events = value as LoopEvent[];
  const problems = events.flatMap((event, index) =>
    validate("Event", event).map(({ pointer, message }) => ({ pointer: `/${index}${pointer}`, message })),
  );
  if (problems.length > 0) return problems;
  return checkGrammar(events).map(({ message, requirement }) => ({
    pointer: "",
    message,
    ...(requirement !== undefined && { requirement }),
  }));
}

/** What a value is, by the keys that only it has. */
function detect(value: unknown, isLines: boolean): FileType | undefined {
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    if (isObject(first) && "seq" in first) return "Event[]";
    return isLines || !isObject(first) || !("role" in first || "type" in first) ? undefined : "Message[]";
  }
  if (!isObject(value)) return undefined;
  if ("phase" in value && "response_start" in value) return "Snapshot";
  if ("fixture" in value && "exchanges" in value) return "Fixture";
  if ("report" in value && "totals" in value) return "Report";
  if ("given" in value && "expect" in value) return "Case";
  if ("status" in value && "turns" in value) return "RunResult";
  if ("input_schema" in value) return "Tool";
  if ("seq" in value && "type" in value) return "Event";
  if ("messages" in value || "spec_version" in value) return "Session";
  return "role" in value || "type" in value ? "Message" : undefined;
}

function parse(file: string, text: string): { value: unknown; isLines: boolean } {
  try {
    return { value: JSON.parse(text), isLines: false };
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const values = lines.map((line) => parsedLine(line));
    if (lines.length > 1 && values.every((value) => value !== undefined)) return { value: values, isLines: true };
    throw new UsageError(`${file}: this is neither JSON nor one JSON value per line: ${(error as Error).message}`);
  }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function describe(type: FileType): string {
  if (type === "Message[]") return "list of messages";
  return type === "Event[]" ? "list of events" : Object.entries(typeNames).find(([, name]) => name === type)![0];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
