// One line at a time: what a driver may say, what it may not, and what the kit answers.

import { describe, expect, it } from "vitest";
import { DriverError, ProtocolError } from "./errors.ts";
import { RpcConnection } from "./rpc.ts";
import type { Reply } from "./rpc.ts";

function connect() {
  const written: Record<string, unknown>[] = [];
  const errors: ProtocolError[] = [];
  const requests: { method: string; params: unknown; reply: Reply }[] = [];
  const notifications: unknown[] = [];
  const connection = new RpcConnection((line) => written.push(JSON.parse(line) as Record<string, unknown>), {
    request: (method, params, reply) => requests.push({ method, params, reply }),
    notification: (_, params) => notifications.push(params),
    protocolError: (error) => errors.push(error),
  });
  const receive = (message: unknown) =>
    connection.receive(
      typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...(message as object) }),
    );
  return { connection, written, errors, requests, notifications, receive };
}

const call = { run: "r1", call: { id: "c", name: "look", input: {} } };

describe("what the kit asks", () => {
  it("is answered by id, in any order", async () => {
    const { connection, written, receive } = connect();
    const [first, second] = [
      connection.request("barrier", { run: "r1" }),
      connection.request("clock/advance", { run: "r2", ms: 5 }),
    ];
    expect(written).toEqual([
      { jsonrpc: "2.0", id: 1, method: "barrier", params: { run: "r1" } },
      { jsonrpc: "2.0", id: 2, method: "clock/advance", params: { run: "r2", ms: 5 } },
    ]);
    expect(connection.unanswered("r2")).toEqual(["clock/advance"]);
    receive({ id: 2, result: {} });
    receive({ id: 1, result: {} });
    expect(await Promise.all([first, second])).toEqual([{}, {}]);
  });
  it("has to be valid too: it would be the kit's fault", async () => {
    await expect(connect().connection.request("barrier", {})).rejects.toThrow(/the kit made an invalid BarrierParams/);
  });
  it("may be answered with an error", async () => {
    const { connection, receive } = connect();
    const pending = connection.request("barrier", { run: "r1" });
    receive({ id: 1, error: { code: -32601, message: "what?" } });
    await expect(pending).rejects.toThrow(new DriverError("barrier", { code: -32601, message: "what?" }));
  });
  it("has to be answered as the schema says", async () => {
    const { connection, receive } = connect();
    const pending = connection.request("barrier", { run: "r1" });
    receive({ id: 1, result: { done: true } });
    const error = await pending.catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      run: "r1",
      line: expect.stringContaining("done") as unknown,
      message: expect.stringMatching(/not a valid Empty/) as unknown,
    });
  });
  it("fails when the connection ends", async () => {
    const { connection } = connect();
    const pending = connection.request("barrier", { run: "r1" });
    connection.close(new Error("gone"));
    await expect(pending).rejects.toThrow("gone");
    await expect(connection.request("barrier", { run: "r1" })).rejects.toThrow("gone");
  });
});

describe("what a driver asks", () => {
  it("is answered once, with a result or an error", () => {
    const { written, requests, receive } = connect();
    receive({ id: "d1", method: "tool/execute", params: call });
    receive({ id: "d2", method: "tool/execute", params: call });
    requests[0]!.reply.result({ output: "x" });
    requests[0]!.reply.result({ output: "y" });
    requests[1]!.reply.error("boom", { thrown: true });
    expect(written).toEqual([
      { jsonrpc: "2.0", id: "d1", result: { output: "x" } },
      { jsonrpc: "2.0", id: "d2", error: { code: -32000, message: "boom", data: { thrown: true } } },
    ]);
  });
  it("is refused with what is wrong with it, and fails its run", () => {
    const { written, errors, requests, receive } = connect();
    receive({ id: "d1", method: "tool/execute", params: { run: "r1", call: { id: "c" } } });
    expect(requests).toEqual([]);
    expect(written[0]).toMatchObject({ id: "d1", error: { code: -32602 } });
    expect(errors[0]).toMatchObject({
      run: "r1",
      message: expect.stringMatching(/not valid ToolExecuteParams: [^]*name/) as unknown,
    });
  });
});

describe("a line that breaks the protocol", () => {
  const broken: [what: string, line: unknown, message: RegExp][] = [
    ["garbage", "Hello!", /not JSON; a driver writes nothing but/],
    ["half a frame", '{"jsonrpc":"2.0","id":', /not JSON; a driver writes nothing but/],
    ["a byte order mark", '\uFEFF{"jsonrpc":"2.0"}', /not JSON, for it begins with a byte order mark;/],
    ["a NUL byte", '{"jsonrpc":\0"2.0"}', /not JSON, for it has NUL bytes;/],
    ["a header", "Content-Length: 17", /not JSON, for messages have no headers;/],
    ["the first line of many", "{", /not JSON, for a message is one line;/],
    ["two messages", '{"jsonrpc":"2.0"} {"jsonrpc":"2.0"}', /not JSON, for a line break ends each message;/],
    ["a number that JSON lacks", '{"jsonrpc":"2.0","id":NaN}', /not JSON, for JSON has no NaN and no Infinity;/],
    ["another version", '{"id":1,"result":{}}', /no JSON-RPC 2.0 message/],
    ["a list", "[]", /no JSON-RPC 2.0 message/],
    ["nothing in it", {}, /neither a method nor a result nor an error/],
    ["a wrong id", { id: 7, result: {} }, /answers request 7, which the kit never sent/],
    ["an id of another type", { id: "1", result: {} }, /answers request "1"/],
    [
      "an unknown request",
      { id: 1, method: "file/read", params: {} },
      /unknown request file\/read; known: tool\/execute, model\/invoke/,
    ],
    ["an unknown notification", { method: "log", params: {} }, /unknown notification log; known: event, tool\/abort/],
    ["a request as a notification", { method: "tool/execute", params: call }, /unknown notification tool\/execute/],
    ["an invalid event", { method: "event", params: { run: "r1", event: { type: "x" } } }, /not valid EventParams/],
    [
      "a request without a proper id",
      { id: null, method: "tool/execute", params: call },
      /neither a string nor a number/,
    ],
  ];
  it.each(broken)("%s", (_, line, message) => {
    const { errors, receive } = connect();
    receive(line);
    expect(errors[0]?.message).toMatch(message);
    expect(errors[0]?.line).toBe(
      typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...(line as object) }),
    );
  });
  it("an id that comes back as a text", async () => {
    const { connection, errors, receive } = connect();
    void connection.request("barrier", { run: "r1" });
    receive({ id: "1", result: {} });
    expect(errors[0]?.message).toMatch(/answers request "1", which the kit never sent; it sent the number 1,/);
  });
  it("an id of a request that is not answered yet", () => {
    const { requests, errors, receive } = connect();
    receive({ id: "d1", method: "tool/execute", params: call });
    requests[0]!.reply.result({ output: "x" });
    receive({ id: "d1", method: "tool/execute", params: call });
    expect(errors).toEqual([]);
    receive({ id: "d1", method: "tool/execute", params: call });
    expect(errors[0]).toMatchObject({
      run: "r1",
      message: expect.stringMatching(/has the id "d1" of a request/) as unknown,
    });
    expect(requests).toHaveLength(2);
  });
  it("an answer that comes twice", async () => {
    const { connection, errors, receive } = connect();
    const pending = connection.request("barrier", { run: "r1" });
    receive({ id: 1, result: {} });
    receive({ id: 1, result: {} });
    await pending;
    expect(errors[0]?.message).toBe("request 1 was answered twice");
  });
});
