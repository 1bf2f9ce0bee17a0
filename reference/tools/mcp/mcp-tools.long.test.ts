// Tools of a real MCP server, over stdio and over streamable HTTP: what it lists, what it answers, and what becomes of it.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { agentLoop } from "../../run/run.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { defineTool } from "../define-tool.ts";
import { joinTools, mcpServer, type McpServer } from "./mcp-tools.ts";
import type { ModelRequest, ModelResponse, RunOptions, RunResult, ToolResultMessage } from "../../../schemas/types.ts";

const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
const stdio = { command: process.execPath, args: [program, "stdio"] };
const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const calls = (...response: [name: string, input?: object][]): ModelResponse => ({
  messages: response.map(([name, input = {}], i) => ({
    type: "tool_call",
    id: `c${i}`,
    name: `all__${name}`,
    input: input as Record<string, unknown>,
  })),
  stop_reason: "tool_use",
});

interface Came {
  result: RunResult;
  results: ToolResultMessage[];
  requests: ModelRequest[];
  progress: unknown[];
}

async function ask(
  server: McpServer,
  responses: ModelResponse[],
  options: RunOptions = {},
  cancelAt = "",
): Promise<Came> {
  const requests: ModelRequest[] = [];
  const provider: Provider = {
    name: "scripted",
    invokeModel: async (request) => (requests.push(request), responses.shift()!),
  };
  const session = initSession({ id: crypto.randomUUID(), user: "Go." });
  const run = agentLoop({ session, provider, tools: server.tools, options });
  const progress: unknown[] = [];
  for await (const event of run) {
    if (event.type === "tool_progress") progress.push(event.progress);
    if (event.type === cancelAt) run.cancel();
  }
  const { messages } = await run.session;
  const results = messages.filter((message) => "type" in message && message.type === "tool_result");
  return { result: await run.result, results: results as ToolResultMessage[], requests, progress };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The server as a process of its own that listens. Ends with `kill`. */
async function listening(port: number): Promise<ChildProcess> {
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [program, "streamableHttp"], { env, stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of child.stderr!) if (String(line).includes("listening")) break;
  child.stderr!.resume();
  return child;
}

describe.each(["stdio", "streamable HTTP"])("an MCP server over %s", (way) => {
  let child: ChildProcess | undefined;
  let server: McpServer;
  beforeAll(async () => {
    const port = way === "stdio" ? 0 : await freePort();
    if (port > 0) child = await listening(port);
    const at = port > 0 ? { url: `http://127.0.0.1:${port}/mcp` } : stdio;
    server = await mcpServer({ namespace: "all", trusted: true, ...at });
  });
  afterAll(async () => {
    await server.close();
    child?.kill();
  });

  it("lists tools with names of their own, and with what it says about them", async () => {
    const tools = await server.tools();
    expect(tools.find(({ name }) => name === "all__echo")).toMatchObject({
      description: expect.stringMatching(/echo/i),
      input_schema: { type: "object", required: ["message"] },
      annotations: { read_only: true, idempotent: true },
    });
    expect(tools.find(({ name }) => name === "all__toggle-simulated-logging")!.annotations).toEqual({});
    expect(await server.tools()).toBe(tools);
  });

  it("answers with text, images, data, links and resources", async () => {
    const response = calls(
      ["echo", { message: "hello" }],
      ["get-tiny-image"],
      ["get-structured-content", { location: "New York" }],
      ["get-resource-links", { count: 1 }],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
    );
    const { results, result } = await ask(server, [response, done]);
    expect(result.status).toBe("completed");
    const [echo, image, weather, links, resource] = results;
    expect(echo).toMatchObject({ output: "Echo: hello", outcome: "ok" });
    expect(image!.output).toContainEqual(expect.objectContaining({ type: "image", media_type: "image/png" }));
    expect(weather!.data).toMatchObject({ conditions: expect.any(String) as string });
    expect(JSON.parse(weather!.output as string)).toEqual(weather!.data);
    const [, link] = links!.output as { text: string }[];
    expect(JSON.parse(link!.text)).toMatchObject({ type: "resource_link", uri: expect.stringMatching(/^demo:/) });
    expect(resource!.output).toContainEqual({ type: "text", text: expect.stringMatching(/plaintext resource/) });
  });

  it("answers a call that it refuses with an error, and the run goes on", async () => {
    const { results, result } = await ask(server, [calls(["get-resource-reference", { resourceId: -1 }]), done]);
    expect(result.status).toBe("completed");
    expect(results[0]).toMatchObject({ is_error: true, outcome: "error", output: expect.stringMatching(/resource/i) });
  });

  it("says how far it is", async () => {
    const response = calls(["trigger-long-running-operation", { duration: 0.2, steps: 4 }]);
    const { progress } = await ask(server, [response, done]);
    expect(progress.slice(0, 2)).toEqual([
      { progress: 1, total: 4 },
      { progress: 2, total: 4 },
    ]);
  });

  it("is no longer waited for after a cancel or a timeout, and serves the next call", async () => {
    const response = () => calls(["trigger-long-running-operation", { duration: 60, steps: 600 }]);
    const cancelled = await ask(server, [response()], {}, "tool_progress");
    expect(cancelled.result.status).toBe("cancelled");
    expect(cancelled.results[0]).toMatchObject({ outcome: "cancelled" });
    const late = await ask(server, [response(), done], { tool_timeout_ms: 100 });
    expect(late.results[0]).toMatchObject({ outcome: "timeout" });
    expect((await ask(server, [calls(["get-sum", { a: 1, b: 2 }]), done])).results[0]!.output).toMatch(/3/);
  });
});

/** A server that ends when it is told to, and says who it is. It does not care whether anybody listens. */
const mortal = {
  command: process.execPath,
  args: [
    "--input-type=module",
    "-e",
    `
      import { createInterface } from "node:readline";
      const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      const tools = [{ name: "die", inputSchema: { type: "object" } }, { name: "pid", inputSchema: { type: "object" } }];
      createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line);
        if (method === "initialize")
          say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "d", version: "1" } });
        else if (method === "tools/list") say(id, { tools });
        else if (params?.name === "die") process.exit(1);
        else if (params?.name === "pid") say(id, { content: [{ type: "text", text: String(process.pid) }] });
      });
      setInterval(() => {}, 1000);`,
  ],
};

describe("a server that is lost", () => {
  it("over stdio answers the call with an error, is started again for the next one, and ends when it is closed", async () => {
    const server = await mcpServer({ namespace: "all", ...mortal });
    const { result, results, requests } = await ask(server, [calls(["die"]), calls(["pid"]), done]);
    expect(result.status).toBe("completed");
    expect(results[0]).toMatchObject({ is_error: true, outcome: "error", output: expect.stringMatching(/closed/i) });
    expect(requests[1]!.tools).toHaveLength(2);
    const pid = Number(results[1]!.output);
    expect(process.kill(pid, 0)).toBe(true);
    await server.close();
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it("over stdio ends with its parent, also where nobody closes it", async () => {
    const source = `
      const { mcpServer } = await import(${JSON.stringify(new URL("./mcp-tools.ts", import.meta.url).href)});
      const server = await mcpServer({ namespace: "all", ...${JSON.stringify(mortal)} });
      const pid = (await server.tools()).find(({ name }) => name === "all__pid");
      console.log((await pid.execute({}, { signal: new AbortController().signal, progress() {} })).output);
      process.exit(0);`;
    const stdio = ["ignore", "pipe", "inherit"] as const;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: [...stdio] });
    let stdout = "";
    for await (const chunk of parent.stdout!) stdout += String(chunk);
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(0);
    const isThere = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isThere, { timeout: 5000 }).toBe(false);
  });

  it("over HTTP keeps its tools while it is away, says so, and is connected with anew when it is back", async () => {
    const port = await freePort();
    let child = await listening(port);
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    await using server = await mcpServer({ namespace: "all", url: `http://127.0.0.1:${port}/mcp`, warn });
    child.kill();
    await once(child, "exit");
    const echo = calls(["echo", { message: "hello" }]);
    const away = await ask(server, [structuredClone(echo), structuredClone(echo), done]);
    expect(away.result.status).toBe("completed");
    expect(away.results.map(({ outcome }) => outcome)).toEqual(["error", "error"]);
    expect(away.requests.at(-1)!.tools).toEqual(away.requests[0]!.tools);
    expect(warnings[0]).toMatch(
      /^The tools of the MCP server all could not be listed: .+; its last list of tools is kept\.$/,
    );
    child = await listening(port);
    expect((await ask(server, [echo, done])).results[0]).toMatchObject({ output: "Echo: hello" });
    child.kill();
  });
});

describe("mcpServer", () => {
  it("fails where the server cannot be had, with what it said", async () => {
    const gone = { command: process.execPath, args: ["-e", 'console.error("no key"); process.exit(1)'] };
    await expect(mcpServer({ namespace: "all", ...gone })).rejects.toThrow(/all could not be listed: [^]*no key/);
    await expect(mcpServer({ namespace: "all", command: "/nowhere/at-all" })).rejects.toThrow(/ENOENT/);
    const url = `http://127.0.0.1:${await freePort()}/mcp`;
    await expect(mcpServer({ namespace: "all", url })).rejects.toThrow(/all could not be listed/);
  });

  it.each(["", "a b", "a__b", "_a", "a_", "ä", "x".repeat(33)])("refuses the namespace %j", async (namespace) => {
    await expect(mcpServer({ namespace, ...stdio })).rejects.toThrow(/expected a namespace of 1 to 32/);
  });

  it("believes a server nothing about its tools that nobody calls trusted [MCP-17]", async () => {
    await using server = await mcpServer({ namespace: "all", timeout_ms: 5000, ...stdio });
    for (const tool of await server.tools()) expect(tool).toMatchObject({ annotations: {}, timeout_ms: 5000 });
  });
});

describe("joinTools", () => {
  it("gives the tools of lists, functions and servers in order", async () => {
    const named = (name: string) => defineTool({ name, input_schema: { type: "object" }, execute: () => name });
    await using server = await mcpServer({ namespace: "all", ...stdio });
    const made = joinTools([named("one")], server, async ({ turn }) => [named(`turn_${turn}`)]);
    const tools = await made({ turn: 3, agent: "main", context: {}, session: initSession({ id: "s", user: "Go." }) });
    expect(tools.map(({ name }) => name)).toEqual(["one", ...(await server.tools()).map(({ name }) => name), "turn_3"]);
  });
});
