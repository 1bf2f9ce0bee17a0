// The names of MCP tools for models: unique by a namespace, and valid for every provider.

import { sha256 } from "../../support/sha256.ts";

const longest = 64;
const hashDigits = 8;
const lawfulNamespace = /^(?!.*__)[a-zA-Z0-9]([a-zA-Z0-9_-]{0,30}[a-zA-Z0-9])?$/;

/** @throws TypeError if its names could collide with those of another namespace, or would be too long */
export function checkNamespace(namespace: string): void {
  if (lawfulNamespace.test(namespace)) return;
  throw new TypeError(
    `mcpServer: expected a namespace of 1 to 32 ASCII letters, digits, - and single _, with a letter or a digit at both ends; ` +
      `got ${JSON.stringify(namespace)}. Choose another one; only the model and events see it.`,
  );
}

/**
 * The name of a tool for models. A name that providers reject is changed and gets a hash of the original, so that the same tool
 * has the same unique name in every run.
 * @see MCP-1 MCP-2
 */
export async function nameFor(namespace: string, tool: string): Promise<string> {
  const whole = `${namespace}__${tool}`;
  const lawful = whole.replaceAll(/[^a-zA-Z0-9_-]/gu, "_");
  if (lawful === whole && whole.length <= longest) return whole;
  const digest = await sha256(whole);
  return `${lawful.slice(0, longest - hashDigits - 1)}_${digest.slice(0, hashDigits)}`;
}
