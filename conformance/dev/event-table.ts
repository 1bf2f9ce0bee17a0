// Says the grammar of events as tables for people.

import type { EventGrammar, EventPair, EventPlace, EventRule } from "../../schemas/types.ts";

/** One row for each event: where it stands, what it begins or ends, how its partner is found, how often it comes. */
export function eventTable(grammar: EventGrammar): string {
  const rows = Object.entries(grammar.events).map(([type, rule]) => {
    const name = rule.starts ?? rule.ends ?? rule.of ?? rule.after;
    const pair = name === undefined ? undefined : grammar.pairs[name]!;
    return [
      code(type),
      placeOf(rule, pair),
      roleOf(rule),
      pair ? keysOf(grammar, name!).map(code).join(", ") : "",
      timesOf(rule, pair),
      code(rule.feature ?? pair?.feature),
      rule.requirement,
    ];
  });
  return table(["event", "stands", "pair", "found by", "how often", "feature", "see"], rows);
}

/** The status with which each limit ends a run. */
export function limitTable({ limits }: EventGrammar): string {
  return table(
    ["limit", "status"],
    Object.entries(limits).map(([limit, status]) => [code(limit), code(status)]),
  );
}

function table(heads: string[], rows: string[][]): string {
  const lines = [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines.join("\n").replace(/\| ---( \| ---)* \|/, `|${"---|".repeat(heads.length)}`);
}

function placeOf(rule: EventRule, pair: EventPair | undefined): string {
  if (rule.anywhere) return rule.after === undefined ? "anywhere" : `anywhere after the ${code(pair!.end)}`;
  if (rule.of !== undefined) return `in its ${code(rule.of)}`;
  if (rule.in)
    return rule.in.map(inWords).join(", or ") + (rule.turn === "ended" ? ", with the turn that has ended" : "");
  if (rule.ends !== undefined) return `last in its ${code(rule.ends)}`;
  if (pair!.in === undefined) return "first";
  const beside = pair!.beside ? `, also beside a ${pair!.beside.map(code).join(" or ")}` : "";
  return inWords({ pair: pair!.in, ...(pair!.part !== undefined && { parts: [pair!.part] }) }) + beside;
}

function inWords({ pair, parts, only }: EventPlace): string {
  const part = parts ? `, part ${parts.map((name) => `*${name}*`).join(" or ")}` : "";
  return `in a ${code(pair)}${part}${only ? `, if it has ${code(JSON.stringify(only))}` : ""}`;
}

function roleOf({ starts, ends }: EventRule): string {
  if (starts !== undefined) return `begins ${code(starts)}`;
  return ends === undefined ? "" : `ends ${code(ends)}`;
}

/** The fields by which two events of a pair find each other, those of the pairs around it first. */
function keysOf(grammar: EventGrammar, name: string): string[] {
  const { in: around, key = [] } = grammar.pairs[name]!;
  return [...(around === undefined ? [] : keysOf(grammar, around)), ...key];
}

function timesOf(rule: EventRule, pair: EventPair | undefined): string {
  if (rule.once) return "at most once";
  if (rule.ends !== undefined) return `once for each ${code(pair!.start)}`;
  const follower = rule.followed_by;
  if (follower)
    return `any number, each followed by its ${code(follower.pair)}${follower.unless ? ` unless ${code(JSON.stringify(follower.unless))}` : ""}`;
  const count = rule.starts === undefined ? undefined : pair!.count;
  const often = count?.max === 1 ? "once" : count?.min === 1 ? "at least once" : "any number";
  const [[field, values] = []] = Object.entries(count?.unless ?? {});
  const excuse = field === undefined ? "" : ` unless the ${code(field)} is ${values!.map(code).join(" or ")}`;
  const behind = rule.follows === undefined ? "" : `, each behind its ${code(rule.follows)}`;
  const counted =
    rule.starts !== undefined && pair!.counted
      ? `; ${code(pair!.counted.field)} counts from ${pair!.counted.from}`
      : "";
  return often + (count?.none_if === undefined ? "" : `, never if ${count.none_if}`) + excuse + behind + counted;
}

function code(text: string | undefined): string {
  return text === undefined ? "" : "`" + text + "`";
}
