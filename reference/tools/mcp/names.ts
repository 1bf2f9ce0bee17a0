// The names under which a model is offered the tools of MCP servers: told apart by a namespace, and lawful for every provider.

const longest = 64;
const hashDigits = 8;
const lawfulNamespace = /^(?!.*__)[a-zA-Z0-9]([a-zA-Z0-9_-]{0,30}[a-zA-Z0-9])?$/;

/** @throws TypeError if tools of this namespace could be taken for those of another one, or their names have no room */
export function checkNamespace(namespace: string): void {
  if (lawfulNamespace.test(namespace)) return;
  throw new TypeError(
    `mcpServer: expected a namespace of 1 to 32 ASCII letters, digits, - and single _, with a letter or a digit at both ends; ` +
      `got ${JSON.stringify(namespace)}. Choose another one: it is only seen by the model, and in events.`,
  );
}

/**
 * The name of a tool for models. A name that no provider would take is changed, and then says by a hash which one it was: so the
 * same tool has the same name in every run, and no other one has it.
 * @see MCP-1 MCP-2
 */
export async function nameFor(namespace: string, tool: string): Promise<string> {
  const whole = `${namespace}__${tool}`;
  const lawful = whole.replaceAll(/[^a-zA-Z0-9_-]/gu, "_");
  if (lawful === whole && whole.length <= longest) return whole;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(whole));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${lawful.slice(0, longest - hashDigits - 1)}_${hex.slice(0, hashDigits)}`;
}
