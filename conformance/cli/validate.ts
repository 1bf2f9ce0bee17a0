// The command `validate`: detects the type of a file, and reports everything that is wrong with it.

import type { Session } from "../../schemas/types.ts";
import { checkValue } from "../files/check-value.ts";
import { checkEventEntries, checkRebuild, isSameText, readEvents } from "../files/events.ts";
import type { EventEntry, NamedSession } from "../files/events.ts";
import { fileTypes, nameOf, parseFile, typeOfText, typeOfValue, valueTypes } from "../files/file-types.ts";
import type { ValueType } from "../files/file-types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { readText } from "../kit/base/read-json.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { validate } from "../kit/base/validate.ts";
import { ReportError, readReport } from "../kit/run/report-file.ts";

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
  if (type !== undefined && !fileTypes.includes(type))
    throw new UsageError(`--type ${type || '""'} is not known; ${whichName(type, fileTypes)}`);
  if ((before === undefined) !== (after === undefined))
    throw new UsageError("--before and --after belong together: the sessions that the run began and ended with");
  if (before !== undefined && files.length > 1)
    throw new UsageError("--before and --after are for one file of events; validate the others apart");
  if (feature.length > 0) await checkFeatures(feature);
  if (type !== undefined && provider !== undefined)
    throw new UsageError("--provider is for bodies of requests, which have no --type; leave one of the two out");
  if (provider !== undefined) return validateRequests(files, provider);
  for (const file of files) if (!(await validateFile(file, options))) process.exitCode = 1;
}

/** Prints what is wrong with a file, or what it is. Returns whether it is valid. */
async function validateFile(file: string, options: ValidateOptions): Promise<boolean> {
  const text = readText(file);
  const type = options.type ?? typeOfText(file, text);
  if (type === "report") return validateReport(file, text);
  if (type === "known-failures") return await validateKnownFailures(file);
  const events = type === undefined || type === "events" ? readEvents(file, text, type === "events") : undefined;
  if (events) return validateEvents(file, events, options);
  if (options.before !== undefined)
    throw new UsageError(`${file}: --before and --after are for events; if these are, say --type events`);
  if (type === "case") return await validateCase(file, text);
  return await validateJson(file, text, type === undefined ? undefined : valueTypes[type]);
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

async function validateKnownFailures(file: string): Promise<boolean> {
  const [{ readKnownFailures }, { LoadError }] = await Promise.all([
    import("../kit/run/known-failures-file.ts"),
    import("../kit/suite/suite.ts"),
  ]);
  try {
    await readKnownFailures(file);
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    console.log(error.message);
    return false;
  }
  console.log(`${file}: a valid list of known failures`);
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
  const session = parseFile(file, readText(file)).value;
  const [problem] = validate("Session", session);
  if (problem) throw new UsageError(`${file}: this is not a session: ${problem.pointer} ${problem.message}`);
  return { file, session: session as Session };
}

async function validateRequests(files: string[], name: string): Promise<void> {
  const { providerNamed, validateRequest } = await import("../traffic/read/check-request-body.ts");
  const provider = providerNamed(name);
  for (const file of files) {
    if (!validateRequest(file, parseFile(file, readText(file)).value, provider)) process.exitCode = 1;
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

async function validateJson(file: string, text: string, declared: ValueType | undefined): Promise<boolean> {
  const parsed = parseFile(file, text);
  const type = declared ?? typeOfValue(file, parsed);
  if (!type) throw new UsageError(`${file}: this is none of ${fileTypes.join(", ")}; name what it is with --type`);
  const problems = await checkValue(type, parsed.value, file);
  for (const { pointer, message, requirement } of problems)
    console.log(
      `${file}${pointer === "" ? "" : `#${pointer}`}: ${requirement === undefined ? "" : `${requirement}: `}${message}`,
    );
  if (problems.length === 0) console.log(`${file}: a valid ${nameOf(type)}`);
  return problems.length === 0;
}
