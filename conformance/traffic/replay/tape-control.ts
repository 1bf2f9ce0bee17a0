// The requests with which tests open a tape of their own, and read its verdict.

import type { Fixture } from "../../../schemas/types.ts";
import { FixtureError, parseFixture, readFixture } from "../fixture/fixture-file.ts";
import type { OpenOptions, OpenTape, OpenTapes } from "./open-tape.ts";
import { describeVerdict } from "./tape-messages.ts";

interface Answer {
  status: number;
  body: unknown;
}

/**
 * Answers `POST /_tapes`, `GET /_tapes/:id` and `DELETE /_tapes/:id`, which answers like GET and closes the tape.
 * @see REPLAY-7
 */
export async function tapeRequests(tapes: OpenTapes, method: string, target: string, body: Buffer): Promise<Answer> {
  const id = /^\/_tapes\/([^/?]+)$/.exec(target)?.[1];
  if (method === "POST" && target === "/_tapes") return open(tapes, body.toString("utf8"));
  if (id === undefined || (method !== "GET" && method !== "DELETE"))
    return refused(404, `expected POST /_tapes, GET /_tapes/:id or DELETE /_tapes/:id, got ${method} ${target}`);
  const found = tapes.find(id);
  if (!found) return refused(404, `no tape ${id} is open; it was closed or never opened`);
  if (method === "DELETE") tapes.close(id);
  const { name, verdict } = found.tape;
  return { status: 200, body: { ...verdict, message: describeVerdict(name, verdict).join("\n") } };
}

const known = ["fixture", "order", "timing", "rules", "repeat"];

async function open(tapes: OpenTapes, text: string): Promise<Answer> {
  try {
    const input = JSON.parse(text) as { fixture?: unknown } & Omit<OpenOptions, "name">;
    const unknown = Object.keys(input).find((key) => !known.includes(key));
    if (unknown !== undefined) return refused(400, `${unknown} is not known; known: ${known.join(", ")}`);
    const { fixture, ...options } = input;
    const [name, value] = await named(fixture);
    const { id, ...opened } = tapes.open(value, { ...options, name });
    return { status: 201, body: { id, ...placeOf(opened) } };
  } catch (thrown) {
    if (thrown instanceof FixtureError || thrown instanceof SyntaxError) return refused(400, thrown.message);
    throw thrown;
  }
}

function placeOf({ base_url, base_urls }: Omit<OpenTape, "id">): Pick<OpenTape, "base_url" | "base_urls"> {
  return { base_url, base_urls };
}

/** A fixture is given as it is, or as the path of its file. */
async function named(fixture: unknown): Promise<[string, Fixture]> {
  if (typeof fixture === "string") return [fixture, await readFixture(fixture)];
  return ["the fixture", parseFixture("fixture", JSON.stringify(fixture ?? null))];
}

function refused(status: number, message: string): Answer {
  return { status, body: { error: { message } } };
}
