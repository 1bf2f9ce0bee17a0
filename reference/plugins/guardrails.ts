// Checks what goes into a run and what comes out of it; a check that trips ends the run. Plugs into every point.

import type { Boundary } from "./turns/steering.ts";
import type { ExecutableCall, Executed, Ports, State } from "../core/ports.ts";
import { orAborted } from "../support/until-aborted.ts";
import { outputCall } from "./tools/output-tool.ts";
import { denied } from "./tools/permissions.ts";
import { finalText } from "./model/structured-output.ts";
import type { Tripwire } from "../run/early-ending.ts";
import type {
  Ending,
  GuardrailCheck,
  GuardrailFilter,
  GuardrailFinding,
  GuardrailPoint,
  Message,
  StopReason,
} from "../../schemas/types.ts";
import { askedOf, notExecuted } from "../state/partial-batch.ts";

/** A check of the caller. */
export interface Guardrail extends GuardrailFilter {
  check(told: GuardrailCheck, signal: AbortSignal): GuardrailFinding | Promise<GuardrailFinding>;
}

/** The guardrails of a run, as what plugs into its points. */
export interface GuardrailPoints {
  /** Before the first turn. @see GUARDRAIL-2 */
  opener: Boundary | undefined;
  /** @see GUARDRAIL-3 */
  aroundModel(invokeModel: Ports["invokeModel"]): Ports["invokeModel"];
  /** Where calls are executed, and not where they are decided about: only here a call is as it will run. @see GUARDRAIL-4 GUARDRAIL-5 */
  aroundBatch(execute: Ports["execute"]): Ports["execute"];
  /** Comes last: what it has let pass is the end. @see GUARDRAIL-6 */
  keeper: Boundary | undefined;
}

/** What a run without guardrails has. */
export const noGuardrails: GuardrailPoints = {
  opener: undefined,
  aroundModel: (invokeModel) => invokeModel,
  aroundBatch: (execute) => execute,
  keeper: undefined,
};

export function guardrailPoints(
  guardrails: Guardrail[],
  tripwire: Tripwire,
  signal: AbortSignal,
  emit: Ports["emit"],
): GuardrailPoints {
  /** Asks the guardrails of a point. The ending, if one trips. @see GUARDRAIL-9 GUARDRAIL-10 GUARDRAIL-11 */
  async function ask(told: GuardrailCheck): Promise<Ending | undefined> {
    for (const guardrail of guardrails) {
      const { name, points } = guardrail;
      if (!points.includes(told.point)) continue;
      if (signal.aborted) return undefined; // the run ends anyway
      const { trip, reason, severity } = await found(guardrail, told);
      const by = { name, point: told.point, ...(severity && { severity }) };
      if (trip) return { status: "guardrail", guardrail: by, ...(reason && { reason }) };
      if (!reason) continue;
      const message = `${name}: ${reason}`;
      emit({ type: "warning", turn: told.turn, code: "guardrail_finding", message, guardrail: by });
    }
    return undefined;
  }

  /** @see GUARDRAIL-8 */
  async function found(guardrail: Guardrail, told: GuardrailCheck): Promise<GuardrailFinding> {
    const over = new AbortController();
    try {
      // A copy: a guardrail looks, and changes nothing.
      const checked = (async () => guardrail.check(structuredClone(told), over.signal))();
      const finding = await orAborted(checked, signal, () => ({ trip: false }));
      if (typeof finding?.trip === "boolean") return finding;
      throw new Error(`expected a finding { trip: true or false, reason? }, got ${JSON.stringify(finding)}`);
    } catch (error) {
      return { trip: true, reason: `the check failed: ${error instanceof Error ? error.message : String(error)}` };
    } finally {
      over.abort(CHECKED);
    }
  }

  /** The batch of a run that ends: what has no result gets none any more, also what waits for the caller. */
  function closed(calls: ExecutableCall[], executed: Executed[], state: State): Executed[] {
    const why = tripwire.tripped()?.reason ?? "the run ends";
    const ended = executed.filter(({ result }) => result.outcome !== "suspended");
    const byId = new Map(ended.map((one) => [one.result.id, one]));
    delete state.unfinished;
    return [...calls, ...askedOf(calls, state)].map(
      (call) => byId.get(call.id) ?? { result: denied(call, why).result },
    );
  }

  const at = (point: GuardrailPoint, { turn, agent }: State): GuardrailCheck => ({ point, turn, agent });
  let isOpen = false;

  return {
    async opener(state) {
      if (isOpen || state.turn > 0) return { do: "continue" };
      const { messages } = state.session;
      const said = messages.slice(messages.findLastIndex(({ role }) => role !== "user") + 1);
      const ending = said.length > 0 ? await ask({ ...at("input", state), messages: said }) : undefined;
      isOpen = ending === undefined; // once: what is added before the first turn is no input
      return ending ? { do: "end", ending } : { do: "continue" };
    },

    aroundModel: (invokeModel) => async (request, turn, state) => {
      const answer = await invokeModel(request, turn, state);
      if (tripwire.tripped() || FAILED.includes(answer.stop_reason)) return answer;
      const ending = await ask({ ...at("model_output", state), turn, messages: answer.messages });
      if (!ending) return answer;
      tripwire.trip(ending);
      return { ...answer, messages: answer.messages.map((message) => marked(message, ending)) };
    },

    aroundBatch: (execute) => async (calls, run, state) => {
      for (const call of notExecuted(calls, state)) {
        if (tripwire.tripped()) break;
        const ending = await ask({ ...at("tool_input", state), call });
        if (ending) tripwire.trip(ending);
      }
      const before = calls.flatMap(({ id }) => state.unfinished?.[id]?.executed ?? []);
      if (tripwire.tripped()) return closed(calls, before, state);
      const checked: Parameters<Ports["execute"]>[1] = async (call) => {
        const executed = await run(call);
        const { output, synthetic } = executed.result;
        const ending = synthetic ? undefined : await ask({ ...at("tool_output", state), call, output });
        if (!ending) return executed;
        tripwire.trip(ending);
        return { ...executed, result: marked(executed.result, ending) };
      };
      const executed = await execute(calls, checked, state);
      return tripwire.tripped() ? closed(calls, executed, state) : executed;
    },

    async keeper(state) {
      if (state.ending?.status !== "completed") return { do: "continue" };
      const output = outputCall(state)?.input;
      const text = output ? JSON.stringify(output) : finalText(state);
      const ending = await ask({ ...at("final_output", state), text });
      return ending ? { do: "end", ending } : { do: "continue" };
    },
  };
}

/** What came of these is no response: the run fails, or is cancelled. */
const FAILED: StopReason[] = ["error", "interrupted", "pause"];

/** A reason of our own: the default one is made anew each time, with a stack trace. */
const CHECKED = "checked";

/** @see GUARDRAIL-7 */
function marked<M extends Message>(message: M, { guardrail }: Ending): M {
  return { ...message, meta: { ...(message.meta as object), guardrail: guardrail!.name } };
}
