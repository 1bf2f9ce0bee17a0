// Text stays text: nothing that a model or a tool said becomes markup.

import { describe, expect, it } from "vitest";
import { hostile } from "../testing/sample.ts";
import { html, prettyJson, withCode } from "./markup.ts";

describe("html", () => {
  it("escapes text and keeps markup [REPORT-12]", () => {
    expect(html`<b title="${'"><i>'}">${"</b>"} ${html`<i>${1}</i>`}</b>`.text).toBe(
      '<b title="&#34;&#62;&#60;i&#62;">&#60;/b&#62; <i>1</i></b>',
    );
  });
  it("joins lists, and leaves out what is absent", () => {
    expect(html`[${["a", html`<b></b>`, undefined, false, ["b"]]}]`.text).toBe("[a<b></b>b]");
  });
  it("shows characters that act instead of letting them [REPORT-12]", () => {
    expect(html`${"a\u202eb\u0000\ud800\u001b[31m"}`.text).toBe("a\\u202eb\\u0000\ufffd\\u001b[31m");
    expect(html`${hostile}`.text).not.toMatch(/[<>"'\u202e\u2066\u2028]/);
  });
});

describe("prettyJson", () => {
  const textOf = (markup: string) =>
    markup.replace(/<[^>]*>/g, "").replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  it("says exactly what JSON says", () => {
    const value = { 'k"</script>': ['a\\"b: ', -1.5e-7, true, null, {}, []], z: "é\n" };
    expect(textOf(prettyJson(value).text)).toBe(JSON.stringify(value, undefined, 2));
  });
  it("tells keys, strings and other values apart", () => {
    expect(prettyJson({ a: "b", c: 1 }).text).toMatch(
      /class="key">&#34;a&#34;<\/span>: <span class="string">&#34;b&#34;[^]*class="word">1</,
    );
  });
  it("has a word for what JSON cannot say", () => {
    expect(prettyJson(undefined).text).toContain("nothing");
  });
});

describe("withCode", () => {
  it("makes code of words in backticks", () => {
    expect(withCode("emit `run_end<` last").text).toBe("emit <code>run_end&#60;</code> last");
  });
});
