// Fires a case's actions when what they wait for was observed, each once, one after another.

import type { Action, Do, When } from "../../../schemas/types.ts";

/** What was observed so far, as far as actions ask for it. */
export class Sightings {
  requests = 0;
  suspended = false;
  /** How many times the loop said that it will try again. */
  retries = 0;
  /** How many times hooks were asked. */
  hooks = 0;
  /** How many times guardrails were asked. */
  guardrails = 0;
  /** How many times the functions that make instructions and tools were asked. */
  evaluations = 0;
  /** How many progress events the loop has emitted. */
  progress = 0;
  readonly started = new Set<string>();
  /** What was appended to the journal: types of records, and phases of transitions. */
  readonly appended = new Set<string>();
  readonly ended = new Set<string>();
  /** Parts written of each answer, by number of the request. */
  readonly parts = new Map<number, number>();
  /** Writes made of each answer, by number of the request. */
  readonly writes = new Map<number, number>();

  /** Whether what an action waits for was observed. */
  meet(when: When): boolean {
    if (when.request !== undefined && when.after_parts !== undefined)
      return (this.parts.get(when.request) ?? 0) >= when.after_parts;
    if (when.request !== undefined && when.after_writes !== undefined)
      return (this.writes.get(when.request) ?? 0) >= when.after_writes;
    if (when.request !== undefined) return this.requests >= when.request;
    if (when.retry !== undefined) return this.retries >= when.retry;
    if (when.progress !== undefined) return this.progress >= when.progress;
    if (when.hook !== undefined) return this.hooks >= when.hook;
    if (when.guardrail !== undefined) return this.guardrails >= when.guardrail;
    if (when.evaluation !== undefined) return this.evaluations >= when.evaluation;
    if (when.tool_start !== undefined) return [when.tool_start].flat().every((name) => this.started.has(name));
    if (when.tool_end !== undefined) return this.ended.has(when.tool_end);
    if (when.append !== undefined) return this.appended.has(when.append);
    return this.suspended;
  }
}

/** The actions of one run. */
export class Actions {
  readonly sightings = new Sightings();
  readonly #waiting: Action[];
  readonly #perform: (act: Do) => Promise<void>;
  #queue: Promise<void> = Promise.resolve();
  #running = 0;

  constructor(actions: readonly Action[], perform: (act: Do) => Promise<void>) {
    this.#waiting = [...actions];
    this.#perform = perform;
  }

  /** True while an action is being done. */
  get busy(): boolean {
    return this.#running > 0;
  }

  /** The actions that have not fired. */
  get waiting(): readonly Action[] {
    return this.#waiting;
  }

  /** Settles when everything that was started is done. */
  done(): Promise<void> {
    return this.#queue;
  }

  /** Removes an action that the caller performs itself, now. */
  take(action: Action): void {
    this.#waiting.splice(this.#waiting.indexOf(action), 1);
  }

  /** Starts every action whose time has come. Resolves when all that were started are done. */
  fire(): Promise<void> {
    for (const action of [...this.#waiting]) {
      if (!this.sightings.meet(action.when)) continue;
      this.#waiting.splice(this.#waiting.indexOf(action), 1);
      this.#running += 1;
      this.#queue = this.#queue.then(async () => {
        try {
          await this.#perform(action.do);
        } finally {
          this.#running -= 1;
        }
      });
    }
    return this.#queue;
  }
}

/** What an action waits for, in words. */
export function describeWhen(when: When): string {
  if (when.after_parts !== undefined) return `${when.after_parts} parts of answer ${when.request} were written`;
  if (when.after_writes !== undefined) return `${when.after_writes} writes of answer ${when.request} were made`;
  if (when.request !== undefined) return `model request ${when.request} arrived`;
  if (when.retry !== undefined) return `the loop said ${when.retry} times that it tries again`;
  if (when.progress !== undefined) return `${when.progress} tool_progress events arrived`;
  if (when.hook !== undefined) return `hooks were asked ${when.hook} times`;
  if (when.guardrail !== undefined) return `guardrails were asked ${when.guardrail} times`;
  if (when.evaluation !== undefined) return `instructions and tools were evaluated ${when.evaluation} times`;
  if (when.tool_start !== undefined) return `${[when.tool_start].flat().join(" and ")} started`;
  if (when.tool_end !== undefined) return `${when.tool_end} ended`;
  if (when.append !== undefined) return `${when.append} was appended`;
  return "the run suspended";
}

/** Gates behind which tools, hooks, guardrails, functions and writes wait. */
export class Gates {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #open = new Set<string>();
  #allOpen = false;

  /** How many of them wait. */
  get held(): number {
    return [...this.#waiting.values()].reduce((sum, entries) => sum + entries.length, 0);
  }

  /** Calls back when the gate is open. */
  wait(name: string, proceed: () => void): void {
    if (this.#allOpen || this.#open.has(name)) return proceed();
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), proceed]);
  }

  open(name: string): void {
    this.#open.add(name);
    this.#proceed(name);
  }

  /** Lets go of what waits, and leaves the gates as they are: those who asked are gone. */
  letGo(): void {
    for (const name of [...this.#waiting.keys()]) this.#proceed(name);
  }

  openAll(): void {
    this.#allOpen = true;
    for (const name of [...this.#waiting.keys()]) this.open(name);
  }

  #proceed(name: string): void {
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const proceed of waiting) proceed();
  }
}
