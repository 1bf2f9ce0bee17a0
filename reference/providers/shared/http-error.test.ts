// What servers and connections say about failures, and the kinds that it becomes.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { failedResponse, providerError, thrownError } from "./http-error.ts";

const headersOf = (fields: Record<string, string>) => new Headers(fields);

describe("the kind of a failure", () => {
  test.each([
    [400, "invalid_request"],
    [401, "authentication"],
    [402, "quota"],
    [403, "permission"],
    [404, "not_found"],
    [408, "timeout"],
    [409, "invalid_request"],
    [413, "request_too_large"],
    [422, "invalid_request"],
    [429, "rate_limit"],
    [500, "server_error"],
    [502, "server_error"],
    [503, "overloaded"],
    [504, "timeout"],
    [529, "overloaded"],
  ])("of status %i is %s", (status, kind) => {
    expect(providerError("p", { status, body: "" })).toMatchObject({ kind, status, provider: "p" });
  });

  test.each([
    [{ type: "error", error: { type: "overloaded_error", message: "busy" } }, "overloaded", "overloaded_error"],
    [{ error: { message: "slow down", code: "rate_limit_exceeded" } }, "rate_limit", "rate_limit_exceeded"],
    [{ error: { message: "token limit", code: 400 } }, "invalid_request", "400"],
    [{ error: { message: "upstream", code: "502" } }, "server_error", "502"],
    [{ error: { message: "filtered", code: "content_filter", status: 400 } }, "invalid_request", "content_filter"],
    [{ error: "it broke" }, "server_error", undefined],
    [{ error: { message: "what", type: "new_word" } }, "server_error", "new_word"],
  ])("of %o without a status is %s", (body, kind, code) => {
    const error = providerError("p", { body });
    expect(error.kind).toBe(kind);
    expect(error.code).toBe(code);
    expect(error.status).toBeUndefined();
  });
});

/** The rows of the table that PROVIDER-39 speaks of: codes, and words of messages. */
function overflowRows(): { field: "code" | "message"; words: string }[] {
  const text = readFileSync(new URL("../../../spec/loop/providers.md", import.meta.url), "utf8");
  const [, table = ""] = text.split("| where | words, in any case | seen of |\n");
  let field: "code" | "message" = "code";
  return [...table.split("\n\n")[0]!.matchAll(/^\| (.*?) ?\| `(.*?)` \|/gm)].map(([, where, words]) => {
    if (where === "`message`") field = "message";
    return { field, words: words! };
  });
}

describe("a conversation that is too long", () => {
  test.each(overflowRows())("is told by the $field $words", ({ field, words }) => {
    const said = { message: "no", type: "invalid_request_error", [field]: words.toUpperCase() };
    if (field === "code") said[field] = words;
    for (const status of [400, 422, 500])
      expect(providerError("p", { status, body: { error: said } }).kind).toBe("context_window_exceeded");
    expect(providerError("p", { body: { error: said } }).kind).toBe("context_window_exceeded");
    expect(providerError("p", { status: 429, body: { error: said } }).kind).toBe("rate_limit");
    expect(providerError("p", { status: 413, body: { error: said } }).kind).toBe("request_too_large");
  });

  test("has thirteen names", () => expect(overflowRows()).toHaveLength(13));
});

describe("what the provider said", () => {
  test.each([
    [{ error: { message: "no such model" } }, "no such model"],
    [{ message: "bad", object: "error" }, "bad"],
    [{ detail: "not here" }, "not here"],
    [{ strange: 1 }, '{"strange":1}'],
    ["<html>gateway</html>", "<html>gateway</html>"],
    ['{"error":{"message":"as text"}}', "as text"],
  ])("is kept from %o", (body, message) => {
    expect(providerError("p", { status: 400, body }).message).toBe(message);
  });

  test("is replaced where it is nothing", () => {
    expect(providerError("p", { status: 502, body: "" }).message).toBe("p answered with status 502 and no reason");
  });
});

describe("how long to wait", () => {
  test.each([
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Wed, 21 Oct 2026 07:28:05 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" }, 5000],
    [{ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT", date: "Wed, 21 Oct 2026 07:28:05 GMT" }, 0],
    [{ "retry-after": "Wednesday, 21-Oct-26 07:28:05 GMT", date: "Wed Oct 21 07:28:00 2026 GMT" }, 5000],
    [{ "retry-after-ms": "NaN", "retry-after": "9" }, 9000],
    [{ "retry-after-ms": "-5", "retry-after": "-5" }, undefined],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": "1e3" }, undefined],
    [{ "retry-after": "0x10" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "in 3 s" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "9".repeat(400) }, Number.MAX_SAFE_INTEGER],
    [{ "retry-after-ms": "9".repeat(20) }, Number.MAX_SAFE_INTEGER],
    [{}, undefined],
  ])("is read from %o", (fields, expected) => {
    const error = providerError("p", { status: 429, headers: headersOf(fields as Record<string, string>), body: "" });
    expect(error.retry_after_ms).toBe(expected);
  });
});

describe("what an SDK throws", () => {
  test("without a status is a lost connection", () => {
    const error = thrownError("p", new Error("Connection error.", { cause: new Error("ECONNREFUSED") }), false);
    expect(error).toMatchObject({ kind: "network", message: "no answer from p: Connection error. (ECONNREFUSED)" });
  });

  test("as a timeout is a timeout", () => {
    class APIConnectionTimeoutError extends Error {}
    expect(thrownError("p", new APIConnectionTimeoutError("Request timed out."), false).kind).toBe("timeout");
  });

  test("after an abort is an interruption", () => {
    const error = thrownError("p", new Error("aborted"), true);
    expect(failedResponse(error)).toMatchObject({ stop_reason: "interrupted", error: { kind: "stream_interrupted" } });
  });

  test("that is no error is shown", () => {
    expect(thrownError("p", "what", false).message).toBe("no answer from p: what");
  });
});
