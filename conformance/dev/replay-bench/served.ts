// A server under load, in a process of its own: ours, a bare one, or aimock; it says where it is, and what it has cost when asked.

import { LLMock } from "@copilotkit/aimock";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fixture } from "../../../schemas/types.ts";
import { TapeServer } from "../../traffic/replay/tape-server.ts";
import { RecordingLog } from "../../traffic/record/recording-log.ts";
import { Recorder } from "../../traffic/record/recorder.ts";
import { Recording } from "../../traffic/record/recording.ts";
import { createScan } from "../../traffic/fixture/secrets.ts";
import { answerBody, requestBody } from "./scenario.ts";
import type { Role, Subject } from "./scenario.ts";

const starts: Record<Subject, (messages: number) => Promise<string>> = {
  "ours, rules on": (messages) => startOurs(messages, true),
  "ours, rules off": (messages) => startOurs(messages, false),
  bare: startBare,
  aimock: startAimock,
};

async function startOurs(messages: number, rules: boolean): Promise<string> {
  const server = await TapeServer.start();
  const body: unknown = JSON.parse(requestBody(messages));
  const request = { method: "POST", path: "/v1/chat/completions", body };
  const exchanges = [{ provider: "openai-chat", request, response: { status: 200, body: answerBody } }];
  const fixture: Fixture = { fixture: 1, origin: "crafted", why: "the load of a benchmark", exchanges };
  return server.openRoot(fixture, { name: "bench", rules, repeat: true }).base_url;
}

/** What any server must do: read the request, understand that it is JSON, and answer. */
async function startBare(): Promise<string> {
  const answer = JSON.stringify(answerBody);
  const server = createServer({ noDelay: true }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString("utf8"));
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function startAimock(): Promise<string> {
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  mock.onMessage(/./, { content: answerBody.choices[0]!.message.content });
  await mock.start();
  return `${mock.url}/v1`;
}

/** A recorder before another server. */
async function startRecorder(url: string, path: string): Promise<string> {
  const log = new RecordingLog(path, { date: new Date().toISOString(), recorder: "bench" });
  const refuse = () => {
    throw new Error("the benchmark has no secrets, and its server can be reached");
  };
  const scan = await createScan();
  const recording = new Recording({ log, scan, redact: false, onLeak: refuse, onFailure: refuse });
  const recorder = await Recorder.start([{ name: "openai", url: new URL(url).origin }], recording);
  return `${recorder.origin}/openai/v1`;
}

process.on("message", async (command: Role | "cost") => {
  if (command !== "cost") {
    const url =
      "serve" in command
        ? await starts[command.serve](command.messages)
        : await startRecorder(command.record, command.log);
    return void process.send!(url);
  }
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMs: (user + system) / 1000, heapBytes: process.memoryUsage().heapUsed });
});
process.on("disconnect", () => process.exit());
