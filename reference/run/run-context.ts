// Creates the context that a run offers to its plug-ins.

import type { InvokeModel, Ports } from "../core/ports.ts";
import type { GuardrailPoint, HookPoint } from "../../schemas/types.ts";
import type { Guardrail } from "../plugins/guardrails.ts";
import type { ChildHandle, ChildRun, Points, Plugin, RunContext } from "../plugins/plugin.ts";
import { counted } from "../state/counters.ts";
import { realClock } from "../support/clock.ts";
import type { StartingState } from "./begin.ts";
import { aroundRequest, declaredBy } from "./compose.ts";
import { earlyEnding, type EarlyEndingPoints } from "./early-ending.ts";
import type { Controls, RunSetup } from "./setup.ts";

/** The context of a run, and the points of its plug-ins. */
export interface OpenContext extends RunContext<RunSetup> {
  turn: number;
  /** The points of the attached plug-ins, outermost first. */
  readonly points: readonly Points[];
  attach(plugins: readonly Plugin[]): void;
  /** Set if a plug-in requested it, or an earlier process ended the run. */
  early(): EarlyEndingPoints | undefined;
}

export function openContext(
  start: StartingState,
  setup: RunSetup,
  controls: Controls,
  validateInput: Ports["validateInput"],
): OpenContext {
  const { state, agents, folded, refused } = start;
  const { provider, clock = realClock } = setup;
  const { signal, inbox, emit } = controls;
  const startedAt = clock.now();
  const elapsed = () => counted(state, "elapsed_ms") + clock.now() - startedAt;
  const points: Points[] = [];
  const own = new Set(Array.isArray(setup.use) ? setup.use : []);
  let asksInBatch = Boolean(setup.guardrails?.length);
  let early = state.tripped && earlyEnding(state.tripped);
  let declared: ReturnType<RunContext["declared"]> | undefined;
  let aside: InvokeModel | undefined;

  return {
    setup,
    points,
    provider,
    options: state.options,
    state,
    refused,
    signal,
    clock,
    agents,
    inbox,
    folded,
    asksInBatch: () => asksInBatch,
    turn: 0,
    emit,
    validateInput,
    declared: () => (declared ??= declaredBy(points, agents.definitions)),
    elapsed,
    memory: () =>
      Object.assign({ elapsed_ms: elapsed(), tripped: early?.ending() }, ...points.map((one) => one.memory?.())),
    earlyEnding: () => (early ??= earlyEnding()),
    early: () => early,
    request: (request, call) => (aside ??= aroundRequest(points, provider.invokeModel, true))(request, call),
    ask: async (call) => (await points.find(({ ask }) => ask)?.ask!(call)) ?? {},
    start: ({ own, from, ...child }: ChildRun): ChildHandle => {
      const { agents: known, context, trace, ...fixed } = child;
      const given = { agents: known, ...(context && { context }), ...(trace && { trace }) };
      return controls.start(from, { ...inherited(setup), ...given, ...(own as Partial<RunSetup>), ...fixed });
    },
    measured: (call) => points.find(({ measured }) => measured)?.measured!(call),
    attach(plugins) {
      let name = "";
      try {
        for (const plugin of plugins) {
          ({ name } = plugin);
          const attached = plugin.attach(this);
          if (!attached) continue;
          points.push(attached);
          asksInBatch ||= own.has(plugin) && isAskedInBatch(attached);
        }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`The plug-in ${name} could not be attached: ${why}`, { cause: error });
      }
    },
  };
}

function isAskedInBatch({ aroundBatch, afterBatch, afterRequest, review, checkpoint }: Points): boolean {
  return [aroundBatch, afterBatch, afterRequest, review, checkpoint].some((point) => point !== undefined);
}

/** Points about what a person says to the run and what the run answers. A subagent has neither. @see SUBAGENT-26 SUBAGENT-28 */
const OWN_HOOKS: HookPoint[] = ["user_input", "stop"];
const OWN_GUARDRAILS: GuardrailPoint[] = ["input", "final_output"];

/** What a subagent inherits from its parent, including everything that observes or restricts the run. @see SUBAGENT-4 SUBAGENT-25 SUBAGENT-27 */
function inherited({
  provider,
  use,
  guardrails,
  hooks,
  watch,
  approve,
  classify,
  clock,
  random,
  newId,
  lock,
  rethrow,
}: RunSetup): RunSetup {
  return {
    provider,
    ...(use && { use }),
    ...(watch && { watch }),
    ...(guardrails && { guardrails: guardrails.flatMap(withoutOwnPoints) }),
    ...(hooks && { hooks: hooks.filter(({ point }) => !OWN_HOOKS.includes(point)) }),
    ...(approve && { approve }),
    ...(classify && { classify }),
    ...(clock && { clock }),
    ...(random && { random }),
    ...(newId && { newId }),
    ...(lock !== undefined && { lock }),
    ...(rethrow && { rethrow }),
  };
}

/** The guardrail, at the points that it has in the run of a subagent. Its `check` may be a method. */
function withoutOwnPoints(guardrail: Guardrail): Guardrail[] {
  const points = guardrail.points.filter((point) => !OWN_GUARDRAILS.includes(point));
  if (points.length === guardrail.points.length) return [guardrail];
  if (points.length === 0) return [];
  return [{ name: guardrail.name, points, check: (payload, signal) => guardrail.check(payload, signal) }];
}
