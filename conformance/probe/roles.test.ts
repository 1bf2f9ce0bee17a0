// Tools are found by what they are called and take, and nothing is called that is not known to be harmless.

import { describe, expect, it } from "vitest";
import { anyTool, argumentsFor, toolOf } from "./roles.ts";
import type { DeclaredTool } from "./roles.ts";

const tool = (name: string, required: string[], properties: Record<string, unknown> = {}): DeclaredTool => ({
  name,
  description: "",
  input_schema: {
    type: "object",
    properties: { ...Object.fromEntries(required.map((key) => [key, { type: "string" }])), ...properties },
    required,
  },
});
const wish = { file: "/folder/mark", content: "probe", command: "echo probe" };

describe("roles", () => {
  it.each([
    ["Read", ["file_path"], "read"],
    ["read_file", ["absolute_path"], "read"],
    ["Write", ["file_path", "content"], "write"],
    ["write_file", ["path", "content"], "write"],
    ["Bash", ["command"], "shell"],
    ["exec_command", ["cmd"], "shell"],
    ["run_shell_command", ["command"], "shell"],
  ] as const)("%s is found", (name, required, role) => {
    expect(toolOf(role, [tool(name, [...required])], {})?.name).toBe(name);
  });
  it.each(["delete_files", "send_mail", "edit_file", "remove_file", "execute_sql", "write_mail", "run_payment"])(
    "%s never is",
    (name) => {
      const tools = [tool(name, ["path", "content", "command"])];
      expect(anyTool(tools, {})).toBeUndefined();
    },
  );
  it("a tool of the right name that takes something else is not taken", () => {
    expect(toolOf("write", [tool("write", ["recipient", "content"])], {})).toBeUndefined();
    expect(toolOf("shell", [tool("bash", ["url"])], {})).toBeUndefined();
  });
  it("the file of the program decides, and an empty name is none", () => {
    const tools = [tool("Write", ["path", "content"]), tool("Note", ["path", "content"])];
    expect(toolOf("write", tools, { roles: { write: "Note" } })?.name).toBe("Note");
    expect(toolOf("write", tools, { roles: { write: "" } })).toBeUndefined();
  });
  it("a tool that the file lists as safe is called with its arguments", () => {
    const found = anyTool([tool("get_time", [])], { safe: { get_time: { zone: "UTC" } } });
    expect(found && argumentsFor(found, wish)).toEqual({ zone: "UTC" });
  });
});

describe("arguments", () => {
  it("fit the schema, and say no more than is required", () => {
    const found = toolOf(
      "shell",
      [
        tool("Bash", ["command", "is_background", "mode", "limit"], {
          is_background: { type: "boolean" },
          mode: { enum: ["fast", "slow"] },
          limit: { type: "integer", minimum: 3 },
          cwd: { type: "string" },
        }),
      ],
      {},
    )!;
    expect(argumentsFor(found, wish)).toEqual({ command: "echo probe", is_background: false, mode: "fast", limit: 3 });
  });
  it("are words where a command is a list", () => {
    const list = tool("shell", ["command"], { command: { type: "array", items: { type: "string" } } });
    expect(argumentsFor(toolOf("shell", [list], {})!, wish)).toEqual({ command: ["sh", "-c", "echo probe"] });
  });
});
