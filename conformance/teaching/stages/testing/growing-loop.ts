// A loop that is as far as the pages of the track have led it, stage by stage, and no further.

import { wellFormed } from "../../../kit/base/well-formed.ts";
import type {
  Agent,
  LoopError,
  LoopEvent,
  Message,
  ModelResponse,
  Outcome,
  RunOptions,
  RunParams,
  RunResponse,
  RunResult,
  RunStatus,
  Step,
  StopReason,
  Tool,
  ToolCallMessage,
} from "../../../../schemas/types.ts";
import { resultText } from "../../../../reference/core/session.ts";
import type { Situation } from "../../../../reference/core/result-texts.ts";
import type { DriverMethods, Kit, KitError } from "../../../kit/index.ts";
import { isBroken } from "./broken-session.ts";
import { countedIn, unknown } from "./counted.ts";
import { checkSchema } from "../../../../reference/tools/check-schema.ts";
import { validateInput } from "../../../../reference/tools/validate-input.ts";
import { problems } from "./schema-problems.ts";

const knownOptions = ["max_turns", "max_truncation_recoveries", "max_retries"];

/** The table of stage 9: the status without calls, and the one with calls where these are not executed. */
const table: Partial<Record<StopReason, [RunStatus, RunStatus?]>> = {
  end_turn: ["completed"],
  tool_use: ["completed"],
  stop_sequence: ["completed", "completed"],
  refusal: ["refused", "refused"],
  content_filter: ["refused", "refused"],
  other: ["incomplete", "incomplete"],
  max_tokens: ["max_tokens", "max_tokens"],
  context_window_exceeded: ["max_tokens", "max_tokens"],
};

type Open = Message & { id: string; status?: "incomplete" };
type Judged = { outcome: Outcome; output: string };

/** The driver of a loop that has come to a stage. */
export function growingLoop(kit: Kit, stage: number): DriverMethods {
  return {
    initialize: () => ({
      protocol: 1,
      implementation: { name: "growing", version: "0.1.0", language: "typescript" },
      seams: ["generic"],
      reports: stage >= 15 ? ["session", "result", "events"] : ["session", "result"],
    }),
    run: (params) => new GrowingRun(kit, stage, params).run(),
  };
}

class GrowingRun {
  readonly #kit: Kit;
  readonly #stage: number;
  readonly #params: RunParams;
  readonly #messages: Message[];
  readonly #agent: Agent | undefined;
  readonly #steps: Step[] = [];
  #produced: Message[] = [];
  #cut = 0;
  /** How many turns came to a response, or to a part of one. */
  #answered = 0;
  #seq = 0;

  constructor(kit: Kit, stage: number, params: RunParams) {
    this.#kit = kit;
    this.#stage = stage;
    this.#params = params;
    this.#messages = wellFormed(params.session.messages);
    this.#agent = params.agents[params.agent];
  }

  async run(): Promise<RunResponse> {
    this.#emit({ type: "run_start", session_id: this.#params.session.id, agent: this.#params.agent });
    const result = await this.#turns();
    this.#emit({ type: "run_end", result });
    return { session: { ...this.#params.session, messages: this.#messages }, result };
  }

  async #turns(): Promise<RunResult> {
    const unknownOption = this.#unknownOption();
    if (unknownOption !== undefined) {
      const message = `There is no option ${unknownOption}; there are ${knownOptions.join(" and ")}.`;
      return this.#refused({ kind: "configuration", message });
    }
    const wrong = this.#wrong();
    if (wrong) return this.#refused({ kind: wrong, message: "this cannot be run" });
    const badSchema = this.#badSchema();
    if (badSchema) return this.#refused({ kind: "configuration", message: badSchema });
    for (;;) {
      const { max_turns: most = 20 }: RunOptions = { ...this.#params.options, ...this.#agent!.limits };
      if (this.#stage >= 13 && most !== null && this.#steps.length >= most) return this.#result("max_turns");
      const ended = await this.#turn();
      if (this.#stage >= 15) this.#emit({ type: "turn_end", turn: this.#steps.length });
      if (ended) return ended;
      // Before the loop there is one call, its results, and one more response.
      if (this.#stage < 5 && this.#steps.length === 2) return this.#result("completed");
    }
  }

  /** A reason that nobody knows is another one. */
  #knownEnding<R extends Pick<ModelResponse, "stop_reason" | "raw_stop_reason">>(response: R): R {
    const { stop_reason, raw_stop_reason } = response;
    const isKnown = Object.hasOwn(table, stop_reason) || stop_reason === "error" || stop_reason === "interrupted";
    if (this.#stage < 9 || isKnown) return response;
    return { ...response, stop_reason: "other", raw_stop_reason: raw_stop_reason ?? stop_reason };
  }

  async #turn(): Promise<RunResult | undefined> {
    const turn = this.#steps.length + 1;
    this.#emit({ type: "turn_start", turn });
    this.#emit({ type: "model_start", turn });
    const { messages, error, ...response } = await this.#requestModel();
    const { stop_reason, raw_stop_reason = null, usage = unknown, model } = this.#knownEnding(response);
    const named = model ?? (error && this.#agent!.model);
    if (!error || messages.length > 0) this.#answered = turn;
    const failed = error && { error };
    this.#emit({ type: "model_end", turn, stop_reason, raw_stop_reason, usage, ...failed });
    this.#produced = this.#withIds(this.#stored(messages, error !== undefined));
    this.#append(turn, this.#produced);
    const calls = this.#produced.filter((message) => message.type === "tool_call");
    const step: Step = {
      ...{ turn, agent: this.#params.agent, stop_reason, raw_stop_reason, usage },
      ...(named !== undefined && { model: named }),
      ...{ tool_calls: calls.length, outcomes: [] },
    };
    this.#steps.push(step);
    if (error) {
      this.#answer(turn, calls, "interrupted", stop_reason as Situation, { status: "incomplete" });
      return this.#result("error", error);
    }
    if (this.#stage < 4) return this.#result("completed");
    const [without, withCalls] = (this.#stage >= 9 && table[stop_reason]) || ["completed" as const, undefined];
    if (calls.length === 0) {
      const message = "The model called no tool.";
      if (stop_reason === "tool_use") this.#emit({ type: "warning", turn, code: "tool_use_without_calls", message });
      return this.#result(without);
    }
    if (withCalls === undefined) return await this.#executed(turn, calls);
    this.#answer(turn, calls, "not_executed", stop_reason as Situation);
    const { max_truncation_recoveries: most = 3 }: RunOptions = this.#params.options ?? {};
    const isRecovered = this.#stage >= 10 && withCalls === "max_tokens" && this.#cut < most;
    this.#cut += 1;
    return isRecovered ? undefined : this.#result(withCalls);
  }

  async #requestModel(): Promise<ModelResponse> {
    const { instructions, tools = [], model } = this.#agent!;
    const isSent = (message: Message) => this.#stage < 3 || (message as Open).status !== "incomplete";
    const messages = this.#messages.filter(isSent);
    if (this.#stage >= 4 && instructions) messages.unshift({ role: "system", content: instructions });
    const request = { ...(model && { model }), messages, tools: this.#stage >= 4 ? tools : [] };
    try {
      return await this.#kit.request("model/invoke", { run: this.#params.run, request });
    } catch (thrown) {
      const { error, partial = [] } = (thrown as KitError).data;
      if (this.#stage < 11 || !error) throw thrown;
      return { messages: partial, stop_reason: error.kind === "stream_interrupted" ? "interrupted" : "error", error };
    }
  }

  #stored(messages: Message[], isCutOff: boolean): Message[] {
    if (this.#stage < 3) return messages;
    const sent = messages.filter((message) => message.role !== "assistant" || message.content !== "");
    const isMarked = isCutOff || sent.every(({ type }) => type === "thinking");
    return isMarked ? sent.map((message) => ({ ...message, status: "incomplete" }) as Message) : sent;
  }

  #withIds(sent: Message[]): Message[] {
    if (this.#stage < 12) return sent;
    const taken = new Set(this.#messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : [])));
    return sent.map((message) => {
      if (message.type !== "tool_call") return message;
      let { id } = message;
      for (let number = 2; taken.has(id); number += 1) id = `${message.id}_${number}`;
      taken.add(id);
      const renamed = { type: "warning", code: "duplicate_id_renamed", message: `${message.id} is taken` } as const;
      if (id !== message.id) this.#emit({ ...renamed, turn: this.#steps.length + 1 });
      return { ...message, id };
    });
  }

  async #executed(turn: number, calls: ToolCallMessage[]): Promise<RunResult | undefined> {
    let fatal: string | undefined;
    const results: Message[] = [];
    for (const call of this.#stage >= 5 ? calls : calls.slice(0, 1)) {
      const { result, isFatal } = await this.#executedOne(turn, call);
      results.push(result);
      if (isFatal) fatal ??= String((result as { output: unknown }).output);
    }
    this.#append(turn, results);
    this.#steps.at(-1)!.outcomes.push(...results.map((result) => (result as { outcome: Outcome }).outcome));
    this.#cut = 0;
    return fatal === undefined ? undefined : this.#result("error", { kind: "tool_fatal", message: fatal });
  }

  async #executedOne(turn: number, call: ToolCallMessage): Promise<{ result: Message; isFatal?: boolean | undefined }> {
    const { id, name } = call;
    const judged = await this.#judged(call);
    if (judged) return { result: { type: "tool_result", id, ...judged, is_error: true, synthetic: true } };
    const input = call.input ?? {};
    this.#emit({ type: "tool_start", turn, id, name, input });
    try {
      const executed = await this.#kit.request("tool/execute", { run: this.#params.run, call: { id, name, input } });
      const failed = executed.is_error ? ({ is_error: true, outcome: "error" } as const) : ({ outcome: "ok" } as const);
      this.#emit({ type: "tool_end", turn, id, name, outcome: failed.outcome });
      return { result: { type: "tool_result", id, output: wellFormed(executed.output!), ...failed } };
    } catch (thrown) {
      const { message, data } = thrown as KitError;
      if (this.#stage < 8 || !data.thrown) throw thrown;
      this.#emit({ type: "tool_end", turn, id, name, outcome: "error" });
      const result: Message = { type: "tool_result", id, output: message, is_error: true, outcome: "error" };
      return { result, isFatal: data.fatal };
    }
  }

  async #judged({ name, input, raw_input = "" }: ToolCallMessage): Promise<Judged | undefined> {
    if (this.#stage < 6) return undefined;
    const { tools = [] } = this.#agent!;
    const tool = tools.find((one) => one.name === name);
    const there = tools.map((one) => one.name).join(", ") || "none";
    const outcome = "invalid_arguments";
    if (!tool) {
      const output = resultText("unknown_tool", { name: JSON.stringify(name), tools: there });
      return { outcome: "unknown_tool", output };
    }
    if (input === null)
      return { outcome, output: resultText("not_an_object", { arguments: raw_input.slice(0, 100).toWellFormed() }) };
    const found = await this.#problems(tool, input);
    if (found.length === 0) return undefined;
    return { outcome, output: resultText("wrong_arguments", { name, problems: found.join("; ").slice(0, 200) }) };
  }

  /** From stage 14 on with a library, as anybody would. */
  async #problems({ input_schema }: Tool, input: Record<string, unknown>): Promise<string[]> {
    if (this.#stage < 7) return [];
    if (this.#stage < 14) return problems(input_schema, input);
    return (await validateInput(input_schema, input)).map(({ pointer, message }) => `${pointer}: ${message}`);
  }

  /** What is wrong with the run before it begins. */
  #unknownOption(): string | undefined {
    const given = Object.entries(this.#params.options ?? {});
    return given.find(([name, value]) => this.#stage >= 14 && value !== null && !knownOptions.includes(name))?.[0];
  }

  /** A schema that cannot be obeyed: the tool, the place and the keyword. */
  #badSchema(): string | undefined {
    if (this.#stage < 14) return undefined;
    const tools = Object.values(this.#params.agents).flatMap((agent) => agent.tools ?? []);
    for (const { name, input_schema } of tools) {
      const problem = checkSchema(input_schema);
      if (problem) return `The schema of ${name} cannot be obeyed at ${problem.pointer}: ${problem.message}.`;
    }
    return undefined;
  }

  #wrong(): LoopError["kind"] | undefined {
    const { messages, spec_version } = this.#params.session;
    if (this.#stage < 14) return this.#stage === 1 || messages.length === 0 ? "invalid_session" : undefined;
    const names = this.#agent?.tools?.map(({ name }: Tool) => name) ?? [];
    if (!this.#agent || new Set(names).size < names.length) return "configuration";
    return spec_version.split(".")[0] !== "1" || isBroken(messages) ? "invalid_session" : undefined;
  }

  #answer(
    turn: number,
    calls: ToolCallMessage[],
    outcome: Outcome,
    situation: Situation,
    status: { status?: "incomplete" } = {},
  ): void {
    const made = { output: resultText(situation), is_error: true, outcome, synthetic: true } as const;
    this.#append(
      turn,
      calls.map(({ id }): Message => ({ type: "tool_result", id, ...made, ...status })),
    );
    this.#steps.at(-1)!.outcomes.push(...calls.map(() => outcome));
  }

  #append(turn: number, messages: Message[]): void {
    for (const message of messages) {
      this.#messages.push(message);
      this.#emit({ type: "message", turn, message });
    }
  }

  #refused(error: LoopError): RunResult {
    return { ...this.#result("error", error), ...(this.#stage >= 14 && { refused: true }) };
  }

  #result(status: RunStatus, error?: LoopError): RunResult {
    const final_text = this.#produced
      .flatMap((message) => (message.role === "assistant" ? [message.content] : []))
      .join("");
    const isEmpty = this.#stage >= 3 && status === "completed" && final_text === "";
    const counted = {
      session_id: this.#params.session.id,
      ...countedIn(this.#steps, this.#params.agent, this.#answered),
    };
    return { ...counted, status, final_text, ...(isEmpty && { empty: true }), ...(error && { error }) };
  }

  #emit(event: Unnumbered): void {
    if (this.#stage < 15) return;
    this.#kit.notify("event", { run: this.#params.run, event: { ...event, seq: this.#seq } as LoopEvent });
    this.#seq += 1;
  }
}

type Unnumbered = LoopEvent extends infer One ? (One extends LoopEvent ? Omit<One, "seq"> : never) : never;
