// The tools of MCP servers as tools of an agent: with unique names, refreshed when they change; a failure never ends a run.

import type { MakeTools } from "../turn-info.ts";
import { ProtocolError, type Client, type Tool as McpTool } from "@modelcontextprotocol/client";

import { checkSchema } from "../check-schema.ts";
import type { DefinedTool } from "../define-tool.ts";
import { connect, type Connection, type McpAddress, type McpCommand } from "./connect.ts";
import { checkNamespace, nameFor } from "./names.ts";
import { toolReturnOf } from "./results.ts";
import type { ToolAnnotations } from "../../../schemas/types.ts";

/** The server, and how its tools are treated. */
export type McpServerSetup = (McpCommand | McpAddress) & {
  /** The prefix of its tool names: 1 to 32 letters, digits, - and single _. */
  namespace: string;
  /** How long one call may take, in milliseconds. Default: the run's `tool_timeout_ms`. */
  timeout_ms?: number;
  /** Whether what it says of its tools is believed. If not, no tool is read-only or idempotent. Default: false. @see MCP-17 */
  trusted?: boolean;
  /** Receives warnings about renamed or omitted tools, and about a failed list request. */
  warn?(message: string): void;
};

/** A connected server. `await using` closes it at the end of the block. */
export interface McpServer extends AsyncDisposable {
  readonly namespace: string;
  /** Returns the current tools. As the `tools` of an agent, it lists them in each turn. @see MCP-14 */
  readonly tools: () => Promise<DefinedTool[]>;
  /** Ends the connection, and the process if it is one. Calls in progress fail. */
  close(): Promise<void>;
}

/**
 * Connects to an MCP server and lists its tools. Calls are always answered: a protocol error or a lost server becomes the
 * result of a call, and the next call reconnects.
 * @throws TypeError if the namespace is invalid; Error if the server cannot be reached, or its tools cannot be listed
 * @see MCP-1 MCP-11 MCP-15 MCP-16
 */
export async function mcpServer(setup: McpServerSetup): Promise<McpServer> {
  const { namespace, warn = () => {} } = setup;
  checkNamespace(namespace);
  const opened = new Set<Connection>();
  let isClosed = false;
  let current: Promise<Connection> | undefined;
  let listing: Promise<DefinedTool[]> | undefined; // of the current list
  let known: DefinedTool[] | undefined; // the last list received

  /** The next call reconnects, and lists the tools again. */
  const lost = (connection: Promise<Connection>): void => {
    if (current !== connection) return;
    current = undefined;
    listing = undefined;
  };
  const connected = (): Promise<Connection> => {
    if (isClosed) throw new Error(`The MCP server ${namespace} was closed. Connect again to call it.`);
    if (current) return current;
    const connection: Promise<Connection> = connect(setup, {
      onToolsChanged: () => void (listing = undefined),
      onClose: () => lost(connection),
    });
    connection.then(
      (one) => opened.add(one),
      () => lost(connection),
    );
    return (current = connection);
  };
  const call: Call = async (use, signal) => {
    const connection = connected();
    try {
      return await use((await connection).client);
    } catch (error) {
      // A process reports its end. Over HTTP, any failure counts as lost, except a cancel by the loop and an error from the server.
      if ("url" in setup && !signal?.aborted && !(error instanceof ProtocolError)) lost(connection);
      throw error;
    }
  };
  const list = async (): Promise<DefinedTool[]> => {
    try {
      const { tools: offered } = await call((client) => client.listTools({}, { cacheMode: "refresh" }));
      return (known = await defined(offered, setup, call));
    } catch (error) {
      listing = undefined;
      const message = `The tools of the MCP server ${namespace} could not be listed: ${textOf(error)}`;
      if (!known) throw new Error(message, { cause: error });
      warn(`${message}; its last list of tools is kept.`);
      return known;
    }
  };
  const tools = () => (listing ??= list());

  const close = async (): Promise<void> => {
    isClosed = true;
    await current?.catch(() => {}); // a connection in progress is closed, too
    await Promise.all([...opened].map((connection) => connection.close()));
    opened.clear();
  };
  await tools().catch((error: unknown) => close().then(() => Promise.reject(error)));
  return { namespace, tools, close, [Symbol.asyncDispose]: close };
}

/** Tools from several places as those of one agent, in this order: lists, servers, and functions of your own. @see LOOP-79 */
export function joinTools(...sources: (DefinedTool[] | MakeTools | McpServer)[]): MakeTools {
  return async (info) => {
    const lists = sources.map((source) => {
      if (Array.isArray(source)) return source;
      return typeof source === "function" ? source(info) : source.tools();
    });
    return (await Promise.all(lists)).flat();
  };
}

type Call = <T>(use: (client: Client) => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** @see MCP-1 MCP-3 MCP-5 MCP-18 */
async function defined(offered: McpTool[], setup: McpServerSetup, call: Call): Promise<DefinedTool[]> {
  const { namespace, timeout_ms, trusted = false, warn = () => {} } = setup;
  const tools = new Map<string, DefinedTool>();
  for (const { name: own, title, description = title, inputSchema, annotations } of offered) {
    const name = await nameFor(namespace, own);
    if (tools.has(name)) {
      warn(`The MCP server ${namespace} lists two tools called ${own}. The first one is kept.`);
      continue;
    }
    const problem = checkSchema(inputSchema);
    if (problem) {
      warn(
        `The tool ${own} of the MCP server ${namespace} is left out: its schema cannot be obeyed: ${problem.pointer} ${problem.message}.`,
      );
      continue;
    }
    if (name !== `${namespace}__${own}`)
      warn(`The tool ${own} of the MCP server ${namespace} is called ${name}: providers reject its own name.`);
    tools.set(name, {
      name,
      ...(description !== undefined && { description }),
      input_schema: inputSchema as DefinedTool["input_schema"],
      annotations: trusted ? annotationsOf(annotations) : {},
      ...(timeout_ms !== undefined && { timeout_ms }),
      execute: (input: Record<string, unknown>, { signal, progress }) =>
        call(async (client) => {
          signal.throwIfAborted();
          const params = { name: own, arguments: input };
          return toolReturnOf(await client.callTool(params, { signal, timeout: never, onprogress: progress }));
        }, signal),
    });
  }
  return [...tools.values()];
}

/** The loop itself limits how long a call takes. This is the longest timer in JavaScript, in milliseconds. */
const never = 2 ** 31 - 1;

/** Only of a trusted server. @see MCP-6 MCP-7 */
function annotationsOf({ readOnlyHint = false, idempotentHint = false }: McpTool["annotations"] = {}): ToolAnnotations {
  return { ...(readOnlyHint && { read_only: true }), ...((readOnlyHint || idempotentHint) && { idempotent: true }) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
