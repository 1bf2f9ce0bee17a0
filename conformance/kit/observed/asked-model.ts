// Which model a request asks: what a model signed goes back to no other.

import type { Case } from "../../../schemas/types.ts";
import { agentsOf } from "../suite/case-agents.ts";
import { modelOf } from "../suite/script.ts";
import type { Observation } from "./observation.ts";

/** The model of a request, if the case names it; a framework may write the name of the only model in its own way. */
export function askedModel(model: string, { filled, driver, variant }: Observation): string {
  return namedIn(filled.case).has(model) ? model : modelOf(driver, variant.seam);
}

/** The models that a case names: of its agents, those to fall back on, and those to which it switches. */
function namedIn({ given, actions = [] }: Case): Set<string | undefined> {
  const switched = actions.map(({ do: act }) => (typeof act === "string" ? undefined : act.switch_model));
  const ofAgents = Object.values(agentsOf(given)).map(({ model }) => model);
  return new Set([...ofAgents, ...(given.options?.fallback_models ?? []), ...switched]);
}
