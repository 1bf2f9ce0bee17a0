// Each rule of Gemini: a request that it accepts, and one that it refuses.

import { describe, expect, it } from "vitest";
import { describeRules, plain, type Example } from "../../testing/rules-contract.ts";
import { call as scriptedCall, toolTurn } from "../../testing/scripted.ts";
import { gemini } from "../index.ts";
import { signatureOf } from "../render.ts";

const headers = { "content-type": "application/json", "x-goog-api-key": "k" };
const user = (...parts: unknown[]) => ({ role: "user", parts });
const model = (...parts: unknown[]) => ({ role: "model", parts });
const text = { text: "Hi" };
const sent = toolTurn([scriptedCall("c1")], { id: "1" });
const call = (id: string, more = {}) => ({
  functionCall: { id, name: "look", args: {} },
  thoughtSignature: "c2ln",
  ...more,
});
const answer = (id: string, more = {}) => ({
  functionResponse: { id, name: "look", response: { output: "ok" }, ...more },
});
const request = (more = {}) => ({ contents: [user(text)], ...more });
const turns = (...contents: unknown[]) => request({ contents: [user(text), ...contents] });
const tool = (more = {}) =>
  request({ tools: [{ functionDeclarations: [{ name: "look", parametersJsonSchema: {}, ...more }] }] });
const config = (generationConfig: object) => request({ generationConfig });
const choice = (more: object) => ({ ...tool(), toolConfig: { functionCallingConfig: { mode: "ANY", ...more } } });

/** By rule: accepted, then refused. */
const examples: Record<string, [accepted: Example, refused: Example]> = {
  key: [plain(request()), { body: request(), headers: { "content-type": "application/json" } }],
  "content-type": [plain(request()), { body: request(), headers: { "x-goog-api-key": "k" } }],
  body: [plain(request()), plain("Hi")],
  "unknown-fields": [plain(request({ model: "m", stream: true })), plain(request({ messages: [] }))],
  contents: [plain(request()), plain(request({ contents: [] }))],
  roles: [plain(turns(model(text))), plain(turns({ role: "assistant", parts: [text] }))],
  parts: [plain(request()), plain(request({ contents: [user()] }))],
  "part-fields": [plain(turns(model({ ...text, thought: true }))), plain(turns(model({ ...text, signature: "x" })))],
  instructions: [
    plain(request({ systemInstruction: { parts: [text] } })),
    plain(request({ systemInstruction: "Be brief." })),
  ],
  "call-place": [
    plain(turns(model(text, call("a")), user(answer("a")))),
    plain(turns(model(text), model(call("a")), user(answer("a")))),
  ],
  "response-count": [
    plain(turns(model(call("a"), call("b")), user(answer("a")), user(answer("b")), user(text))),
    plain(turns(model(call("a"), call("b")), user(answer("a")), user(text))),
  ],
  "response-id": [plain(turns(model(call("a")), user(answer("a")))), plain(turns(model(call("a")), user(answer("b"))))],
  "response-shape": [
    plain(turns(model(call("a")), user(answer("a")))),
    plain(turns(model(call("a")), user(answer("a", { response: "ok" })))),
  ],
  "call-shape": [
    plain(turns(model(call("a")), user(answer("a")))),
    plain(turns(model(call("a", { functionCall: { id: "a", name: "look", args: null } })), user(answer("a")))),
  ],
  signature: [
    plain(turns(model(call("a"), call("b", { thoughtSignature: undefined })), user(answer("a"), answer("b")))),
    plain(turns(model(call("a", { thoughtSignature: undefined })), user(answer("a")))),
  ],
  "signature-kept": [
    { body: turns(model(call("c1", { thoughtSignature: signatureOf(sent) })), user(answer("c1"))), sent: [sent] },
    { body: turns(model(call("c1")), user(answer("c1"))), sent: [sent] },
  ],
  "tool-name": [plain(tool({ name: "a.b:c-d" })), plain(tool({ name: "1look" }))],
  "tool-names-differ": [
    plain(tool()),
    plain(request({ tools: [{ functionDeclarations: [{ name: "look" }, { name: "look" }] }] })),
  ],
  "tool-parameters": [plain(tool()), plain(tool({ parameters: {} }))],
  "tool-choice": [
    plain(choice({ allowedFunctionNames: ["look"] })),
    plain(choice({ allowedFunctionNames: ["listen"] })),
  ],
  "config-fields": [plain(config({ topK: 1 })), plain(config({ max_tokens: 1 }))],
  limit: [plain(config({ maxOutputTokens: 1 })), plain(config({ maxOutputTokens: 0 }))],
  "stop-sequences": [plain(config({ stopSequences: ["a"] })), plain(config({ stopSequences: [..."abcdef"] }))],
  thinking: [
    plain(config({ thinkingConfig: { thinkingLevel: "low" } })),
    plain(config({ thinkingConfig: { thinkingLevel: "low", thinkingBudget: 1 } })),
  ],
  "output-format": [
    plain(config({ responseMimeType: "application/json", responseJsonSchema: {} })),
    plain(config({ responseJsonSchema: {} })),
  ],
};

describeRules(gemini, {
  headers,
  examples,
  refusal: (message) => ({ error: { message, status: expect.any(String) as string } }),
  bodyBreaks: ["body", "contents"],
  strange: [
    { contents: {} },
    { contents: [null, 1, { role: "model", parts: [null, { functionCall: null }] }] },
    {
      contents: [{ role: "user", parts: [{ functionResponse: {} }] }],
      tools: [null, { functionDeclarations: [1, null] }],
    },
  ],
  sent,
});

describe("gemini rules", () => {
  it("take half of a surrogate pair", () => {
    expect(gemini.checkRequest(request({ contents: [user({ text: "\udc00" })] }), headers)).toEqual([]);
  });

  it("ask older models for no signature", () => {
    const body = turns(model(call("a", { thoughtSignature: undefined })), user(answer("a")));
    expect(gemini.checkRequest({ model: "gemini-2.5-flash", ...body }, headers)).toEqual([]);
  });

  it("ask for signatures only in the turn that is under way", () => {
    const body = turns(model(call("a", { thoughtSignature: undefined })), user(answer("a")), model(text), user(text));
    expect(gemini.checkRequest(body, headers)).toEqual([]);
  });
});
