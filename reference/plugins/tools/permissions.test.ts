// Permissions: what a rule matches, shells included, and which row decides.

import { describe, expect, it } from "vitest";

import type { State } from "../../core/ports.ts";
import { initSession, initState } from "../../core/session.ts";
import { matches, type Permitting, permit } from "./permissions.ts";
import type { PermissionRule, Permissions, Tool } from "../../../schemas/types.ts";

const bash: Tool = {
  name: "bash",
  input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  annotations: { shell: true },
};
const call = (command: unknown, name = "bash") => ({ id: "c1", name, input: { command } });
const allows = (match: string, command: string) => matches({ effect: "allow", match }, bash, call(command));
const denies = (match: string, command: string) => matches({ effect: "deny", match }, bash, call(command));

describe("an allow rule for a shell [PERMISSION-7, PERMISSION-8]", () => {
  it.each(["npm test", "npm run build -- --watch", "npm install left-pad@1.3.0", 'npm run "a b"'])(
    "matches %s",
    (line) => {
      expect(allows("bash(npm *)", line)).toBe(true);
    },
  );

  it.each([
    "npm x; rm -rf ~",
    "npm x && rm -rf ~",
    "npm x || rm",
    "npm x | sh",
    "npm x & rm",
    "npm x\nrm -rf ~",
    "npm x\rrm",
    "npm $(rm -rf ~)",
    "npm `rm`",
    "npm x > ~/.bashrc",
    "npm x < secrets",
    "npm ${HOME}",
    "npm {a,b}",
    "npm x \\\nrm",
    "npmx",
    "xnpm x",
    " npm x",
    "sudo npm x",
  ])("does not match %j", (line) => {
    expect(allows("bash(npm *)", line)).toBe(false);
  });

  it("matches what it says itself", () => {
    expect(allows("bash(git log | head *)", "git log | head -3")).toBe(true);
    expect(allows("bash(git log | head *)", "git log | head -3; rm x")).toBe(false);
    expect(allows("bash(a.c)", "abc")).toBe(false);
  });
});

describe("a deny rule for a shell [PERMISSION-9]", () => {
  it.each([
    "rm -rf ~",
    "ls; rm -rf ~",
    "ls && rm x",
    "echo $(rm x)",
    "(rm x)",
    "ls\n  rm x",
    "rm $HOME/x",
    "ls | rm x ; ls",
  ])("matches %j", (line) => expect(denies("bash(rm *)", line)).toBe(true));

  it.each(["ls", "echo rm x", "firm x", "ls; echo rm"])("does not match %j", (line) => {
    expect(denies("bash(rm *)", line)).toBe(false);
  });

  it("finds an exact command between others", () => {
    expect(denies("bash(rm x)", "ls; rm x && ls")).toBe(true);
    expect(denies("bash(rm x)", "ls; rm xy && ls")).toBe(false);
  });
});

describe("white space in a command line [PERMISSION-31]", () => {
  it("keeps words apart, whatever it is", () => {
    expect(denies("bash(rm *)", "rm\t-rf ~")).toBe(true);
    expect(denies("bash(git  push*)", "ls;\v git \t push")).toBe(true);
    expect(denies("bash(rm *)", "rm\n-rf ~")).toBe(false); // two commands
  });
});

describe("a path [PERMISSION-29, PERMISSION-30]", () => {
  const write: Tool = { name: "write", input_schema: { type: "object", required: ["path"] } };
  const holds = (effect: PermissionRule["effect"], pattern: string, path: string) =>
    matches({ effect, match: `write(${pattern})` }, write, { id: "c1", name: "write", input: { path } });

  it.each([
    ["/srv/*", "/srv/../etc/passwd"],
    ["./src/*", "src/../../x"],
    ["/srv/*", "/srv"],
    ["/srv/*", "srv/x"],
  ])("%s does not allow %s", (pattern, path) => expect(holds("allow", pattern, path)).toBe(false));

  it.each([
    ["/srv/*", "/x/../srv//a/./b"],
    ["src/*", "./src/a"],
    ["../x", "a/../../x"],
    ["https://example.com/*", "https://example.com/a"],
    ["/*", "/../.."],
  ])("%s allows %s", (pattern, path) => expect(holds("allow", pattern, path)).toBe(true));

  it.each([
    ["/etc/*", "//etc/passwd"],
    ["/etc/*", "/x/../etc/passwd"],
    ["/etc/*", "/etc/../srv/x"],
    [".env", "./.env"],
  ])("%s denies %s", (pattern, path) => expect(holds("deny", pattern, path)).toBe(true));
});

describe("a long subject [PERMISSION-32]", () => {
  it.each([
    ["deny", "bash(*curl*|*sh*)", "curl|"],
    ["ask", "bash(* && *rm*)", "a && "],
    ["allow", "bash(npm * * * *x)", "npm "],
    ["deny", "bash(rm *)", "; "],
    ["deny", "bash(rm x)", "rm x "],
  ] as const)("is judged at once: %s %s", (effect, match, part) => {
    const began = performance.now();
    matches({ effect, match }, bash, { id: "c1", name: "bash", input: { command: part.repeat(100_000) } });
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe("the subject of a call [PERMISSION-10]", () => {
  const write: Tool = {
    name: "write",
    input_schema: { type: "object", properties: { path: {}, text: {} }, required: ["path", "text"] },
  };
  const input = { path: "/etc/passwd", text: "x" };
  const rule = (effect: PermissionRule["effect"]): PermissionRule => ({ effect, match: "write(/etc/*)" });

  it("is the argument that the annotation names", () => {
    const annotated = { ...write, annotations: { subject: "path" } };
    expect(matches(rule("allow"), annotated, { id: "c1", name: "write", input })).toBe(true);
  });

  it("is missing where nothing names it: then nothing is allowed, and everything denied", () => {
    expect(matches(rule("allow"), write, { id: "c1", name: "write", input })).toBe(false);
    expect(matches(rule("deny"), write, { id: "c1", name: "write", input })).toBe(true);
    expect(denies("bash(rm *)", 7 as never)).toBe(true);
  });
});

describe("what decides [PERMISSION-1, PERMISSION-2, PERMISSION-3]", () => {
  const read: Tool = { name: "read", input_schema: { type: "object" }, annotations: { read_only: true } };
  const edit: Tool = { name: "edit", input_schema: { type: "object" }, annotations: { edits: true } };
  const agents = { main: { name: "main", tools: [read, edit] } };
  const state: State = initState(initSession({ id: "s", user: "Go." }), "main");
  const ask: Permitting["ask"] = async () => ({ do: "ask", approval: true });

  async function verdict(permissions: Permissions, name: string, extra: Partial<Permitting> = {}): Promise<string> {
    const decision = await permit({ permissions, agents, ask, ...extra })({ id: "c1", name, input: {} }, state);
    return decision.do === "answer" ? decision.result.outcome! : decision.do;
  }
  const deny: PermissionRule = { effect: "deny", match: "*" };
  const asks: PermissionRule = { effect: "ask", match: "e*" };
  const allow: PermissionRule = { effect: "allow", match: "*" };

  it.each<[string, Permissions, string, string]>([
    ["nothing", {}, "read", "ask"],
    ["deny before everything", { mode: "bypass", rules: [allow, asks, deny] }, "edit", "denied"],
    ["ask before bypass", { mode: "bypass", rules: [allow, asks] }, "edit", "ask"],
    ["bypass", { mode: "bypass" }, "edit", "run"],
    ["plan denies what is not read-only, allowed or not", { mode: "plan", rules: [allow] }, "edit", "denied"],
    ["plan lets read", { mode: "plan" }, "read", "run"],
    ["accept_edits lets edit", { mode: "accept_edits" }, "edit", "run"],
    ["accept_edits lets nothing else", { mode: "accept_edits" }, "read", "ask"],
    ["allow", { rules: [allow] }, "read", "run"],
    ["dont_ask denies what would be asked", { mode: "dont_ask", rules: [asks] }, "edit", "denied"],
    ["dont_ask lets what is allowed", { mode: "dont_ask", rules: [allow] }, "read", "run"],
    ["auto without a classifier asks", { mode: "auto" }, "read", "ask"],
  ])("%s", async (_, permissions, name, expected) => {
    expect(await verdict(permissions, name)).toBe(expected);
  });

  it("asks the classifier in mode auto, and denies when it fails [PERMISSION-5]", async () => {
    const auto: Permissions = { mode: "auto" };
    expect(await verdict(auto, "read", { classify: async () => "allow" })).toBe("run");
    expect(await verdict(auto, "read", { classify: async () => "deny" })).toBe("denied");
    const broken = async () => {
      throw new Error("no model");
    };
    expect(await verdict(auto, "read", { classify: broken })).toBe("denied");
    expect(await verdict({}, "read", { ask: broken })).toBe("denied");
  });
});
