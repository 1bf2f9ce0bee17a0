// Finds among the tools that a program declares those that a probe may call, and fills their arguments.

import type { Tool } from "../../schemas/types.ts";
import { isObject } from "../kit/wire/shared/json.ts";
import type { JsonObject } from "../kit/wire/shared/json.ts";

/** What a tool is for, as far as a probe has to know. */
export type Role = "read" | "write" | "shell";

/** A tool as a request declares it. */
export type DeclaredTool = Pick<Tool, "name" | "description" | "input_schema">;

/** What the file of an agent program says of its tools. */
export interface RoleNames {
  roles?: Partial<Record<Role, string>>;
  safe?: Record<string, JsonObject>;
}

/** A tool that may be called, and how. */
export interface FoundTool {
  name: string;
  schema: JsonObject;
  role: Role | "safe";
  /** The arguments that the file of the program gives, where it lists the tool as safe. */
  given?: JsonObject;
}

/** What the arguments of a call are to say. */
export interface Wish {
  /** The file to read or to write, absolute. */
  file: string;
  content: string;
  command: string;
}

const pathKey = /^(absolute_?|file_?|target_?)?(path|file|filename|file_?name)$/i;
const contentKey = /^(file_?)?(content|contents|text|data|body)$/i;
const commandKey = /^(cmd|command|command_?line|script)$/i;

/** Words of a name that say what a tool does; whatever else it says, it must not be about anything but files or a shell. */
const verbs: Record<Role, RegExp> = {
  read: /^(read|view|open|cat|get)(_?(a_)?(text_)?file(s|_content|_contents)?)?$/,
  write: /^(write|create|save|put)(_?(to_)?(a_)?(text_)?file)?$/,
  shell:
    /^((run|exec|execute)_?(a_)?)?(shell|bash|sh|terminal|cmd|command|shell_command|bash_command|terminal_command)(_?(tool|exec|run|command))?$|^exec(ute)?$/,
};

/**
 * The tool of a role; nothing if the program declares none that is recognised beyond doubt by its name and its arguments. A name
 * that the file of the program gives for the role counts alone.
 * @see PROBE-2
 */
export function toolOf(role: Role, tools: readonly DeclaredTool[], { roles = {} }: RoleNames): FoundTool | undefined {
  const named = roles[role];
  const found =
    named === undefined
      ? tools.find((tool) => isRecognised(role, tool))
      : tools.find((tool) => tool.name === named && canBeFilled(role, tool));
  return found && { name: found.name, schema: schemaOf(found), role };
}

/** A tool whose execution can be seen: one that writes, one that runs commands, or one that is listed as safe. */
export function anyTool(tools: readonly DeclaredTool[], names: RoleNames): FoundTool | undefined {
  const marking = toolOf("write", tools, names) ?? toolOf("shell", tools, names);
  if (marking) return marking;
  const safe = tools.find(({ name }) => Object.hasOwn(names.safe ?? {}, name));
  return safe
    ? { name: safe.name, schema: schemaOf(safe), role: "safe", given: names.safe![safe.name]! }
    : toolOf("read", tools, names);
}

/** Arguments that fit the schema of the tool and say what is wished. Only what is required is given. */
export function argumentsFor(tool: FoundTool, wish: Wish): JsonObject {
  if (tool.given) return tool.given;
  const { required, properties } = partsOf(tool.schema);
  const keys = Object.keys(properties).filter((key) => required.includes(key) || isSpeaking(tool.role, key));
  return Object.fromEntries(keys.map((key) => [key, valueOf(key, properties[key], wish, tool.role)]));
}

/** The name of a required argument; of the first that there is, where none is required. */
export function requiredKey({ schema }: FoundTool): string | undefined {
  const { required, properties } = partsOf(schema);
  return required[0] ?? Object.keys(properties)[0];
}

function isRecognised(role: Role, tool: DeclaredTool): boolean {
  const name = tool.name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  return verbs[role].test(name) && canBeFilled(role, tool);
}

/** Whether the arguments that the role speaks by are there, and no other is required that could mean anything. */
function canBeFilled(role: Role, tool: DeclaredTool): boolean {
  const { required, properties } = partsOf(schemaOf(tool));
  const keys = Object.keys(properties);
  const has = (pattern: RegExp) => keys.some((key) => pattern.test(key));
  if (role === "shell") return has(commandKey);
  if (!has(pathKey)) return false;
  if (role === "write") return has(contentKey);
  return !required.some((key) => contentKey.test(key));
}

function isSpeaking(role: FoundTool["role"], key: string): boolean {
  if (role === "shell") return commandKey.test(key);
  return pathKey.test(key) || (role === "write" && contentKey.test(key));
}

function valueOf(key: string, schema: unknown, wish: Wish, role: FoundTool["role"]): unknown {
  const type = typeOf(schema);
  if (role === "shell" && commandKey.test(key)) return type === "array" ? ["sh", "-c", wish.command] : wish.command;
  if (pathKey.test(key)) return type === "array" ? [wish.file] : wish.file;
  if (contentKey.test(key)) return wish.content;
  return filler(schema, type);
}

/** A harmless value of a schema: the first that it allows. */
function filler(schema: unknown, type = typeOf(schema)): unknown {
  if (!isObject(schema)) return "probe";
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
  if (type === "array") return [];
  if (type === "null") return null;
  if (type !== "object") return "probe";
  const { required, properties } = partsOf(schema);
  return Object.fromEntries(required.map((key) => [key, filler(properties[key])]));
}

function typeOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const { type } = schema;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.find((one) => one !== "null") as string | undefined;
  const choices = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(choices) ? choices.map(typeOf).find((one) => one !== undefined && one !== "null") : undefined;
}

function schemaOf({ input_schema }: DeclaredTool): JsonObject {
  return isObject(input_schema) ? input_schema : {};
}

function partsOf(schema: JsonObject): { required: string[]; properties: JsonObject } {
  const { required, properties } = schema;
  return {
    required: Array.isArray(required) ? required.filter((key) => typeof key === "string") : [],
    properties: isObject(properties) ? properties : {},
  };
}
