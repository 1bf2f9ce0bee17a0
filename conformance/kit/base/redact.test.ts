// No secret is left in anything that a reporter hears, whatever field it stands in and whatever is around it.

import { describe, expect, it } from "vitest";
import { hostileReport } from "../../reporters/testing/sample.ts";
import { apiKeyPrefix, redact } from "./redact.ts";
import { randomId, seeded } from "./seeded-random.ts";

const given = randomId(seeded(1, "r1"), apiKeyPrefix);
/** Keys of known shapes, made up, and put together so that no scanner takes them for real ones. */
const keys = [
  `sk-${"a1B2".repeat(8)}`,
  `sk-proj-${"a1_B-2".repeat(6)}`,
  `sk-ant-api03-${"Zz9_-".repeat(8)}`,
  `AIza${"Sy0_-".repeat(7)}`,
  `ghp_${"a1B2".repeat(9)}`,
  `gho_${"a1B2".repeat(9)}`,
  `github_pat_${"a1B2_".repeat(8)}`,
  `glpat-${"a1-B2".repeat(5)}`,
  `xoxb-${"12345-".repeat(4)}`,
  `hf_${"a1B2".repeat(8)}`,
  `gsk_${"a1B2".repeat(8)}`,
  `npm_${"a1B2".repeat(9)}`,
  `AKIA${"ABCD1234".repeat(2)}`,
];

describe("redact", () => {
  it.each(keys)("knows the shape of %s [REPORT-5]", (key) => {
    for (const text of [key, `before ${key} after`, `"${key}"`, `x=${key};`, `(${key})`, `\\"${key}\\"`]) {
      expect(redact(text)).toContain("[redacted]");
      expect(redact(text)).not.toContain(key);
    }
  });
  it("knows the keys that the kit gave, as a part of anything [REPORT-5]", () => {
    expect(redact(`https://x.invalid/${given}/a?k=${given}`)).toBe("https://x.invalid/[redacted]/a?k=[redacted]");
    expect(redact({ [given]: [given] })).toEqual({ "[redacted]": ["[redacted]"] });
  });
  it.each([
    ["Authorization: Bearer abc.def-123", "abc.def-123"],
    ["authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ["x-api-key: 0123abc", "0123abc"],
    ['{"x-api-key":"0123abc","b":1}', "0123abc"],
    ['"{\\"Authorization\\":\\"Bearer 0123abc456\\"}"', "0123abc456"],
    ["OPENAI_API_KEY=0123abc node driver.js", "0123abc"],
    ["AWS_SECRET_ACCESS_KEY='0123abc'", "0123abc"],
    ["MY_PASSWORD: 0123abc", "0123abc"],
    ["curl -H 'Cookie: session=0123abc'", "0123abc"],
    ["sent Bearer 0123abc456", "0123abc456"],
    ["GITHUB_TOKEN=0123abc", "0123abc"],
    ["git clone https://me:0123abc@example.invalid/x.git", "0123abc"],
    ["Authorization: token 0123abc", "0123abc"],
    ["authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0123abc", "0123abc"],
    ["Set-Cookie: a=b; session=0123abc; Path=/", "0123abc"],
    ["'./driver --api-key 0123abc'", "0123abc"],
    ["./driver --token 0123abc --other", "0123abc"],
    [`sent eyJ${"a1B2".repeat(5)}.eyJ${"a1B2".repeat(5)}.0123abc_-`, "0123abc"],
    ["-----BEGIN PRIVATE KEY-----\\n0123abc\\n-----END PRIVATE KEY-----", "0123abc"],
    ["-----BEGIN RSA PRIVATE KEY-----\\n0123abc", "0123abc"],
  ])("takes the value out of %s [REPORT-5]", (text, secret) => {
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain("[redacted]");
  });
  it.each([
    [`Authorization: Bearer sk-ant-api03-${"Zz9_-".repeat(8)}`, "Authorization: Bearer [redacted]"],
    ["Authorization: Bearer abcdefghijkl\nnext: line", "Authorization: Bearer [redacted]\nnext: line"],
    ['{"Authorization":"Basic dXNlcjpwYXNz","b":1}', '{"Authorization":"Basic [redacted]","b":1}'],
    ["OPENAI_API_KEY=0123abc node driver.js", "OPENAI_API_KEY=[redacted] node driver.js"],
    ["./driver --api-key 0123abc --fast", "./driver --api-key [redacted] --fast"],
  ])("leaves what is around it: %s", (text, left) => {
    expect(redact(text)).toBe(left);
    expect(redact(redact(text))).toBe(left);
  });
  it("takes the value of a field whose name says that it is secret", () => {
    const headers = { Authorization: "abc", "x-api-key": "abc", Cookie: "abc", api_key: "abc", client_secret: "abc" };
    expect(Object.values(redact(headers))).toEqual(Array.from({ length: 5 }, () => "[redacted]"));
    expect(redact({ "set-cookie": ["a=b", "c=d"] })).toEqual({ "set-cookie": ["[redacted]", "[redacted]"] });
  });
  it("leaves alone what is no secret", () => {
    const harmless = {
      usage: { input_tokens: 5, token: "a word of a text" },
      schema: '{"password":{"type":"string"},"api_key":["x"]}',
      text: "A risk-based task-list; sk-1 is short. The key of the map, the secret of the cake, and a bearer of news.",
      check: "tools/unknown-tool#TOOL-9",
      repro: "npx agent-loop-spec test --driver reference --case tools/unknown-tool --seed 7",
      none: null,
      digest: "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    };
    expect(redact(harmless)).toEqual(harmless);
  });
  it("finds in a text that it has seen before what it found then", () => {
    const name = "a name that a report says again and again";
    const secret = "OPENAI_API_KEY=0123abc";
    const report = () => redact([name, secret, secret, name]);
    const once = report();
    expect(once).toEqual([name, "OPENAI_API_KEY=[redacted]", "OPENAI_API_KEY=[redacted]", name]);
    expect(report()).toEqual(once);
  });
  it("leaves no key in any text of a report", () => {
    const secrets = [given, ...keys].join(" ");
    const poisoned = withEachText(hostileReport(), (text) => `${secrets} ${text} ${secrets}`);
    const left = JSON.stringify(redact(poisoned));
    expect([given, ...keys].filter((key) => left.includes(key))).toEqual([]);
    expect(left.match(/\[redacted\]/g)!.length).toBeGreaterThan(500);
  });
  it("reads a long text without a blank once, not anew from each letter", () => {
    const long = "x".repeat(2_000_000);
    expect(redact(`${long}_api_key=0123abc`)).toBe(`${long}_api_key=[redacted]`);
  });
  it("does not change what it is given", () => {
    const value = { a: [given] };
    redact(value);
    expect(value).toEqual({ a: [given] });
  });
});

function withEachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => withEachText(entry, change));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withEachText(entry, change)]));
}
