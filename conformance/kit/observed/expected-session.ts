// Knows what a correct loop's session is at every moment of a run, from what was given, scripted and executed.

import { isDeepStrictEqual } from "node:util";
import type {
  Message,
  Outcome,
  ResumeDecision,
  ToolCallMessage,
  ToolResultMessage,
  UserMessage,
} from "../../../schemas/types.ts";
import { overruled, standingAfter } from "./batch-outcome.ts";
import type { Standing, ToolAnswer } from "./batch-outcome.ts";
import { wellFormed } from "../base/well-formed.ts";
import type { FollowUp } from "./follow-up.ts";
import { PendingContext, extraUserTexts, nextUserText } from "./pending-context.ts";

export type { ToolAnswer } from "./batch-outcome.ts";

/** A call that the model made, and what is known of its result. */
interface ExpectedCall {
  message: ToolCallMessage;
  /** False while the id that the loop gave to a call without one is unknown. */
  named: boolean;
  /** The arguments with which the caller approved it, or to which a hook changed them. */
  edited?: Record<string, unknown>;
  /** The requirement by which it must not be executed, because a hook has settled it. */
  refused?: string;
  /** The tool's answer, if it was executed and nothing cut it short. */
  answer?: ToolAnswer;
  /** The result that a request or session showed; every later one must show the same. */
  shown?: ToolResultMessage;
}

interface ExpectedResponse {
  messages: Message[];
  calls: ExpectedCall[];
  /** The model paused: the next response is the rest of it. */
  isPaused: boolean;
  /** The loop follows the response up with a user message of its own, if it asks the model again. Its text is the loop's. */
  needsFollowUp: FollowUp | undefined;
  followUp?: Message;
  /** Steering messages during the turn of the response. @see LOOP-53 */
  steered: Message[];
  /** Context that hooks added after it. @see HOOK-10 HOOK-13 */
  added: Message[];
}

/** What stands where a result should, in messages for people. */
const anyResult = "(the result of this call)";

/** The session that the run must have, as far as it follows from what the kit did. */
export class ExpectedSession {
  readonly #given: Message[];
  readonly #agents: readonly string[];
  readonly #begin: Standing;
  readonly #responses: ExpectedResponse[] = [];
  readonly #ids = new Set<string>();
  /** How many responses came before the first that the kit cannot read. */
  #readable = Infinity;
  /** Steering messages that are in no request yet. */
  #unsent: UserMessage[] = [];
  /** How many of these had come when a hook kept the run from calling the model. */
  #saidBeforeBlock = 0;
  /** The last model call failed, or the model paused: the next request belongs to the same turn. */
  #isTurnOpen = false;
  /** Context of hooks that is in no request yet. */
  readonly #pendingContext = new PendingContext();
  /** Steering messages and hook context before the first response. */
  readonly #opening: Pick<ExpectedResponse, "steered" | "added"> = { steered: [], added: [] };

  /**
   * @param agents the names of the agents to which a tool may hand over
   * @param begin the agent and the context variables with which the run begins
   */
  constructor(given: Message[], agents: readonly string[] = [], begin: Standing = { agent: "main" }) {
    this.#given = wellFormed(given); // [SESSION-33]
    this.#agents = agents;
    this.#begin = begin;
    for (const message of given) if (isCall(message)) this.#ids.add(message.id);
  }

  /** True once the model answered something that the kit cannot read: what follows is not derived. */
  get isOpen(): boolean {
    return this.#readable < Infinity;
  }

  /** Every call of the model so far, in order, under the id that the loop has to give it; "" where it is not known yet. */
  get calls(): readonly { readonly message: ToolCallMessage }[] {
    return this.#responses.flatMap(({ calls }) => calls);
  }

  /** The calls of each response, in order. */
  get batches(): readonly (readonly ToolCallMessage[])[] {
    return this.#responses.map(({ calls }) => calls.map(({ message }) => message));
  }

  /** What came so far of a response that paused, and is not whole. */
  get openSegments(): readonly Message[] {
    const whole = this.#responses.findLastIndex(({ isPaused }) => !isPaused);
    return this.#responses.slice(whole + 1).flatMap(({ messages }) => messages);
  }

  /** The last response, with all that came of it before pauses. */
  get lastResponse(): readonly Message[] {
    const last = this.#responses.at(-1);
    return last ? wholeAround(last, this.#responses).flatMap(({ messages }) => messages) : [];
  }

  /** Who was active, and which context variables there were, when the last response was asked for. */
  get during(): Standing {
    return this.#standing(this.#responses.slice(0, -1));
  }

  /** The same, after what the tools of the last response answered so far. */
  get after(): Standing {
    return this.#standing(this.#responses);
  }

  /** Whether the last response may have several calls. */
  get isBatch(): boolean {
    return this.isOpen || (this.#responses.at(-1)?.calls.length ?? 0) > 1;
  }

  /**
   * The model answered.
   * @param needsFollowUp whether the loop has to add a message before it may call the model again, see LOOP-44 and LOOP-46
   * @see SESSION-4 SESSION-5 SESSION-9
   */
  respond(response: Message[], needsFollowUp?: FollowUp): void {
    const messages = response
      .filter((message) => !(message.role === "assistant" && message.content === ""))
      .map((message) => this.#withUniqueId(message));
    const calls = messages.filter(isCall).map((message): ExpectedCall => ({ message, named: message.id !== "" }));
    this.#responses.push({ messages, calls, isPaused: false, needsFollowUp, steered: [], added: [] });
    this.#isTurnOpen = false;
  }

  /** The model call failed. What is said until its next attempt waits for the next turn. @see LOOP-53 */
  callFailed(): void {
    this.#isTurnOpen = true;
  }

  /** The model paused. What is said until its response is whole waits for the next turn. @see LOOP-31 LOOP-53 */
  paused(): void {
    this.#responses.at(-1)!.isPaused = true;
    this.#isTurnOpen = true;
  }

  /** A steering message arrives. */
  steer(content: string): void {
    this.#unsent.push({ role: "user", content: wellFormed(content) });
  }

  /** The loop calls hooks for a message: it has accepted the message, and all that was said by then. @see LOOP-132 */
  accepted(message: Message): void {
    const isSaid = this.#unsent.some((one) => isDeepStrictEqual(one, message));
    if (isSaid) this.#latest().steered.push(...this.#unsent.splice(0));
  }

  /** The run goes on where it was suspended: what was said to it before is not said to it now. @see LOOP-133 */
  resumed(): void {
    this.#unsent.length = 0;
  }

  /** A hook keeps the run from calling the model: what was said by then may be in the session. @see HOOK-11 LOOP-53 */
  blocked(): void {
    this.#saidBeforeBlock = this.#unsent.length;
  }

  /** A hook adds context for the next model call. */
  addContext(text: string, call?: string): void {
    this.#pendingContext.add(text, call);
  }

  /** The process has ended that knew the result of a call, and what hooks had added about it. @see HOOK-34 */
  lost(id: string): void {
    this.unsettled(id);
    this.#pendingContext.drop(id);
  }

  /** A hook changed the arguments of a call. */
  edit(id: string, input: Record<string, unknown>): void {
    const call = this.#callOf(id);
    if (call) call.edited = input;
  }

  /** A hook settled a call: it must not be executed. */
  refuse(id: string, requirement: string): void {
    const call = this.#callOf(id);
    if (call) call.refused ??= requirement;
  }

  /** The requirement by which a call must not be executed any more, if there is one. */
  refusal(id: string): string | undefined {
    return this.#callOf(id)?.refused;
  }

  /** A hook has put another output in place of what a tool answered. Its other values stand. */
  replaced(id: string, answer: ToolAnswer): void {
    const call = this.#callOf(id);
    if (!call) return;
    const { thrown, fatal, returned } = call.answer ?? {};
    const isFatal = fatal && { thrown: thrown!, fatal, isError: true };
    call.answer = { ...(returned && { returned }), ...answer, ...isFatal };
  }

  /** The last answer was not sent whole after all. */
  cutOff(): void {
    this.#responses.pop();
  }

  /** The last answer is forgotten: the process to which it was sent has ended before it was written down. */
  forget(): void {
    for (const { message } of this.#responses.pop()?.calls ?? []) this.#ids.delete(message.id);
  }

  /** The process has ended before it wrote down what hooks had decided about the calls of the last response: they are asked once more. */
  undecided(): void {
    for (const call of this.#responses.at(-1)?.calls ?? []) {
      if (call.refused !== undefined) delete call.answer;
      delete call.refused;
      delete call.edited;
    }
  }

  /** The model answered something that the kit does not understand. */
  respondOpenly(): void {
    this.#readable = Math.min(this.#readable, this.#responses.length);
  }

  /**
   * A call is executed: finds it among the calls of the last response that were not executed yet. Of those that came without an id it
   * is the one with these arguments, where there is one: they may be executed in any order.
   * @returns what the model asked for, or undefined if it asked for no such thing
   */
  execute(id: string, name: string, input?: unknown): ToolCallMessage | undefined {
    const calls = this.#responses.at(-1)?.calls ?? [];
    const nameless = calls.filter(({ named, message }) => !named && message.name === name);
    const call =
      calls.find(({ message }) => message.id === id) ??
      nameless.find(({ message }) => isDeepStrictEqual(message.input, input)) ??
      nameless[0];
    if (call && !call.named) this.#learnId(call, id);
    return call?.edited ? { ...call.message, input: call.edited } : call?.message;
  }

  /** A tool answered in time. */
  answered(id: string, answer: ToolAnswer): void {
    const call = this.#responses.at(-1)?.calls.find(({ message }) => message.id === id);
    if (call) call.answer = wellFormed(answer); // [TOOL-48]
  }

  /** What a tool answered may not count, because it was signalled, timed out or cancelled. */
  unsettled(id: string): void {
    for (const call of this.#responses.at(-1)?.calls ?? []) if (call.message.id === id) delete call.answer;
  }

  /** The caller decided about calls of a suspended run. What it did not answer itself, a tool or the loop does. */
  decided(decisions: readonly ResumeDecision[]): void {
    for (const decision of decisions) {
      const { id } = decision;
      const call = this.#responses.at(-1)?.calls.find(({ message }) => message.id === id);
      if (call && decision.action === "approve" && decision.input) call.edited = decision.input;
      if (decision.action !== "respond") continue;
      const { output, is_error } = decision;
      this.answered(id, { output, ...(is_error && { isError: true }) });
    }
  }

  /**
   * The session, as far as the kit can know it. What only the loop knows, the ids and results that it makes up, is taken from `shown` on first sight and
   * demanded from then on.
   * @param shown the messages of a request or session, in generic terms
   * @param isSuspended true if the calls of the last response wait for the caller
   */
  messages(shown: readonly Message[], isSuspended = false): Message[] {
    this.#learnIds(shown);
    const responses = this.#responses.slice(0, this.#readable);
    const waiting = isSuspended ? this.#responses.at(-1) : undefined;
    const results = (response: ExpectedResponse) =>
      response === waiting ? [] : response.calls.map((call) => this.#resultOf(call, answersOf(response), shown));
    const followUp = ({ followUp: own, steered, added }: ExpectedResponse) => [
      ...(own ? [own] : []),
      ...steered,
      ...added,
    ];
    return [
      ...this.#given,
      ...this.#opening.steered,
      ...this.#opening.added,
      ...responses.flatMap((response) => [
        ...(isWithoutWords(wholeAround(response, responses)) ? response.messages.map(incomplete) : response.messages),
        ...results(response),
        ...followUp(response),
      ]),
    ];
  }

  /** Whether it is a message of `messages` that the loop says itself behind a response. */
  isOwn(message: Message): boolean {
    return this.#responses.some(({ followUp }) => followUp === message);
  }

  /** What the tool of a call answered, if it was executed and nothing cut it short. */
  answerTo(id: string): ToolAnswer | undefined {
    return this.#responses.flatMap(({ calls }) => calls).findLast(({ message }) => message.id === id)?.answer;
  }

  /** What the loop had to make of a call in place of what its tool answered. */
  overruled(id: string): Outcome | undefined {
    const response = this.#responses.findLast(({ calls }) => calls.some(({ message }) => message.id === id));
    const call = response?.calls.find(({ message }) => message.id === id);
    return response && overruled(call?.answer, answersOf(response), this.#agents);
  }

  /** Why the model was asked for the n-th response, counted from 0, as far as it follows from the one before. @see RESULT-15 */
  reason(index: number): "initial" | "steering" | "tool_followup" | undefined {
    const before = this.#responses[index - 1];
    if (!before) return "initial";
    if (before.added.length > 0) return undefined;
    if (before.steered.length > 0) return "steering";
    return before.calls.length > 0 && !before.followUp ? "tool_followup" : undefined;
  }

  /** The messages of a request: the session without what is incomplete. @see LOOP-1 SESSION-13 */
  request(shown: readonly Message[]): Message[] {
    const last = this.#responses.at(-1);
    if (!this.#isTurnOpen) this.#latest().steered.push(...this.#contextBeforeSaid(shown), ...this.#unsent.splice(0));
    const own = last && this.#ownWords(last, shown);
    if (own !== undefined) last!.followUp ??= { role: "user", content: own };
    const extra = this.#pendingContext.areNone ? [] : extraUserTexts(this.#sent(shown), shown);
    this.#latest().added.push(...this.#pendingContext.take(extra));
    return this.#sent(shown);
  }

  #sent(shown: readonly Message[]): Message[] {
    return this.messages(shown).filter((message) => (message as { status?: unknown }).status !== "incomplete");
  }

  /**
   * The run is over. Without another model call, pending hook context may or may not have been added; and what was said to a run that
   * a hook then kept from calling the model.
   */
  ended(shown: readonly Message[], isSuspended: boolean): void {
    const sent = this.#unsent.slice(0, this.#saidBeforeBlock);
    const texts = extraUserTexts(this.messages(shown, isSuspended), shown);
    if (sent.length > 0 && sent.every(({ content }, at) => content === texts[at])) this.#latest().steered.push(...sent);
    if (this.#pendingContext.areNone) return;
    const extra = extraUserTexts(this.messages(shown, isSuspended), shown);
    if (extra.length > 0) this.#latest().added.push(...this.#pendingContext.take(extra));
  }

  /** Context that a loop has added before it took what was said to it while hooks were asked. Which of the two comes first is its affair. */
  #contextBeforeSaid(shown: readonly Message[]): Message[] {
    const [said] = this.#unsent;
    if (said === undefined || this.#pendingContext.areNone) return [];
    const texts = extraUserTexts(this.#sent(shown), shown);
    const before = texts.slice(0, Math.max(0, texts.indexOf(String(said.content))));
    return before.length > 0 && before.every((text) => this.#pendingContext.isIn(text))
      ? this.#pendingContext.take(before)
      : [];
  }

  /**
   * What the loop says itself behind a response, before anything else; undefined if nothing. What was said to the run may have come first,
   * or a moment after the loop's own message; and a hook may have kept a run going whose response was what was asked for.
   * @see LOOP-131 HOOK-13
   */
  #ownWords(
    { needsFollowUp, followUp, steered, added }: ExpectedResponse,
    shown: readonly Message[],
  ): string | undefined {
    if (needsFollowUp === undefined || followUp) return undefined;
    const expected = this.#sent(shown);
    const text = nextUserText(expected.slice(0, expected.length - steered.length - added.length), shown);
    if (needsFollowUp === "always") return text;
    if (steered.length > 0 && extraUserTexts(expected, shown).length === 0) return undefined;
    return this.#pendingContext.isIn(text) ? undefined : text;
  }

  /** After what the next thing is said to the model: the last response, or the beginning. */
  #latest(): Pick<ExpectedResponse, "steered" | "added"> {
    return this.#responses.at(-1) ?? this.#opening;
  }

  #callOf(id: string): ExpectedCall | undefined {
    return this.#responses.at(-1)?.calls.find(({ message }) => message.id === id);
  }

  #withUniqueId(message: Message): Message {
    if (!isCall(message) || message.id === "") return message;
    let { id } = message;
    for (let number = 2; this.#ids.has(id); number++) id = `${message.id}_${number}`;
    this.#ids.add(id);
    return { ...message, id };
  }

  #learnIds(shown: readonly Message[]): void {
    const nameless = this.#responses.flatMap(({ calls }) => calls).filter(({ named }) => !named);
    if (nameless.length === 0) return;
    const all = [
      ...this.#given.filter(isCall).map((message) => ({ message, named: true })),
      ...this.#responses.flatMap(({ calls }) => calls),
    ];
    const shownCalls = shown.filter(isCall);
    for (const call of nameless) {
      const seen = shownCalls[all.indexOf(call)];
      if (seen && seen.name === call.message.name) this.#learnId(call, seen.id);
    }
  }

  #learnId(call: ExpectedCall, id: string): void {
    call.named = true;
    const response = this.#responses.find(({ calls }) => calls.includes(call))!;
    const message = { ...call.message, id };
    response.messages[response.messages.indexOf(call.message)] = message;
    call.message = message;
    this.#ids.add(id);
  }

  #standing(responses: readonly ExpectedResponse[]): Standing {
    return responses
      .map(answersOf)
      .reduce<Standing>((before, answers) => standingAfter(before, answers, this.#agents), this.#begin);
  }

  #resultOf(call: ExpectedCall, answers: readonly (ToolAnswer | undefined)[], shown: readonly Message[]): Message {
    const { id } = call.message;
    const base = { type: "tool_result", id } as const;
    const { answer } = call;
    if (answer?.output !== undefined && !overruled(answer, answers, this.#agents))
      return { ...base, output: answer.output, ...(answer.isError && { is_error: true }) };
    const seen =
      call.shown ??
      shown.find((message): message is ToolResultMessage => message.type === "tool_result" && message.id === id);
    // The marks of a result that the loop makes up are not on the wire, so only what every form of it has is remembered.
    if (seen) call.shown ??= { ...base, output: seen.output, ...(seen.is_error && { is_error: true }) };
    return call.shown ?? { ...base, output: anyResult };
  }
}

/** A response with all that came of it before and after pauses; what is to come of it is not there yet. */
function wholeAround(response: ExpectedResponse, all: readonly ExpectedResponse[]): readonly ExpectedResponse[] {
  const at = all.indexOf(response);
  const begin = all.findLastIndex(({ isPaused }, index) => index < at && !isPaused) + 1;
  const end = all.findIndex(({ isPaused }, index) => index >= at && !isPaused);
  return all.slice(begin, end < 0 ? undefined : end + 1);
}

/** Whether a response is there as a whole, and has nothing but thinking. @see SESSION-14 */
function isWithoutWords(segments: readonly ExpectedResponse[]): boolean {
  const messages = segments.flatMap((segment) => segment.messages);
  return !segments.at(-1)!.isPaused && messages.length > 0 && messages.every(({ type }) => type === "thinking");
}

function incomplete(message: Message): Message {
  return { ...message, status: "incomplete" } as Message;
}

/** What the tools of a response answered, in call order. */
function answersOf({ calls }: ExpectedResponse): (ToolAnswer | undefined)[] {
  return calls.map(({ answer }) => answer);
}

function isCall(message: Message): message is ToolCallMessage {
  return message.type === "tool_call";
}
