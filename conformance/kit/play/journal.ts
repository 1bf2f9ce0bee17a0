// Is the store of a run's journal: keeps its records, ends the process of the driver where the case says so, and judges what was not written in time.

import { askingRun, callingRun } from "../observed/subruns.ts";
import type {
  Failure,
  JournalAppendParams,
  JournalRecord,
  ModelInvokeParams,
  ToolExecuteParams,
} from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import type { DriverRequest } from "../base/protocol.ts";
import type { Reply } from "../driver/rpc.ts";
import { foldJournal, madeByModel } from "../observed/journal-fold.ts";
import type { ObservedJournal } from "../observed/observation.ts";
import { agentsOf } from "../suite/case-agents.ts";
import type { RunContext } from "./run-context.ts";

/** What a process is asked for, or what it asks for, in words. */
type Moment = string;

/** What only a run asks for that was not refused. */
const movingOn: ReadonlySet<DriverRequest> = new Set(["model/invoke", "tool/execute", "instructions/evaluate"]);

/** The journal of one run. */
export class JournalPlayer {
  readonly #run: RunContext;
  readonly #seen: ObservedJournal;
  /** Lets the model answer again from the n-th answer on. */
  readonly #rewind: (answers: number) => void;
  /** What is being appended, and not kept yet. */
  #pending: readonly JournalRecord[] = [];
  /** How every append is answered from the first that the case wants to be refused. */
  #refusal: "taken" | "failed" | undefined;
  /** The calls that were executed in processes that have ended. */
  readonly #executedBefore = new Set<string>();
  /** How many answers of the model there were when the process was asked for what it does. */
  #answersBefore = 0;
  /** How many findings of guardrails there were by then. */
  #findingsBefore = 0;
  /** The moments at which the driver waited for the kit. */
  readonly moments: Moment[] = [];

  constructor(run: RunContext, seen: ObservedJournal, rewind: (answers: number) => void) {
    this.#run = run;
    this.#seen = seen;
    this.#rewind = rewind;
    run.endProcess = (how) => this.#endProcess(how);
    run.repetition = (id, name) => this.#repetition(id, name);
  }

  /** A process is about to be asked to run, to resume or to recover. */
  begin(): void {
    this.#answersBefore = this.#run.seen.answers.length;
    this.#findingsBefore = this.#run.seen.findings.length;
    this.#seen.appendedLast = 0;
    this.#seen.isUnderWay = false;
  }

  /** Whether the process that takes the place of another is asked for the same once more: the case wants it, or there is nothing to recover. */
  get beginsAgain(): boolean {
    return this.#run.input.filled.case.given.journal?.then === "again" || this.#seen.records.length === 0;
  }

  /** What a process does in turn is asked for anew. */
  forget(): void {
    this.#rollBack(this.#answersBefore);
  }

  /**
   * Takes a request of the driver, and checks that everything is written down that has to be by then. Where the process is ended
   * instead of being answered, a tool has begun all the same.
   * @param answer answers the request
   */
  async take(method: DriverRequest, params: unknown, answer: () => Promise<void>): Promise<void> {
    this.#seen.isUnderWay ||= movingOn.has(method);
    if (method === "model/invoke") this.#run.fail(this.#beforeModel(params as ModelInvokeParams));
    if (method === "tool/execute") this.#run.fail(this.#beforeTool(params as ToolExecuteParams));
    const what = method === "journal/append" ? appended((params as JournalAppendParams).records) : method;
    const isEnd = this.#isEnd(`${what} has come`);
    if (!isEnd || method === "tool/execute") void answer().catch((error: unknown) => this.#run.break(error));
    if (isEnd) await this.#endProcess("before");
  }

  read(reply: Reply): void {
    const { loses } = this.#run.input.filled.case.given.journal!;
    const lost = loses === undefined ? -1 : names(this.#seen.records).indexOf(loses);
    // A run that is refused for it knows the beginning alone.
    if (lost >= 0) for (const _ of this.#run.seen.answers) this.#run.seen.expected.forget();
    reply.result({ records: this.#seen.records.filter((_, i) => i !== lost) });
  }

  async append({ after, records }: JournalAppendParams, reply: Reply): Promise<void> {
    const { life } = this.#run;
    this.#refusal ??= this.#refusalOf(records);
    if (this.#refusal) return reply.result({ answer: this.#refusal });
    if (!this.#isNext(after)) return reply.result({ answer: "taken" });
    this.#pending = records;
    for (const name of names(records)) this.#run.actions.sightings.appended.add(name);
    await this.#run.fire();
    if (life !== this.#run.life) return;
    // What a loop does without waiting for the answer, it does by now.
    if (this.#run.hasBarrier) await this.#run.quiet.lasting(1);
    if (life !== this.#run.life) return;
    this.#run.fail([...this.#unfinished(records), ...this.#toldBefore(records)]);
    this.#keep();
    if (this.#isEnd(`${appended(records)} is kept`)) return await this.#endProcess("after");
    reply.result({ answer: "ok" });
  }

  #refusalOf(records: readonly JournalRecord[]): "taken" | "failed" | undefined {
    const { taken, fails } = this.#run.input.filled.case.given.journal!;
    const written: readonly (string | undefined)[] = names(records);
    if (taken !== undefined && written.includes(taken)) return "taken";
    return fails !== undefined && written.includes(fails) ? "failed" : undefined;
  }

  /** What a tool returned is written down by itself, and not with its batch. @see JOURNAL-4 */
  #unfinished(records: readonly JournalRecord[]): Failure[] {
    const { finished } = foldJournal([
      ...this.#seen.records,
      ...records.filter(({ type }) => type === "tool_finished"),
    ]);
    const items = records.flatMap((record) => (record.type === "transition" ? (record.messages?.items ?? []) : []));
    const executed = new Set(this.#executedNow());
    const { snapshot } = foldJournal(this.#seen.records); // what is written again, shortened, was finished before
    const answered = snapshot?.session.messages.flatMap((one) => (one.type === "tool_result" ? one.id : [])) ?? [];
    const known = new Set([...answered, ...Object.keys(snapshot?.unfinished ?? {})]); // before the run was suspended
    return items.flatMap((item) => {
      if (item.type !== "tool_result" || known.has(item.id)) return [];
      if (!executed.has(item.id) || finished.has(item.id)) return [];
      const message = `the result of ${item.id} is written with its batch, and the journal has no tool_finished for it`;
      return [breach("JOURNAL-4", message, { expected: "tool_finished", received: names(records) })];
    });
  }

  /** What a tool returned is in no event of the session before it is kept. @see JOURNAL-4 */
  #toldBefore(records: readonly JournalRecord[]): Failure[] {
    const finished = new Set(records.flatMap((record) => (record.type === "tool_finished" ? [record.result.id] : [])));
    return (this.#run.seen.events.at(-1) ?? []).flatMap((event) => {
      if (event.type !== "message" || event.message.type !== "tool_result" || !finished.has(event.message.id))
        return [];
      const message = `the result of ${event.message.id} was reported before its tool_finished was kept`;
      return [breach("JOURNAL-4", message, { received: event })];
    });
  }

  #keep(): void {
    this.#seen.records.push(...this.#pending);
    this.#seen.appendedLast += this.#pending.length;
    this.#seen.appends += 1;
    this.#pending = [];
  }

  /** @see DRIVER-32 */
  #isNext(after: number): boolean {
    const { length } = this.#seen.records;
    if (after === length && this.#pending.length === 0) return true;
    const message = `the records are to follow the first ${after}, but the journal has ${length + this.#pending.length}, all of them from this run`;
    this.#run.fail([breach("DRIVER-32", message, { expected: length, received: after })]);
    return false;
  }

  /** @see JOURNAL-2 JOURNAL-4 JOURNAL-10 */
  #beforeModel({ request }: ModelInvokeParams): Failure[] {
    if (this.#refusal) return [breach("JOURNAL-10", "the model was called after a record could not be kept")];
    if (this.#pending.length > 0) return [early("the model was called", this.#pending)];
    if (askingRun(this.#run.seen, request) !== this.#run.seen) return []; // what a subagent was called with is in no journal
    const { snapshot, finished } = foldJournal(this.#seen.records);
    const written = snapshot?.session.messages.filter((one) => !("status" in one)).length ?? 0;
    // The segments of a response that paused are one step: they are written when it is whole.
    const segments = this.#run.seen.expected.openSegments.length;
    const requested = request.messages.filter(({ role }) => role !== "system").length;
    if (requested <= written + segments) return [];
    const lost = this.#executedNow().find((id) => !finished.has(id));
    const message = `the model was called with ${requested} messages, of which the journal has ${written}`;
    return [
      breach(lost === undefined ? "JOURNAL-2" : "JOURNAL-4", message, { expected: written, received: requested }),
    ];
  }

  /** The calls of the last batch that this process has executed, and that were answered. */
  #executedNow(): string[] {
    const { expected, executions } = this.#run.seen;
    const batch = new Set(expected.batches.at(-1)?.map(({ id }) => id));
    const answered = executions.filter(({ id, end }) => batch.has(id) && end !== undefined).map(({ id }) => id);
    return answered.filter((id) => !this.#executedBefore.has(id));
  }

  /** @see JOURNAL-3 JOURNAL-10 */
  #beforeTool({ call: { id = "", name } }: ToolExecuteParams): Failure[] {
    if (this.#refusal) return [breach("JOURNAL-10", `tool ${name} was started after a record could not be kept`)];
    // What a subagent does is in no journal: its parent has started it.
    const [started = id] = callingRun(this.#run.seen, id, name).path;
    if (foldJournal(this.#seen.records).started.has(started)) return [];
    return [breach("JOURNAL-3", `tool ${name} was started as ${id}, and the journal has no tool_started for it`)];
  }

  /** The requirement that is broken where a tool is started again for a call; undefined if none is. */
  #repetition(id: string, name: string): string | undefined {
    if (!this.#executedBefore.delete(id)) return "TOOL-12";
    const { finished, snapshot } = foldJournal(this.#seen.records);
    if (finished.has(id) || this.#isAnswered(id)) return "JOURNAL-7";
    const { tools = [] } = agentsOf(this.#run.input.filled.case.given)[snapshot?.agent ?? ""] ?? {};
    const tool = tools.find((one) => one.name === name);
    return tool?.annotations?.idempotent ? undefined : "JOURNAL-9";
  }

  /** Notes a moment, and says whether the process is to be ended at it. */
  #isEnd(moment: Moment): boolean {
    this.moments.push(moment);
    return this.moments.length === this.#run.input.endsAt;
  }

  async #endProcess(how: "before" | "after"): Promise<void> {
    const { process } = this.#run.input;
    if (!process) throw new Error("the process of this driver cannot be ended: the kit has not started it");
    if (how === "after") this.#keep();
    this.#tear();
    this.#pending = [];
    this.#run.life += 1;
    this.#run.isCancelled = this.#run.hasReceivedCancel = false; // a cancel is lost with the process
    this.#run.gates.letGo();
    this.#seen.ended += 1;
    const { snapshot } = foldJournal(this.#seen.records);
    const { given } = this.#run.input.filled.case;
    const made = madeByModel(snapshot?.session.messages.slice(given.messages.length) ?? []);
    this.#rollBack(this.#answersWithin(made));
    await process.endProcess();
  }

  /** A last record that the case wants to be lost was not written whole: it leaves no gap, and the next one stands in its place. @see JOURNAL-17 */
  #tear(): void {
    const { loses } = this.#run.input.filled.case.given.journal!;
    const { records } = this.#seen;
    if (loses !== undefined && names(records).indexOf(loses) === records.length - 1) records.pop();
  }

  /** How many answers of the model so many messages are. */
  #answersWithin(messages: number): number {
    let left = messages;
    return this.#run.seen.answers.filter((answer) => (left -= madeByModel(answer.messages)) >= 0).length;
  }

  /** What only the process knew that has ended is forgotten: answers of the model, and of tools whose end was not written down. */
  #rollBack(answers: number): void {
    const { seen, clock } = this.#run;
    const { finished, snapshot } = foldJournal(this.#seen.records);
    seen.events[seen.events.length - 1] = []; // they have no end
    for (; seen.answers.length > answers; seen.answers.pop()) seen.expected.forget();
    this.#rewind(answers);
    if (snapshot?.phase === "deciding") seen.expected.undecided();
    this.#forgetFindings();
    // What a subagent took whose result was not written down, the next process cannot know.
    const isKept = (id: string) => finished.has(id) || this.#isAnswered(id);
    for (const run of seen.subruns) if (!isKept(run.path[0]!)) run.disturbed = true;
    const batch = new Set(seen.expected.batches.at(-1)?.map(({ id }) => id));
    for (const execution of seen.executions) {
      execution.end ??= clock;
      this.#executedBefore.add(execution.id);
      if (!batch.has(execution.id) || finished.has(execution.id) || this.#isAnswered(execution.id)) continue;
      seen.expected.lost(execution.id);
      this.#seen.interrupted.add(execution.id);
    }
  }

  /** What guardrails reported to the process is reported to the one that takes its place, unless the journal has it that one tripped. @see GUARDRAIL-20 */
  #forgetFindings(): void {
    const { tripped, ending } = foldJournal(this.#seen.records).snapshot ?? {};
    const isWritten = [tripped, ending].some((one) => one?.status === "guardrail");
    const { findings } = this.#run.seen;
    const reported = findings.splice(this.#findingsBefore);
    if (isWritten) findings.push(...reported.filter(({ trip }) => trip));
  }

  /** Whether the journal has the result of a call: in the session, or kept of a batch that waits for the caller. */
  #isAnswered(id: string): boolean {
    const { snapshot } = foldJournal(this.#seen.records);
    if (snapshot?.unfinished?.[id]?.executed !== undefined) return true;
    return snapshot?.session.messages.some((one) => one.type === "tool_result" && one.id === id) ?? false;
  }
}

function early(what: string, pending: readonly JournalRecord[]): Failure {
  return breach("JOURNAL-2", `${what} before ${appended(pending)} was answered`);
}

/** What records are called in a case: by their type, or a transition by its phase. */
function names(records: readonly JournalRecord[]): string[] {
  return records.map((record) => (record.type === "transition" ? record.phase : record.type));
}

function appended(records: readonly JournalRecord[]): string {
  return `journal/append of ${names(records).join(" and ")}`;
}
