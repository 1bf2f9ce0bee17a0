// The command `list`: what there is, one per line.

import { listDrivers, loadSuite } from "../kit/index.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import type { RuleDescription } from "../kit/wire/codec.ts";
import { UsageError } from "../kit/base/usage-error.ts";

const lists: Record<string, () => Promise<[id: string, text: string][]>> = {
  cases: async () =>
    (await loadSuite()).cases.map(({ id, case: source }) => [id, `${source.requires[0]}  ${source.title}`]),
  requirements: async () => [...(await loadSuite()).catalogue.requirements.values()].map(({ id, text }) => [id, text]),
  features: async () => [...(await loadSuite()).catalogue.features],
  profiles: async () => {
    const { profilesOf } = await import("../kit/suite/profiles.ts");
    return (await profilesOf(await loadSuite())).map(({ name, text, checks }) => [
      name,
      `${checks.length} checks  ${text}`,
    ]);
  },
  rules: async () => {
    const { codecs } = await import("../kit/wire/codecs.ts");
    return Object.values(codecs).flatMap(({ rules }) =>
      rules.map((rule): [string, string] => [rule.id, `${rule.requirement}  ${rule.statement} ${evidenceOf(rule)}`]),
    );
  },
  drivers: async () => listDrivers().map(({ name, version, command }) => [name, `${version}  ${command.join(" ")}`]),
};

/** In short, of whom a rule is, and where it comes from; `explain` gives the addresses. */
function evidenceOf({ undocumented, seen = [], models, dialect }: RuleDescription): string {
  const days = seen.map(({ on }) => on).sort();
  const known = [
    ...(dialect === undefined ? [] : [`servers: ${dialect}`]),
    ...(models === undefined ? [] : [`models: ${models}`]),
    undocumented ? "not documented" : "documented",
    ...(days.length > 0 ? [`seen ${days.at(-1)}`] : []),
  ];
  return `(${known.join("; ")})`;
}

/** Lists cases, requirements, features, profiles, rules of the providers, or drivers. */
export async function list(what: string, { json = false }: { json?: boolean }): Promise<void> {
  const found = await (Object.hasOwn(lists, what) ? lists[what]!() : undefined);
  if (!found) throw new UsageError(`there is no list of ${what || '""'}; ${whichName(what, Object.keys(lists))}`);
  if (json) {
    console.log(
      JSON.stringify(
        found.map(([id, text]) => ({ id, text })),
        null,
        2,
      ),
    );
    return;
  }
  const width = Math.max(0, ...found.map(([id]) => id.length));
  for (const [id, text] of found) console.log(`${id.padEnd(width)}  ${text}`);
}
