// Lets errors through that are not the run's own, such as those with which an engine gives a run up: none of them becomes a result.

import type { EventBody } from "../core/ports.ts";
import type { Points, Plugin, RunContext } from "../plugins/plugin.ts";
import type { Journal } from "../state/journal-records.ts";
import type { Clock } from "../support/clock.ts";
import type { AgentWithTools } from "../tools/agents.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { Controls, RunSetup } from "./setup.ts";
import { anySignal } from "../support/any-signal.ts";

/** The end of a run by an error of its caller. */
export class Interruption {
  readonly #isCallers: (error: unknown) => boolean;
  readonly #stop = new AbortController();
  readonly #thrown = Promise.withResolvers<never>();
  #error: { value: unknown } | undefined;

  constructor(isCallers: (error: unknown) => boolean) {
    this.#isCallers = isCallers;
    this.#thrown.promise.catch(() => {}); // most runs are not interrupted
  }

  /** The error that ended the run, once there is one. */
  get error(): { value: unknown } | undefined {
    return this.#error;
  }

  /**
   * The result of a run, unless it is interrupted.
   * @throws the error of the caller, at once: what is left of the run can do nothing more
   */
  race<Result>(run: Promise<Result>): Promise<Result> {
    return Promise.race([run, this.#thrown.promise]);
  }

  /** The function, which does nothing any more once the run is interrupted, and interrupts it with an error of the caller. */
  guard<Args extends unknown[], Returned>(act: (...args: Args) => Returned): (...args: Args) => Returned {
    return (...args) => {
      if (this.#error) throw this.#error.value;
      try {
        const returned = act(...args);
        return isPromise(returned) ? (returned.then(undefined, (error) => this.#pass(error)) as Returned) : returned;
      } catch (error) {
        return this.#pass(error);
      }
    };
  }

  #pass(error: unknown): never {
    if (!this.#error && this.#isCallers(error)) {
      this.#error = { value: error };
      this.#stop.abort(INTERRUPTED);
      this.#thrown.reject(error);
    }
    throw error;
  }

  /** The connections of a run that emits nothing more once it is interrupted. */
  controls(controls: Controls): Controls {
    return {
      ...controls,
      signal: anySignal(controls.signal, this.#stop.signal),
      emit: (event: EventBody) => (this.#error ? undefined : controls.emit(event)),
      start: (from, setup) => {
        const child = controls.start(from, setup);
        const result = child.result.catch((error: unknown) => this.#pass(error));
        result.catch(() => {}); // the parent may have been interrupted, and await it no more
        return { result, [Symbol.asyncIterator]: () => child[Symbol.asyncIterator]() };
      },
    };
  }

  /** The setup, every function of which is guarded. */
  setup(setup: RunSetup): RunSetup {
    const { provider, clock, journal, hooks, guardrails, use, stopWhen, compactWith, lock } = setup;
    const { approve, classify, random, newId, agents } = setup;
    return {
      ...setup,
      ...this.#agent(setup),
      ...(agents && { agents: mapped(agents, (agent) => ({ ...agent, ...this.#agent(agent) })) }),
      provider: {
        name: provider.name,
        ...(provider.model !== undefined && { model: provider.model }),
        invokeModel: this.guard((...args) => provider.invokeModel(...args)),
      },
      ...(clock && { clock: this.#clock(clock) }),
      ...(journal && { journal: this.#journal(journal) }),
      ...(hooks && { hooks: hooks.map((hook) => this.#with(hook, "run")) }),
      ...(guardrails && { guardrails: guardrails.map((guardrail) => this.#with(guardrail, "check")) }),
      ...(stopWhen && { stopWhen: stopWhen.map((condition) => this.#with(condition, "holds")) }),
      ...(compactWith && { compactWith: compactWith.map((strategy) => this.#with(strategy, "compact")) }),
      ...(Array.isArray(use) && { use: use.map((plugin) => this.#plugin(plugin)) }),
      ...(lock && { lock: this.guard(lock) }),
      ...(approve && { approve: this.guard(approve) }),
      ...(classify && { classify: this.guard(classify) }),
      ...(random && { random: this.guard(random) }),
      ...(newId && { newId: this.guard(newId) }),
    };
  }

  /** The functions of an agent, or of a setup that is one. */
  #agent({ tools, instructions }: Pick<AgentWithTools, "tools" | "instructions">): Partial<AgentWithTools> {
    const guardTool = (tool: DefinedTool) => (tool.execute ? this.#with(tool, "execute") : tool);
    const make = typeof tools === "function" ? this.guard(tools) : undefined;
    return {
      ...(Array.isArray(tools) && { tools: tools.map(guardTool) }),
      ...(make && { tools: async (info) => (await make(info)).map(guardTool) }),
      ...(typeof instructions === "function" && { instructions: this.guard(instructions) }),
    };
  }

  #plugin(plugin: Plugin): Plugin {
    const attach = this.guard((run: RunContext) => plugin.attach(run));
    return { ...plugin, attach: (run) => this.#points(attach(run) ?? {}) };
  }

  /** The points of a plug-in: functions, functions that make functions, and `betweenTurns`, which has some. */
  #points<P extends Points>(points: P): P {
    return mapped(points as Record<string, unknown>, (point) => {
      if (typeof point === "object" && point !== null) return this.#points(point);
      if (typeof point !== "function" || point === points.release) return point; // resources are released all the same
      const guarded = this.guard(point.bind(points) as (...args: unknown[]) => unknown);
      return (...args: unknown[]) => {
        const made = guarded(...args);
        return typeof made === "function" ? this.guard(made as (...args: unknown[]) => unknown) : made;
      };
    }) as P;
  }

  #clock(clock: Clock): Clock {
    return { now: this.guard(() => clock.now()), sleep: this.guard((...args) => clock.sleep(...args)) };
  }

  #journal(journal: Journal): Journal {
    return { read: this.guard(() => journal.read()), append: this.guard((...args) => journal.append(...args)) };
  }

  /** A copy of the holder of a function, which is guarded. */
  #with<Holder extends object>(holder: Holder, name: keyof Holder): Holder {
    const act = holder[name] as (...args: unknown[]) => unknown;
    return { ...holder, [name]: this.guard(act.bind(holder)) };
  }
}

/** A constant reason: the default one is a new error each time. */
const INTERRUPTED = "interrupted";

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

function mapped<V, M>(entries: Record<string, V>, map: (value: V) => M): Record<string, M> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, map(value)]));
}
