// Connects with an MCP server: starts it as a process that ends with this one, or reaches it over streamable HTTP.

import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";

/** A server that is a program of this machine, and speaks on its stdin and stdout. */
export interface McpCommand {
  command: string;
  args?: string[];
  /** In addition to the few variables that are safe to inherit, such as PATH and HOME. */
  env?: Record<string, string>;
  cwd?: string;
}

/** A server that is reached over streamable HTTP. */
export interface McpAddress {
  url: string | URL;
  /** Sent with every request. */
  headers?: Record<string, string>;
}

export interface Connecting {
  /** The server reports that its list of tools has changed. */
  onToolsChanged(): void;
  /** The connection is lost, or was closed. */
  onClose(): void;
}

export interface Connection {
  client: Client;
  /** Ends the connection once the pending notifications have been sent. */
  close(): Promise<void>;
}

/** @throws Error with what the server last wrote to stderr, if it is a process */
export async function connect(
  server: McpCommand | McpAddress,
  { onToolsChanged, onClose }: Connecting,
): Promise<Connection> {
  const tools = { onChanged: onToolsChanged, autoRefresh: false, debounceMs: 0 };
  // A process would be started twice to find out which version of the protocol it speaks.
  const versionNegotiation = { mode: "url" in server ? "auto" : "legacy" } as const;
  const client = new Client(
    { name: "agent-loop-spec", version: "0.1.0" },
    { listChanged: { tools }, versionNegotiation },
  );
  const { transport, lastWords } = "url" in server ? httpTransport(server) : await processTransport(server);
  Object.assign(client, { onclose: onClose });
  try {
    await client.connect(transport);
    const notified = notificationsOver(transport);
    return { client, close: () => notified().then(() => client.close()) };
  } catch (error) {
    await client.close().catch(() => {});
    throw new Error(`${messageOf(error)}${lastWords()}`, { cause: error });
  }
}

/** The maximum wait for pending notifications, in milliseconds. */
const notifyMs = 1000;

/** Closing a client discards unsent messages, so `close` awaits this first. @see MCP-12 */
function notificationsOver(transport: Transport): () => Promise<unknown> {
  const sending = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if ("id" in message) return sent;
    const over = sent.then(
      () => void sending.delete(over),
      () => void sending.delete(over),
    );
    sending.add(over);
    return sent;
  };
  return async () => {
    if (sending.size === 0) return;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, notifyMs);
    await Promise.race([Promise.all(sending), late.promise]);
    clearTimeout(timer);
  };
}

interface Way {
  transport: Transport;
  /** The last stderr output of the server, for error messages. */
  lastWords(): string;
}

function httpTransport({ url, headers }: McpAddress): Way {
  const transport = new StreamableHTTPClientTransport(new URL(url), headers ? { requestInit: { headers } } : {});
  return { transport, lastWords: () => "" };
}

async function processTransport({ command, args = [], env, cwd }: McpCommand): Promise<Way> {
  const { StdioClientTransport, getDefaultEnvironment } = await import("@modelcontextprotocol/client/stdio");
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)));
  endWithThisProcess(transport);
  return { transport, lastWords: () => (stderr.trim() === "" ? "" : `\nIt last wrote to stderr:\n${stderr.trim()}`) };
}

/** The servers that this process has started. */
const children = new Set<{ pid: number | null }>();

/** A server may ignore the end of its stdin, so it is killed when this process exits. */
function endWithThisProcess(transport: Transport & { pid: number | null }): void {
  if (children.size === 0) process.on("exit", killChildren);
  children.add(transport);
  const onclose = () => {
    children.delete(transport);
    if (children.size === 0) process.off("exit", killChildren);
  };
  Object.assign(transport, { onclose });
}

function killChildren(): void {
  for (const { pid } of children) {
    try {
      if (pid !== null) process.kill(pid);
    } catch {
      // It has already ended, and `onclose` was not called yet.
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
