// How the exchanges of a variant are written down: so that a shell, or a reader of the driver protocol, can take them.

import { describe, expect, it } from "vitest";
import { curlScript, messageLines } from "./transcript.ts";

describe("a transcript", () => {
  const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01", "user-agent": "it's me" };
  const request = { method: "POST", path: "/v1/messages", headers, body: { system: "Say 'hi'." } };

  it("is a shell script of requests, with the answers as comments", () => {
    const response = {
      status: 529,
      headers: { "content-type": "application/json" },
      text: '{"type":\n"error"}\n',
      aborted: true,
    };
    expect(
      [...curlScript([{ request, response }, { request }], "anthropic-messages", "http://127.0.0.1:1/r1")]
        .join("\n")
        .split("\n")
        .slice(0, 18),
    ).toEqual([
      ': "${BASE_URL:=http://127.0.0.1:1/r1}"',
      "",
      "# 1",
      'curl -sS -N -X POST "$BASE_URL/v1/messages" \\',
      "  -H 'content-type: application/json' \\",
      "  -H 'anthropic-version: 2023-06-01' \\",
      "  -H 'x-api-key: any' \\",
      "  --data-binary @- <<'JSON'",
      "{",
      '  "system": "Say \'hi\'."',
      "}",
      "JSON",
      "# ← 529 application/json",
      '# {"type":',
      '# "error"}',
      "# … and the client went away",
      "",
      "# 2",
    ]);
  });

  it("of the generic seam is what was said in the driver protocol", () => {
    const spoken = (who: "kit" | "drv", message: object) => ({
      who,
      line: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    const lines = messageLines([
      spoken("kit", { id: 1, method: "initialize" }),
      spoken("drv", { id: 1, result: { protocol: 1 } }),
      spoken("kit", { id: 2, method: "run" }),
      spoken("drv", { id: 1, method: "model/invoke" }),
      spoken("kit", { id: 3, method: "barrier" }),
      spoken("drv", { id: 3, result: {} }),
      spoken("kit", { id: 1, error: { message: "busy" } }),
      { who: "drv", line: "print" },
      spoken("drv", { id: 2, result: {} }),
    ]);
    expect([...lines]).toEqual([
      'kit → {"id":2,"method":"run"}',
      'drv → {"id":1,"method":"model/invoke"}',
      'kit → {"id":1,"error":{"message":"busy"}}',
      "drv → print",
      'drv → {"id":2,"result":{}}',
    ]);
  });
});
