// The command `serve` in a process of its own, beside a file that nobody may read, and the ways to reach it.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fixture } from "../../../schemas/types.ts";
import type { Cost } from "./report-cost.ts";

/** What came back: a status, or what became of the connection. */
export interface Answer {
  status: number | "closed" | "silent";
  text: string;
}

/** A request as an attack makes it. */
export interface Shot {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** How long an answer may take before the server counts as silent. The machine may be busy. */
const patienceMs = 120_000;

/** What the file says that no request may read. */
export const forbidden = "the content of a file that nobody may read";

/** A fixture that answers every request. */
export function anyAnswer(response: Fixture["exchanges"][number]["response"]): Fixture {
  return {
    fixture: 1,
    origin: "crafted",
    why: "an attack on the server",
    exchanges: [{ provider: "openai-chat", request: null, response }],
  };
}

/** The server under attack. */
export class Target {
  readonly folder: string;
  readonly #process: ChildProcess;
  #port = 0;
  #said = "";

  private constructor(folder: string, child: ChildProcess) {
    this.folder = folder;
    this.#process = child;
  }

  /** Starts `serve` with one fixture, in a folder of its own. @throws Error with what it said, if it does not start */
  static async start(): Promise<Target> {
    const outside = mkdtempSync(join(tmpdir(), "agent-loop-attack-"));
    const folder = join(outside, "inside");
    mkdirSync(folder);
    writeFileSync(join(outside, "forbidden.json"), JSON.stringify({ forbidden }));
    writeFileSync(join(folder, "answer.json"), JSON.stringify(anyAnswer({ status: 200, body: { say: "ok" } })));
    const command = ["serve", "answer.json", "--repeat", "--order", "any", "--no-rules", "--port", "0"];
    const child = fork(here("../../cli/main.ts"), command, {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: ["--expose-gc", "--import", here("./report-cost.ts")],
    });
    const target = new Target(outside, child);
    await target.#listen();
    return target;
  }

  /** Why the server is dead; nothing while it lives. */
  get death(): string | undefined {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) return undefined;
    return `the server ended with ${signalCode ?? exitCode}; it said: ${this.#said.slice(-600)}`;
  }

  get port(): number {
    return this.#port;
  }

  /** What the server holds now. @throws Error if it is dead */
  async cost(): Promise<Cost> {
    const reply = new Promise<Cost>((resolve, reject) => {
      const onExit = () => reject(new Error(this.death));
      this.#process.once("exit", onExit);
      this.#process.once("message", (cost) => {
        this.#process.off("exit", onExit);
        resolve(cost as Cost);
      });
    });
    this.#process.send("cost");
    return await reply;
  }

  /** Sends a request that any client of HTTP can send, and resolves to what came back. */
  async send(path: string, { method = "POST", headers = {}, body = "" }: Shot = {}): Promise<Answer> {
    return await new Promise((resolve) => {
      const end = (status: Answer["status"], text = "") => resolve({ status, text });
      const options = { host: "127.0.0.1", port: this.#port, path, method, agent: false, timeout: patienceMs };
      const type = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const request = httpRequest({ ...options, headers: { ...type, ...headers } }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
        response.on("end", () => end(response.statusCode ?? 0, text));
        response.on("error", () => end("closed", text));
      });
      request.on("timeout", () => (end("silent"), request.destroy()));
      request.on("error", () => end("closed"));
      request.end(body);
    });
  }

  /** Opens a connection and writes to it what need not be HTTP; a connection that breaks is no error. */
  open(text: string | Buffer = ""): Socket {
    const socket = connect(this.#port, "127.0.0.1");
    socket.on("error", () => {}).write(text);
    return socket;
  }

  /** Writes bytes, ends the sending side, and resolves to all that came back, once the server has closed or answered. */
  async raw(text: string): Promise<string> {
    const socket = this.open(text);
    return await new Promise((resolve) => {
      let received = "";
      const end = () => (socket.destroy(), resolve(received));
      socket.on("data", (chunk) => (received += chunk.toString("latin1")));
      socket.on("close", end).on("end", end);
      socket.setTimeout(patienceMs, end);
      socket.end();
    });
  }

  /** Ends the server, and takes its folder away. */
  async stop(): Promise<void> {
    if (this.death === undefined) {
      const over = new Promise((resolve) => this.#process.once("exit", resolve));
      this.#process.disconnect();
      await over;
    }
    rmSync(this.folder, { recursive: true });
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        this.#said = (this.#said + chunk.toString()).slice(-4000);
        const port = /POST http:\/\/127\.0\.0\.1:(\d+)\/_tapes/.exec(this.#said)?.[1];
        if (port === undefined || this.#port !== 0) return;
        this.#port = Number(port);
        resolve();
      };
      this.#process.stdout!.on("data", hear);
      this.#process.stderr!.on("data", hear);
      this.#process.once("exit", () => reject(new Error(this.death)));
    });
  }
}
