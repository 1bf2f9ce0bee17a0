// The transcript shows both sides of every exchange as they were, on the wire and on the generic seam.

import { expect, it } from "vitest";
import { showTranscript } from "./transcript.ts";

const stream = 'event: ping\ndata: {"type":"ping"}\n\n';
const posted = { method: "POST", path: "/v1/messages", headers: { accept: "*/*" }, body: { model: "m" } };

it("shows requests and responses with their first lines and headers", () => {
  const text = showTranscript([{ request: posted, response: { status: 200, headers: {}, text: '{"id":1}' } }]).text;
  expect(text).toContain("POST /v1/messages → 200");
  expect(text).toContain("accept: */*");
  expect(text.match(/\d+ headers?/g)).toEqual(["1 header"]);
  expect(text).toMatch(/"key">&#34;model&#34;/);
  expect(text).toMatch(/"key">&#34;id&#34;/);
});
it("shows a stream as it was written", () => {
  const text = showTranscript([{ request: posted, response: { status: 200, text: stream, aborted: true } }]).text;
  expect(text).toContain(`>${stream.replaceAll('"', "&#34;")}</pre>`);
  expect(text).toContain("cut off");
});
it("says that there was no response", () => {
  expect(showTranscript([{ request: posted }]).text).toContain("There was none.");
});
it("shows plain values, and opens the one that is asked for", () => {
  const exchanges = [{ request: { messages: [] }, response: { stop_reason: "end_turn" } }, { request: "not JSON" }];
  const text = showTranscript(exchanges, 2).text;
  expect(text.match(/<details[^>]*>/g)).toHaveLength(2);
  expect(text).toMatch(/^<details class="exchange"\s*>[^]*<details class="exchange"\s+open>/);
  expect(text).toContain("end_turn");
});
