// The tools of MCP servers as tools of an agent: named apart, asked for anew when they change, and never the end of a run.

import type { MakeTools } from "../turn-info.ts";
import { ProtocolError, type Client, type Tool as McpTool } from "@modelcontextprotocol/client";

import type { DefinedTool } from "../define-tool.ts";
import { connect, type Connection, type McpAddress, type McpCommand } from "./connect.ts";
import { checkNamespace, nameFor } from "./names.ts";
import { toolReturnOf } from "./results.ts";
import type { ToolAnnotations } from "../../../schemas/types.ts";

/** Which server, and what is to be thought of it. */
export type McpServerSetup = (McpCommand | McpAddress) & {
  /** What the names of its tools begin with: 1 to 32 letters, digits, - and single _. */
  namespace: string;
  /** How long one call may take, in milliseconds. Default: the run's `tool_timeout_ms`. */
  timeout_ms?: number;
  /** Whether its word counts on which tools only read. Without it every tool is taken to write. Default: true. */
  trusted?: boolean;
  /** Hears of tools that have another name than the server gave them, or are left out, and of a list that cannot be had. */
  warn?(message: string): void;
};

/** A server that was connected with. `await using` closes it at the end of the block. */
export interface McpServer extends AsyncDisposable {
  readonly namespace: string;
  /** The tools as they are now. Given to an agent as its `tools`, they are what the server lists in each turn. @see MCP-14 */
  readonly tools: () => Promise<DefinedTool[]>;
  /** Ends the connection, and the process if it is one. Calls under way fail. */
  close(): Promise<void>;
}

/**
 * Connects with an MCP server and asks for its tools. Whatever becomes of the server later, its calls are answered: a protocol
 * error or a lost server is the result of a call, and the next call connects anew.
 * @throws TypeError if the namespace is not lawful; Error if the server cannot be reached, or its tools not be listed
 * @see MCP-1 MCP-11 MCP-15 MCP-16
 */
export async function mcpServer(setup: McpServerSetup): Promise<McpServer> {
  const { namespace, warn = () => {} } = setup;
  checkNamespace(namespace);
  const opened = new Set<Connection>();
  let isClosed = false;
  let current: Promise<Connection> | undefined;
  let listing: Promise<DefinedTool[]> | undefined; // of the list as it is now
  let known: DefinedTool[] | undefined; // the last list that there was

  /** What comes next connects anew, and asks for the list again. */
  const lost = (connection: Promise<Connection>): void => {
    if (current !== connection) return;
    current = undefined;
    listing = undefined;
  };
  const connected = (): Promise<Connection> => {
    if (isClosed) throw new Error(`The MCP server ${namespace} was closed: no more can be asked of it.`);
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
      // A process says itself when it has ended. An address only fails; unless it was the loop that broke off, or a server answered.
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
      warn(`${message} It is taken to have the tools that it had.`);
      return known;
    }
  };
  const tools = () => (listing ??= list());

  const close = async (): Promise<void> => {
    isClosed = true;
    await current?.catch(() => {}); // one that is on its way is closed too
    await Promise.all([...opened].map((connection) => connection.close()));
    opened.clear();
  };
  await tools().catch((error: unknown) => close().then(() => Promise.reject(error)));
  return { namespace, tools, close, [Symbol.asyncDispose]: close };
}

/** Tools from several places as those of one agent, in this order: lists, servers, and functions of your own. @see LOOP-79 */
export function joinTools(...sources: (DefinedTool[] | MakeTools | McpServer)[]): MakeTools {
  return async (told) => {
    const lists = sources.map((source) => {
      if (Array.isArray(source)) return source;
      return typeof source === "function" ? source(told) : source.tools();
    });
    return (await Promise.all(lists)).flat();
  };
}

type Call = <T>(use: (client: Client) => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** @see MCP-1 MCP-3 MCP-5 */
async function defined(offered: McpTool[], setup: McpServerSetup, call: Call): Promise<DefinedTool[]> {
  const { namespace, timeout_ms, trusted = true, warn = () => {} } = setup;
  const tools = new Map<string, DefinedTool>();
  for (const { name: own, title, description = title, inputSchema, annotations } of offered) {
    const name = await nameFor(namespace, own);
    if (tools.has(name)) {
      warn(`The MCP server ${namespace} lists two tools called ${own}. The first one is kept.`);
      continue;
    }
    if (name !== `${namespace}__${own}`)
      warn(`The tool ${own} of the MCP server ${namespace} is called ${name}: no provider would take its own name.`);
    tools.set(name, {
      name,
      ...(description !== undefined && { description }),
      input_schema: inputSchema as DefinedTool["input_schema"],
      annotations: trusted ? annotationsOf(annotations) : {},
      ...(timeout_ms !== undefined && { timeout_ms }),
      execute: (input: Record<string, unknown>, { signal, progress }) =>
        call(async (client) => {
          signal.throwIfAborted();
          const asked = { name: own, arguments: input };
          return toolReturnOf(await client.callTool(asked, { signal, timeout: never, onprogress: progress }));
        }, signal),
    });
  }
  return [...tools.values()];
}

/** How long a call may take is the loop's affair. This is as long as a timer of JavaScript can wait, in milliseconds. */
const never = 2 ** 31 - 1;

/** @see MCP-6 MCP-7 */
function annotationsOf({ readOnlyHint = false, idempotentHint = false }: McpTool["annotations"] = {}): ToolAnnotations {
  return { ...(readOnlyHint && { read_only: true }), ...((readOnlyHint || idempotentHint) && { idempotent: true }) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
