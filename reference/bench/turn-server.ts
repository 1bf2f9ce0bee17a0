// Plays the provider for the benchmark, in a process of its own: answers by script, and refuses a conversation that lost something.

import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { conversation } from "./turn-script.ts";
import type { Scenario, Transport, Wire } from "./turn-script.ts";
import { answerOf, readRequest } from "./turn-wires.ts";

/** The path under which a scenario is played; the provider's own path follows. Each `run` is a conversation of its own. */
export function pathOf({ wire, transport, calls, turns }: Scenario, run: string): string {
  return `/${wire}/${transport}/${calls}/${turns}/${run}`;
}

/**
 * Serves scripted turns on a free port of the loopback interface. The last request of each conversation is read and compared
 * with the script; one that says something else is answered with status 400 and the first difference.
 */
export async function serveTurns(): Promise<{ url: string; close(): void }> {
  const turnOf = new Map<string, number>();
  const server = createServer((request, response) => void respond(request, response, turnOf));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, turnOf: Map<string, number>): Promise<void> {
  const [, wire, transport, calls, turns, run] = (request.url ?? "").split("/");
  const scenario: Scenario = {
    wire: wire as Wire,
    transport: transport as Transport,
    calls: Number(calls),
    turns: Number(turns),
  };
  const turn = (turnOf.get(run!) ?? 0) + 1;
  turnOf.set(run!, turn);
  const isLast = turn >= scenario.turns;
  if (isLast) turnOf.delete(run!);
  const wrong = isLast ? difference(scenario, await bodyOf(request)) : await drained(request);
  const [status, type, body] =
    wrong === undefined
      ? [200, transport === "sse" ? "text/event-stream" : "application/json", answerOf(scenario, turn)]
      : [400, "application/json", JSON.stringify({ error: { type: "invalid_request_error", message: wrong } })];
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function drained(request: IncomingMessage): Promise<undefined> {
  return new Promise((resolve) => request.resume().on("end", () => resolve(undefined)));
}

/** The first place where a conversation is not what the script says; undefined if there is none. */
function difference(scenario: Scenario, body: string): string | undefined {
  const expected = conversation(scenario);
  const said = readRequest(scenario.wire, body);
  const at = expected.findIndex((words, place) => said[place] !== words);
  if (at < 0 && said.length === expected.length) return undefined;
  const place = at < 0 ? expected.length : at;
  const show = (words: string | undefined) => (words === undefined ? "nothing" : JSON.stringify(words.slice(0, 80)));
  return `item ${place + 1} of ${expected.length}: expected ${show(expected[place])}, came ${show(said[place])}`;
}

// As a process: says where it is, and ends with its parent.
if (import.meta.main) {
  const { url } = await serveTurns();
  process.on("disconnect", () => process.exit());
  process.send?.(url);
}
