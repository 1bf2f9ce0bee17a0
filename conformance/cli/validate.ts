// The command `validate`: detects the type of a file, and reports everything that is wrong with it.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Manifest, Session } from "../../schemas/types.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { ReportError, readReport } from "../kit/run/report-file.ts";
import { validate } from "../kit/base/validate.ts";
import type { SchemaType } from "../kit/base/validate.ts";
import type { FileProblem } from "../files/file-problem.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { checkEventEntries, checkRebuild, isSameText, readEvents } from "../files/events.ts";
import type { EventEntry, NamedSession } from "../files/events.ts";

/** What a file can be: a value of a schema, or a list of messages. Lists of events are read line by line. */
type FileType = SchemaType | "Message[]";

const typeNames: Record<string, FileType> = {
  session: "Session",
  snapshot: "Snapshot",
  fixture: "Fixture",
  case: "Case",
  result: "RunResult",
  tool: "Tool",
  agent: "Agent",
  message: "Message",
  messages: "Message[]",
  event: "Event",
  manifest: "Manifest",
};
const knownTypes = [...Object.keys(typeNames), "events", "known-failures", "report"];

interface ValidateOptions {
  /** What the files are, if it cannot be detected. */
  type?: string;
  /** Whose rules the files, bodies of requests, are held against. */
  provider?: string;
  /** The files of the sessions that the run of the events began and ended with. */
  before?: string;
  after?: string;
  /** What the implementation that emitted the events declares. */
  feature?: string[];
}

/** Validates files; exit code 1 if one is not valid. */
export async function validateFiles(files: string[], options: ValidateOptions): Promise<void> {
  const { type, provider, before, after, feature = [] } = options;
  if (type !== undefined && !knownTypes.includes(type))
    throw new UsageError(`--type ${type || '""'} is not known; ${whichName(type, knownTypes)}`);
  if ((before === undefined) !== (after === undefined))
    throw new UsageError("--before and --after belong together: the sessions that the run began and ended with");
  if (before !== undefined && files.length > 1)
    throw new UsageError("--before and --after are for one file of events; validate the others apart");
  if (feature.length > 0) await checkFeatures(feature);
  if (type !== undefined && provider !== undefined)
    throw new UsageError("--provider is for bodies of requests, which have no --type; leave one of the two out");
  if (provider !== undefined) return validateRequests(files, provider);
  for (const file of files) {
    const text = read(file);
    if (type === "report" || (type === undefined && text.startsWith('{"header":'))) {
      if (!validateReport(file, text)) process.exitCode = 1;
      continue;
    }
    if (type === "known-failures" || (type === undefined && /^\{?\s*"?known_failures"?:/m.test(text))) {
      const { validateKnownFailures } = await import("./validate-claims.ts");
      if (!(await validateKnownFailures(file))) process.exitCode = 1;
      continue;
    }
    const isCase = type === "case" || (type === undefined && /\.ya?ml$/.test(file));
    const mayBeEvents = !isCase && (type === undefined || type === "events");
    const events = mayBeEvents ? readEvents(file, text, type === "events") : undefined;
    if (!events && before !== undefined)
      throw new UsageError(`${file}: --before and --after are for events; if these are, say --type events`);
    const valid = isCase
      ? await validateCase(file, text)
      : events
        ? validateEvents(file, events, options)
        : await validateJson(file, text, type === undefined ? undefined : typeNames[type]);
    if (!valid) process.exitCode = 1;
  }
}

function validateReport(file: string, text: string): boolean {
  try {
    readReport(text, file);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    console.log(error.message);
    return false;
  }
  console.log(`${file}: a valid report`);
  return true;
}

function validateEvents(file: string, events: EventEntry[], { before, after, feature }: ValidateOptions): boolean {
  const sessions = before !== undefined && after !== undefined && [readSession(before), readSession(after)];
  const problems = checkEventEntries(events, feature ?? []);
  if (problems.length === 0 && sessions) problems.push(...checkRebuild(events, sessions[0]!, sessions[1]!));
  for (const { place, message, requirement } of problems)
    console.log(`${file}${place}: ${requirement === undefined ? "" : `${requirement}: `}${message}`);
  if (problems.length > 0) return false;
  console.log(`${file}: a valid list of events`);
  if (!sessions) return true;
  const bytes = isSameText(events, sessions[0]!, sessions[1]!) ? ", byte for byte" : ", with its keys in another order";
  console.log(`${file}: rebuilds ${after} from ${before}${bytes}`);
  return true;
}

async function checkFeatures(named: string[]): Promise<void> {
  const { readCatalogue } = await import("../kit/suite/catalogue.ts");
  const { features } = readCatalogue(packagePath());
  const unknown = named.find((name) => !features.has(name));
  if (unknown !== undefined)
    throw new UsageError(`--feature ${unknown || '""'} is not known; ${whichName(unknown, features.keys())}`);
}

function readSession(file: string): NamedSession {
  const session = parse(file, read(file)).value;
  const [problem] = validate("Session", session);
  if (problem) throw new UsageError(`${file}: this is not a session: ${problem.pointer} ${problem.message}`);
  return { file, session: session as Session };
}

async function validateRequests(files: string[], name: string): Promise<void> {
  const { providerNamed, validateRequest } = await import("../traffic/read/check-request-body.ts");
  const provider = providerNamed(name);
  for (const file of files) {
    if (!validateRequest(file, parse(file, read(file)).value, provider)) process.exitCode = 1;
  }
}

async function validateCase(file: string, text: string): Promise<boolean> {
  const [{ readCaseFile }, { bugNames, fixtureExists }, { readCatalogue }] = await Promise.all([
    import("../kit/suite/case-file.ts"),
    import("../kit/suite/suite.ts"),
    import("../kit/suite/catalogue.ts"),
  ]);
  const names = { ...readCatalogue(packagePath()), bugs: await bugNames(), hasFixture: fixtureExists };
  const { problems } = readCaseFile(file, text, names);
  for (const { line, column, message } of problems) console.log(`${file}:${line}:${column} ${message}`);
  if (problems.length === 0) console.log(`${file}: a valid case`);
  return problems.length === 0;
}

async function validateJson(file: string, text: string, declared: FileType | undefined): Promise<boolean> {
  const { value, isLines } = parse(file, text);
  const type = declared ?? (basename(file) === "agent-loop.json" ? "Manifest" : detect(value, isLines));
  if (!type) throw new UsageError(`${file}: this is none of ${knownTypes.join(", ")}; name what it is with --type`);
  const problems = await check(type, value, file);
  for (const { pointer, message, requirement } of problems)
    console.log(
      `${file}${pointer === "" ? "" : `#${pointer}`}: ${requirement === undefined ? "" : `${requirement}: `}${message}`,
    );
  if (problems.length === 0) console.log(`${file}: a valid ${describe(type)}`);
  return problems.length === 0;
}

async function check(type: FileType, value: unknown, file: string): Promise<FileProblem[]> {
  if (type === "Message[]") return await checkMessages(value);
  const problems = validate(type, value);
  if (problems.length > 0) return problems;
  if (type === "Manifest") return (await import("./validate-claims.ts")).checkClaims(value as Manifest, file);
  return type === "Session" ? await checkPairing(value as Session) : [];
}

async function checkMessages(value: unknown): Promise<FileProblem[]> {
  const session = { spec_version: "1.0", id: "messages", messages: value };
  const problems: FileProblem[] = validate("Session", session);
  const found = problems.length > 0 ? problems : await checkPairing(session as Session);
  return found.map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/messages/, "") }));
}

async function checkPairing(session: Session): Promise<FileProblem[]> {
  const { checkSession } = await import("../../reference/state/check-session.ts");
  return checkSession(session);
}

/** What a value is, by the keys that only it has. */
function detect(value: unknown, isLines: boolean): FileType | undefined {
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    return isLines || !isObject(first) || !("role" in first || "type" in first) ? undefined : "Message[]";
  }
  if (!isObject(value)) return undefined;
  if ("phase" in value && "response_start" in value) return "Snapshot";
  if ("fixture" in value && "exchanges" in value) return "Fixture";
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
  return Object.entries(typeNames).find(([, name]) => name === type)![0];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
