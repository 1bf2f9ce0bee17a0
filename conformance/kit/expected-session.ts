// Knows what a correct loop's session is at every moment of a run, from what was given, scripted and executed.

import type { Message, ResumeDecision, ToolCallMessage, ToolResultMessage } from "../../reference/types.ts";

/** What a tool answered, as the kit sent it. */
export interface ToolAnswer {
  output?: ToolResultMessage["output"];
  isError?: boolean;
  /** The tool said that the run is over. */
  isFinal?: boolean;
  /** The tool threw. */
  thrown?: string;
}

/** A call that the model made, and what is known of its result. */
interface ExpectedCall {
  message: ToolCallMessage;
  /** False while nobody has seen the id that the loop gave to a call without one. */
  named: boolean;
  /** The tool's answer, if it was executed and nothing cut it short. */
  answer?: ToolAnswer;
  /** The result that a request or session showed; every later one must show the same. */
  shown?: ToolResultMessage;
}

interface ExpectedResponse {
  messages: Message[];
  calls: ExpectedCall[];
  /** The loop follows the response up with a user message of its own, if it asks the model again. Its text is the loop's. */
  hasFollowUp: boolean;
  followUp?: Message;
  /** What was said to the loop while the turn of the response was under way. @see LOOP-53 */
  steered: Message[];
}

/** What stands where a result should, in messages for people. */
const anyResult = "(the result of this call)";

/** The session that the run must have, as far as it follows from what the kit did. */
export class ExpectedSession {
  readonly #given: Message[];
  readonly #responses: ExpectedResponse[] = [];
  readonly #ids = new Set<string>();
  /** How many responses came before the first that the kit cannot read. */
  #readable = Infinity;
  /** What was said to the loop and is not in a request yet. */
  #unsent: Message[] = [];

  constructor(given: Message[]) {
    this.#given = given;
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

  /** Whether the last response may have several calls. */
  get isBatch(): boolean {
    return this.isOpen || (this.#responses.at(-1)?.calls.length ?? 0) > 1;
  }

  /**
   * The model answered.
   * @param hasFollowUp true if the loop has to say something of its own before it may ask again, see LOOP-44 and LOOP-46
   * @see SESSION-4 SESSION-5 SESSION-9
   */
  respond(said: Message[], hasFollowUp = false): void {
    const messages = said
      .filter((message) => !(message.role === "assistant" && message.content === ""))
      .map((message) => this.#withUniqueId(message));
    const calls = messages.filter(isCall).map((message): ExpectedCall => ({ message, named: message.id !== "" }));
    this.#responses.push({ messages, calls, hasFollowUp, steered: [] });
  }

  /** Somebody says something to the loop. */
  steer(content: string): void {
    this.#unsent.push({ role: "user", content });
  }

  /** The last answer was not sent whole after all. */
  cutOff(): void {
    this.#responses.pop();
  }

  /** The model answered something that the kit does not understand. */
  respondOpenly(): void {
    this.#readable = Math.min(this.#readable, this.#responses.length);
  }

  /**
   * A call is executed: finds it among the calls of the last response that were not executed yet.
   * @returns what the model asked for, or undefined if it asked for no such thing
   */
  execute(id: string, name: string): ToolCallMessage | undefined {
    const calls = this.#responses.at(-1)?.calls ?? [];
    const call =
      calls.find(({ message }) => message.id === id) ??
      calls.find(({ named, message }) => !named && message.name === name);
    if (call && !call.named) this.#learnId(call, id);
    return call?.message;
  }

  /** A tool answered in time. */
  answered(id: string, answer: ToolAnswer): void {
    const call = this.#responses.at(-1)?.calls.find(({ message }) => message.id === id);
    if (call) call.answer = answer;
  }

  /** What a tool answered may not count, because it was signalled, timed out or cancelled. */
  unsettled(id: string): void {
    for (const call of this.#responses.at(-1)?.calls ?? []) if (call.message.id === id) delete call.answer;
  }

  /** The caller answered calls of a suspended run. */
  decided(decisions: readonly ResumeDecision[]): void {
    for (const { id, output, is_error } of decisions) this.answered(id, { output, ...(is_error && { isError: true }) });
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
      response === waiting ? [] : response.calls.map((call) => this.#resultOf(call, shown));
    const followUp = ({ followUp: said, steered }: ExpectedResponse) => [...(said ? [said] : []), ...steered];
    return [
      ...this.#given,
      ...responses.flatMap((response) => [...response.messages, ...results(response), ...followUp(response)]),
    ];
  }

  /** What the tool of a call answered, if it was executed and nothing cut it short. */
  answerTo(id: string): ToolAnswer | undefined {
    return this.#responses.flatMap(({ calls }) => calls).findLast(({ message }) => message.id === id)?.answer;
  }

  /** The messages of a request: the session without what is incomplete. @see LOOP-1 SESSION-13 */
  request(shown: readonly Message[]): Message[] {
    const last = this.#responses.at(-1);
    if (last) last.steered.push(...this.#unsent.splice(0));
    if (last?.hasFollowUp) last.followUp ??= { role: "user", content: lastUserText(shown) };
    return this.messages(shown).filter((message) => (message as { status?: unknown }).status !== "incomplete");
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

  #resultOf(call: ExpectedCall, shown: readonly Message[]): Message {
    const { id } = call.message;
    const base = { type: "tool_result", id } as const;
    const { answer } = call;
    if (answer?.output !== undefined)
      return { ...base, output: answer.output, ...(answer.isError && { is_error: true }) };
    const seen =
      call.shown ??
      shown.find((message): message is ToolResultMessage => message.type === "tool_result" && message.id === id);
    // The marks of a result that the loop makes up are not on the wire, so only what every form of it has is remembered.
    if (seen) call.shown ??= { ...base, output: seen.output, ...(seen.is_error && { is_error: true }) };
    return call.shown ?? { ...base, output: anyResult };
  }
}

/** The last words of the user; on a wire that joins user messages they are the last part of one. */
function lastUserText(messages: readonly Message[]): string {
  const content = messages.findLast((message) => message.role === "user")?.content ?? "";
  if (typeof content === "string") return content;
  const part = content.at(-1);
  return part?.type === "text" ? part.text : "";
}

function isCall(message: Message): message is ToolCallMessage {
  return message.type === "tool_call";
}
