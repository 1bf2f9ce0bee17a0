// The requests with which tests open a tape of their own, and read its verdict.

import type { IncomingHttpHeaders } from "node:http";
import type { Fixture } from "../../../schemas/types.ts";
import { isTooDeep, maxLevels } from "../../kit/base/nesting.ts";
import { isObject, kindOf } from "../../kit/wire/shared/json.ts";
import type { JsonObject } from "../../kit/wire/shared/json.ts";
import { FixtureError, checkFixture } from "../fixture/fixture-file.ts";
import { controlRefusal } from "./check-sender.ts";
import { ForbiddenFileError } from "./fixture-folder.ts";
import type { FixtureFolder } from "./fixture-folder.ts";
import type { OpenOptions, OpenTape, OpenTapes } from "./open-tape.ts";
import { TooMuchError } from "./server-limits.ts";
import { describeVerdict } from "./tape-messages.ts";

interface Answer {
  status: number;
  body: unknown;
}

/** A request about tapes, as it came. */
export interface ControlRequest {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What the requests about tapes reach. */
export interface ControlledServer extends OpenTapes {
  readonly port: number;
  readonly files: FixtureFolder;
}

/**
 * Answers `POST /_tapes`, `GET /_tapes/:id` and `DELETE /_tapes/:id`, which answers like GET and closes the tape.
 * @see REPLAY-7, REPLAY-12
 */
export async function tapeRequests(server: ControlledServer, request: ControlRequest): Promise<Answer> {
  const { method, target, headers, body } = request;
  const refusal = controlRefusal(headers, server.port);
  if (refusal !== undefined) return refused(403, refusal);
  const id = /^\/_tapes\/([^/?]+)$/.exec(target)?.[1];
  if (method === "POST" && target === "/_tapes") return post(server, headers["content-type"], body);
  if (id === undefined || (method !== "GET" && method !== "DELETE"))
    return refused(404, `expected POST /_tapes, GET /_tapes/:id or DELETE /_tapes/:id, got ${method} ${target}`);
  const found = server.find(id);
  if (!found) return refused(404, `no tape ${id} is open; it was closed or never opened`);
  if (method === "DELETE") server.close(id);
  const { name, verdict } = found.tape;
  return { status: 200, body: { ...verdict, message: describeVerdict(name, verdict).join("\n") } };
}

/** A web page can send any other content type without asking. */
async function post(server: ControlledServer, type: string | undefined, body: Buffer): Promise<Answer> {
  if (!/^application\/json\s*(;|$)/i.test(type ?? ""))
    return refused(
      415,
      `content-type: expected application/json, got ${type ?? "none"}; send the header with the JSON`,
    );
  try {
    return await open(server, readInput(body.toString("utf8")), body.length);
  } catch (thrown) {
    if (thrown instanceof ForbiddenFileError) return refused(403, thrown.message);
    if (thrown instanceof FixtureError) return refused(400, thrown.message);
    if (thrown instanceof TooMuchError) return refused(thrown.status, thrown.message);
    throw thrown;
  }
}

const example = '{"fixture": "file.json"}';
const oneOf = (...values: unknown[]) => ({ expected: values.map(shown).join(" or "), values });

/** What may stand beside the fixture. */
const choices: Record<keyof Pick<OpenOptions, "order" | "timing" | "rules" | "repeat">, ReturnType<typeof oneOf>> = {
  order: oneOf("strict", "any"),
  timing: oneOf("fast", "recorded"),
  rules: oneOf(true, false),
  repeat: oneOf(true, false),
};
const known = ["fixture", ...Object.keys(choices)];

/** What a test asks for. @throws FixtureError that says what is wrong with it */
function readInput(text: string): JsonObject {
  const input = parsed(text);
  if (isTooDeep(input)) throw new FixtureError(`the request is nested deeper than ${maxLevels} levels`);
  if (!isObject(input)) throw new FixtureError(`expected an object such as ${example}, got ${kindOf(input)}`);
  const unknown = Object.keys(input).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new FixtureError(`${unknown} is not known; known: ${known.join(", ")}`);
  for (const [key, { expected, values }] of Object.entries(choices)) {
    const value = input[key];
    if (value === undefined || values.includes(value)) continue;
    throw new FixtureError(`${key}: expected ${expected}, got ${shown(value)}; leave it out for what is usual`);
  }
  return input;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new FixtureError(`expected JSON, such as ${example}, but ${(thrown as Error).message}`);
  }
}

async function open(server: ControlledServer, { fixture, ...options }: JsonObject, bytes: number): Promise<Answer> {
  const [name, value] = await named(server.files, fixture);
  const { id, ...opened } = server.open(value, { ...options, name }, Math.max(bytes, server.files.sizeOf(value)));
  return { status: 201, body: { id, ...placeOf(opened) } };
}

function placeOf({ base_url, base_urls }: Omit<OpenTape, "id">): Pick<OpenTape, "base_url" | "base_urls"> {
  return { base_url, base_urls };
}

/** A fixture is given as it is, or as the path of its file. */
async function named(files: FixtureFolder, fixture: unknown): Promise<[string, Fixture]> {
  if (typeof fixture === "string") return [fixture, await files.read(fixture)];
  if (isObject(fixture)) return ["the fixture", checkFixture("fixture", fixture)];
  throw new FixtureError(`fixture: expected the path of a file, or a fixture, got ${kindOf(fixture)}`);
}

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return kindOf(value);
  const text = JSON.stringify(value);
  return text.length <= 100 ? text : `${text.slice(0, 100)} …`;
}

function refused(status: number, message: string): Answer {
  return { status, body: { error: { message } } };
}
