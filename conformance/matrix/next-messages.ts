// What became of the user's next message after each ending: the cases of next-message/, by provider and transport.

import type { MatrixNext } from "../../schemas/types.ts";
import type { Catalogue, Suite, VariantResult } from "../kit/index.ts";

const folder = "next-message/";
type Scenes = Record<string, Record<string, MatrixNext>>;

/** The cases of next-message/ by the last part of their id, and what each variant showed; cases that nobody could play are left out. */
export function nextMessages(
  variants: readonly VariantResult[],
  { requirements }: Pick<Catalogue, "requirements">,
): Scenes {
  const isEssential = (id: string) => requirements.get(id)?.level === "essential";
  const scenes: Scenes = {};
  for (const result of variants) {
    if (!result.case.startsWith(folder) || !result.variant.includes("/")) continue;
    (scenes[result.case.slice(folder.length)] ??= {})[result.variant] = nextOf(result, isEssential);
  }
  const isPlayed = (scene: Record<string, MatrixNext>) =>
    Object.values(scene).some(
      ({ outcome }) => outcome === "kept" || outcome === "broken" || outcome === "not_expressible",
    );
  return Object.fromEntries(Object.entries(scenes).filter(([, scene]) => isPlayed(scene)));
}

function nextOf({ verdict, reason, findings = [] }: VariantResult, isEssential: (id: string) => boolean): MatrixNext {
  const broken = findings.filter((one) => one.verdict === "broken" && isEssential(one.requirement));
  if (broken.length > 0) {
    const requirements = [...new Set(broken.map(({ requirement }) => requirement))];
    const sentence = broken.find(({ message }) => message !== undefined)?.message;
    return { outcome: "broken", requirements, ...(sentence !== undefined && { sentence: sentence.slice(0, 300) }) };
  }
  if (verdict === "pass" || verdict === "fail") return { outcome: "kept" };
  const [first] = findings;
  const why = first?.reason ?? reason;
  const outcome = verdict === "not-applicable" ? "not_applicable" : "not_seen";
  return {
    outcome: first?.verdict === "not_expressible" ? "not_expressible" : outcome,
    ...(why !== undefined && { sentence: why.slice(0, 300) }),
  };
}

/** The titles of the scenes that rows have. */
export function titlesOf(names: Iterable<string>, { cases }: Pick<Suite, "cases">): Record<string, string> {
  const titles = new Map(cases.map(({ id, case: { title } }) => [id, title]));
  return Object.fromEntries([...names].sort().map((name) => [name, titles.get(`${folder}${name}`) ?? name]));
}
