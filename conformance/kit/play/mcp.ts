// Plays the MCP servers of a run over streamable HTTP, as the specification of MCP has it, and notes what was asked of them.
// See https://modelcontextprotocol.io/specification/2025-06-18/basic/transports

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CaseMcpAnswer, CaseMcpServer, McpAccess } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { createServer } from "../base/node-http.ts";
import { listedOf, mcpToolName } from "../suite/mcp-tools.ts";
import type { McpCall } from "../observed/observation.ts";
import type { RunContext } from "./run-context.ts";

interface Rpc {
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
}

/** Where an answer goes, and what of the request it needs. */
interface Exchange {
  server: CaseMcpServer;
  session: string | undefined;
  rpc: Rpc;
  response: ServerResponse;
}

const protocolVersion = "2025-06-18";

/** The MCP servers of one run. */
export class McpPlayer {
  readonly #run: RunContext;
  readonly #sessions = new Set<string>();
  /** The calls that wait for an answer, and settle when the server is notified of the cancel; by session and request id. */
  readonly #held = new Map<string, { call: McpCall; notified: PromiseWithResolvers<void> }>();
  /** The servers that are not there any more. */
  readonly #gone = new Set<string>();
  #http: Server | undefined;
  #opened = 0;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Starts the servers of the case, if it has any. @returns where they are */
  async open(): Promise<McpAccess[]> {
    const { mcp = [] } = this.#run.seen.filled.case.given;
    if (mcp.length === 0) return [];
    const http = createServer({ noDelay: true }, (request, response) => {
      this.#serve(request, response).catch((error: unknown) => this.#run.break(error));
    });
    this.#http = http;
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    return mcp.map(({ namespace, trusted }) => ({
      namespace,
      ...(trusted !== undefined && { trusted }),
      url: `http://127.0.0.1:${port}/${encodeURIComponent(namespace)}`,
    }));
  }

  /** Waits until each call that a cancel or a timeout interrupted is known to be cancelled at its server, or not. @see MCP-12 */
  async settle(): Promise<void> {
    await this.#run.quiet.awaitNotification(
      Promise.all([...this.#held.values()].map(({ notified }) => notified.promise)),
    );
    for (const { call } of this.#held.values()) {
      const message = `the run is over, but the server ${call.server} was not notified that its call of ${call.name} is cancelled`;
      if (!call.cancelled) this.#run.fail([breach("MCP-12", message)]);
    }
  }

  /** Ends the servers, and what they still answer. */
  close(): void {
    this.#http?.close();
    this.#http?.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#run.tick();
    const { mcp = [] } = this.#run.seen.filled.case.given;
    const server = mcp.find(({ namespace }) => request.url === `/${encodeURIComponent(namespace)}`);
    const text = await bodyOf(request);
    if (text === undefined) return; // the client went away
    if (!server) return void response.writeHead(404).end();
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
    if (this.#gone.has(server.namespace)) return void response.destroy();
    const rpc = parsed(text);
    if (!rpc) return void response.writeHead(400).end();
    const session = request.headers["mcp-session-id"] as string | undefined;
    this.#answer({ server, session, rpc, response });
  }

  #answer(exchange: Exchange): void {
    const { server, session, rpc, response } = exchange;
    if (rpc.method === "initialize") {
      const id = `session-${++this.#opened}`;
      this.#sessions.add(id);
      response.setHeader("mcp-session-id", id);
      const serverInfo = { name: server.namespace, version: "1.0.0" };
      return reply(exchange, {
        result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo },
      });
    }
    if (rpc.method === "notifications/cancelled") this.#cancelled(session, rpc.params?.["requestId"]);
    if (rpc.id === undefined) return void response.writeHead(202).end();
    if (rpc.method === "server/discover") return reply(exchange, unknownMethod(rpc));
    if (session === undefined || !this.#sessions.has(session)) return void response.writeHead(404).end();
    if (rpc.method === "ping") return reply(exchange, { result: {} });
    if (rpc.method === "tools/list") return reply(exchange, { result: this.#page(exchange) });
    if (rpc.method === "tools/call") return void this.#call(exchange).catch((error: unknown) => this.#run.break(error));
    reply(exchange, unknownMethod(rpc));
  }

  #page({ server, rpc }: Exchange): object {
    const all = listedOf(server, this.#run.seen.mcpListed.get(server.namespace));
    const from = Number(rpc.params?.["cursor"] ?? 0);
    const to = from + (server.page_size ?? all.length);
    return { tools: all.slice(from, to), ...(to < all.length && { nextCursor: String(to) }) };
  }

  async #call(exchange: Exchange): Promise<void> {
    const { server, rpc, session, response } = exchange;
    const { name = "", arguments: input = {}, _meta: meta } = (rpc.params ?? {}) as CallParams;
    const call: McpCall = { server: server.namespace, name, arguments: input };
    const { seen, actions } = this.#run;
    seen.mcpCalls.push(call);
    this.#checkCall(call);
    const answer = Object.hasOwn(server.answers, name) ? server.answers[name]! : {};
    if (answer.hold) this.#held.set(`${session} ${rpc.id}`, { call, notified: Promise.withResolvers<void>() });
    actions.sightings.started.add(mcpToolName(server.namespace, name));
    await this.#run.fire();
    if (answer.hold) return;
    if (answer.lost) {
      this.#sessions.delete(session!);
      if (answer.lost === "for_good") this.#gone.add(server.namespace);
      return void response.destroy();
    }
    if (answer.now_listed) seen.mcpListed.set(server.namespace, answer.now_listed);
    reply(
      exchange,
      answer.error ? { error: answer.error } : { result: answer.result ?? { content: [] } },
      messagesBefore(answer, meta),
    );
  }

  #checkCall({ server, name }: McpCall): void {
    const { isOver, hasReceivedCancel } = this.#run;
    if (isOver) this.#run.fail([breach("LOOP-28", `${name} of the server ${server} was called after the result`)]);
    else if (hasReceivedCancel)
      this.#run.fail([breach("CANCEL-2", `${name} of the server ${server} was called after the cancel`)]);
  }

  #cancelled(session: string | undefined, id: unknown): void {
    const held = this.#held.get(`${session} ${String(id)}`);
    if (!held) return;
    held.call.cancelled = true;
    held.notified.resolve();
  }
}

interface CallParams {
  name?: string;
  arguments?: Record<string, unknown>;
  _meta?: { progressToken?: string | number };
}

function parsed(text: string): Rpc | undefined {
  try {
    return JSON.parse(text) as Rpc;
  } catch {
    return undefined;
  }
}

/** What a server says before it answers: the rest of a stream that begins with the request. */
function messagesBefore(
  { progress = [], now_listed }: CaseMcpAnswer,
  { progressToken }: CallParams["_meta"] = {},
): object[] {
  const updates = progressToken === undefined ? [] : progress;
  return [
    ...updates.map((update) => ({ method: "notifications/progress", params: { progressToken, ...update } })),
    ...(now_listed ? [{ method: "notifications/tools/list_changed" }] : []),
  ];
}

/** Answers with JSON, or with a stream if there are more messages. */
function reply({ rpc: { id }, response }: Exchange, answer: object, before: object[] = []): void {
  const messages = [...before, { id, ...answer }].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  if (messages.length === 1)
    return void response.writeHead(200, { "content-type": "application/json" }).end(messages[0]);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(messages.map((message) => `event: message\ndata: ${message}\n\n`).join(""));
}

function unknownMethod({ method }: Rpc): object {
  return { error: { code: -32601, message: `Method not found: ${method}` } };
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let text = "";
  request.setEncoding("utf8");
  try {
    for await (const chunk of request) text += chunk as string;
    return text;
  } catch {
    return undefined;
  }
}
