// What stands for something else in a case: * in the name of a tool, a place such as {turn} in a template of instructions.

/** Whether the name of a tool matches the pattern of a hook, in which * matches any text. */
export function fitsTool(pattern: string, name: string): boolean {
  const escaped = pattern.split("*").map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[^]*")}$`).test(name);
}

/** Stands for something in a template: the agent, the turn, or a context variable. */
const place = /\{(agent|turn|context\.([^{}]+))\}/g;

/** What is known when the instructions of a turn are made. */
interface Turn {
  agent: string;
  turn: number;
  context: Readonly<Record<string, unknown>>;
}

/** A template with what its places stand for. */
export function fillTemplate(template: string, { agent, turn, context }: Turn): string {
  return template.replaceAll(place, (_, named: string, variable: string) =>
    named === "agent" ? agent : named === "turn" ? String(turn) : String(context[variable]),
  );
}

/** The places of a template that stand for context variables, each with the name of its variable. */
export function variablePlaces(template: string): { place: string; variable: string }[] {
  return [...template.matchAll(place)].flatMap(([written, , variable]) =>
    variable === undefined ? [] : [{ place: written, variable }],
  );
}
