// A driver that says its keys wherever it can: in its name, its log, its requests, its events and its errors.

import { createInterface } from "node:readline";

interface Params {
  run: string;
  model: { base_url: string; api_key: string };
}

const [, , ...own] = process.argv;
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as { id: number; method: string; params: Params };
  if (method === "initialize") {
    const implementation = { name: `leaky ${own[0]}`, version: `1 ${own[1]}`, language: own.join(" ") };
    send({ id, result: { protocol: 1, implementation, seams: ["anthropic-messages"], transports: ["json"] } });
  } else if (method === "run") await leak(id, params);
  else send({ id, result: {} });
}

async function leak(id: number, { run, model }: Params): Promise<void> {
  const secrets = [model.api_key, ...own].join(" ");
  process.stderr.write(`Authorization: Bearer ${model.api_key}\n${secrets}\n`);
  const event = { type: "run_start", seq: 0, session_id: secrets, agent: "main" };
  send({ method: "event", params: { run, event } });
  await fetch(`${model.base_url}/v1/messages`, {
    method: "POST",
    headers: {
      "x-api-key": model.api_key,
      authorization: `Bearer ${model.api_key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      model: "replay",
      max_tokens: 1,
      system: secrets,
      metadata: { api_key: own[0] },
      messages: [{ role: "user", content: secrets }],
    }),
  });
  send({ id, error: { code: 401, message: `the provider refused ${secrets}`, data: { secrets } } });
}
