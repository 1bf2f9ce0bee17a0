// A deliberately odd but right loop as a driver of level wire: what the essential requirements leave open, it does otherwise than the reference.

import type {
  Message,
  ModelAccess,
  ModelResponse,
  NextMessageParams,
  RunResponse,
  Tool,
  ToolCallMessage,
  ToolResultMessage,
  WireRunParams,
} from "../../../schemas/types.ts";
import type { Provider } from "../../../reference/core/ports.ts";
import { providers } from "../../../reference/providers/registry.ts";
import { validateInput } from "../../../reference/tools/validate-input.ts";
import type { Kit, MakeDriver } from "../driver/in-process.ts";
import { codecs } from "../wire/codecs.ts";

/** How the loop does what may be done in several ways. */
export interface Ways {
  batch: "parallel" | "serial";
  /** After a response that was cut off the run ends, or the model is asked again. */
  cut: "ends" | "asks again";
  /** Of a tool that throws, or that there is not, the model gets an answer, or the run ends. */
  trouble: "is answered" | "ends the run";
  /** Thinking, which the loop does not ask for, goes back or is forgotten; or it does ask. */
  thinking: "goes back" | "is forgotten" | "is asked for";
  /** After a response that was lost the run ends, or the model is asked again, with what it had begun to say and a word about it. */
  lost: "ends" | "asks again";
  /** A call whose arguments could not be read goes back without any, or with what the model wrote under another name. */
  unreadable: "goes back empty" | "goes back in other words";
  /** Ids that come again are made anew, or kept in a later response where the provider takes that, or the run ends and says so. */
  ids: "made anew" | "kept" | "refused";
  /** Items of the Responses API go back as they came, or in the shorter form that the API takes as well. */
  items: "as they came" | "in short";
  /** The results of a batch go back in the order of their calls, or the other way round. */
  results: "in order" | "turned round";
  /** A call that is not executed is answered at once, or when the user says the next thing. */
  open: "at once" | "with the next message";
  /** A thought that has no signature is forgotten, or the run ends and says so. */
  unsigned: "is forgotten" | "ends the run";
  /** The calls of a response go back as they came, or those that could not be read behind the others. */
  calls: "in order" | "unreadable ones last";
  /** A value of another type than its schema asks for is refused, or handed over as what it says. */
  types: "refused" | "converted";
}

/** A bug that is planted in it. */
export type PlantedBug =
  | "executes what was cut off"
  | "tells failures as success"
  | "leaves calls open"
  | "forgets results"
  | "executes what was lost"
  | "leaves calls undone"
  | "goes on inside of half an answer"
  | "executes calls that break their schema"
  | "forgets seals"
  | "changes thoughts"
  | "leaves siblings undone"
  | "mixes up results"
  | "takes two calls for one"
  | "refuses ids too late"
  | "executes calls twice"
  | "makes up signatures"
  | "cannot read what is blank"
  | "moves texts behind calls"
  | "forgets a batch that was cancelled";

/** Goes on wherever it can. */
export const lively: Ways = {
  batch: "parallel",
  cut: "asks again",
  trouble: "is answered",
  thinking: "goes back",
  lost: "asks again",
  unreadable: "goes back in other words",
  ids: "kept",
  items: "in short",
  results: "turned round",
  open: "at once",
  unsigned: "is forgotten",
  calls: "unreadable ones last",
  types: "converted",
};

/** Ends wherever it can. */
export const curt: Ways = {
  batch: "serial",
  cut: "ends",
  trouble: "ends the run",
  thinking: "is forgotten",
  lost: "ends",
  unreadable: "goes back empty",
  ids: "made anew",
  items: "as they came",
  results: "in order",
  open: "with the next message",
  unsigned: "ends the run",
  calls: "in order",
  types: "refused",
};

type Ended = NonNullable<RunResponse["ended"]>;
type Wire = Exclude<ModelAccess, { seam: "generic" }>;

const oddLine = "You are one of many agents. Your internal name is odd.";
/** A thought goes back with something behind it only. */
const ownWord: Message = { role: "assistant", content: "I had thought so far." };
const anotherThought = [{ type: "summary_text", text: "I thought something else." }];
const unreadable = "nobody can read this";
const longest = 12;
const mostRecoveries = 2;

/** A driver around the loop, which has its own settings, its own prompt, its own ids, and reports no session and no events. */
export function oddLoop(ways: Ways, planted?: PlantedBug): MakeDriver {
  return (kit) => {
    const conversations = new Map<string, Conversation>();
    const say = (run: string, conversation: Conversation, input: string) => {
      conversations.set(run, conversation);
      return conversation.say(run, input);
    };
    return {
      initialize: () => ({
        protocol: 1,
        implementation: { name: "odd", version: "1", language: "typescript" },
        level: "wire",
        seams: Object.values(providers).map(({ name }) => name),
        transports: ["json", "sse"],
        verbs: ["after", "cancel", "limit"],
        concurrency: 8,
      }),
      run: () => Promise.reject(new Error("a driver of level wire is sent no session")),
      wireRun: (params) => say(params.run, new Conversation(kit, params, ways, planted), params.input),
      nextMessage: ({ run, after, input }: NextMessageParams) => say(run, conversations.get(after)!, String(input)),
      cancel: ({ run }) => conversations.get(run)?.cancel.abort(),
    };
  };
}

/** A conversation as the loop itself keeps it, from its first message to the last of the user. */
class Conversation {
  readonly #kit: Kit;
  readonly #ways: Ways;
  readonly #planted: PlantedBug | undefined;
  readonly #tools: Tool[];
  readonly #limit: number;
  readonly #provider: Provider;
  readonly #messages: Message[];
  #ids = 0;
  cancel = new AbortController();

  constructor(kit: Kit, { tools, instructions, limit, model }: WireRunParams, ways: Ways, planted?: PlantedBug) {
    this.#kit = kit;
    this.#ways = ways;
    this.#planted = planted;
    this.#tools = tools;
    this.#limit = limit ?? longest;
    this.#provider = providerOf(model as Wire);
    this.#messages = [{ role: "system", content: instructions ? `${oddLine}\n${instructions}` : oddLine }];
  }

  /** Says something, and tells in one word how that ended. */
  async say(run: string, input: string): Promise<RunResponse> {
    this.cancel = new AbortController();
    this.#answerOpen();
    this.#messages.push({ role: "user", content: input });
    try {
      const ended = await this.#turns(run);
      if (this.#ways.open === "at once") this.#answerOpen();
      return { ended: this.#reported(ended) };
    } catch (error) {
      if (this.#ways.open === "at once") this.#answerOpen();
      return { ended: this.#reported(this.cancel.signal.aborted ? "cancelled" : "error"), error: String(error) };
    }
  }

  #reported(ended: Ended): Ended {
    return this.#planted === "tells failures as success" ? "completed" : ended;
  }

  async #turns(run: string): Promise<Ended> {
    let recoveries = 0;
    for (let turn = 0; turn < this.#limit; turn += 1) {
      const { messages, stop_reason, error } = await this.#ask();
      const isLost = stop_reason === "interrupted" && this.#planted !== "executes what was lost";
      if (isLost && this.#ways.lost === "asks again" && recoveries < mostRecoveries) {
        recoveries += 1;
        this.#goOn(messages);
        continue;
      }
      if (isLost || stop_reason === "error") {
        this.#keepThoughts(messages);
        throw new Error(error?.message);
      }
      this.#refuseUnsigned(messages);
      const kept = this.#keep(messages);
      const calls = kept.filter((message) => message.type === "tool_call");
      if (stop_reason === "refusal" || stop_reason === "content_filter") return "refused";
      const isCut = stop_reason === "max_tokens" || stop_reason === "context_window_exceeded";
      if (isCut && this.#planted !== "executes what was cut off") {
        if (this.#ways.cut === "ends" || recoveries === mostRecoveries) return "cut_off";
        recoveries += 1;
        this.#answerOpen();
        if (calls.length === 0) this.#messages.push({ role: "user", content: "Go on." });
        continue;
      }
      if (calls.length === 0 || this.#planted === "leaves calls undone") return "completed";
      const glued = calls.map(({ name }) => name).join("");
      if (calls.length > 1 && this.#planted === "takes two calls for one")
        throw new Error(`no tool is called ${glued}`);
      if (this.#ways.ids === "refused") await this.#refuseRepeated(run, calls);
      await this.#executeAll(run, calls);
      this.cancel.signal.throwIfAborted();
    }
    return "limit";
  }

  #refuseUnsigned(messages: readonly Message[]): void {
    if (this.#ways.unsigned !== "ends the run" || this.#planted === "makes up signatures") return;
    if (messages.some((message) => this.#isUnsigned(message))) throw new Error("a thought has no signature");
  }

  #isUnsigned(message: Message): boolean {
    const isThought = this.#provider.name === "anthropic-messages" && message.type === "thinking";
    return isThought && (message.opaque?.["signature"] ?? message.opaque?.["redacted"]) === undefined;
  }

  /** Keeps the text of a response that was lost, and says so. */
  #goOn(messages: readonly Message[]): void {
    for (const message of messages)
      if (message.role === "assistant" && message.content !== "")
        this.#messages.push({ role: "assistant", content: message.content });
    if (this.#planted === "goes on inside of half an answer") return;
    this.#messages.push({ role: "user", content: "Your line was lost. Say it again." });
  }

  /** Keeps the thoughts of a response that was lost which had come whole: those have their seal. */
  #keepThoughts(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.type !== "thinking" || message.opaque?.["encrypted_content"] === undefined) continue;
      const { content, opaque } = message;
      const kept = this.#planted === "changes thoughts" ? { ...opaque, summary: anotherThought } : opaque;
      this.#messages.push({ type: "thinking", content, opaque: kept }, ownWord);
    }
  }

  #ask(): Promise<ModelResponse> {
    const { signal } = this.cancel;
    signal.throwIfAborted();
    const thinking = { mode: "budget", budget_tokens: 1024 } as const;
    const settings = this.#ways.thinking === "is asked for" ? { thinking } : { temperature: 0.5 };
    const request = { messages: [...this.#messages], tools: this.#tools, settings };
    return this.#provider.invokeModel(request, { signal, onStream: () => undefined, warn: () => undefined });
  }

  /** Keeps a response, its calls under ids that nobody else has. One that is only thinking, or empty, is forgotten. */
  #keep(messages: readonly Message[]): Message[] {
    // The adapter asks these for thoughts, and who asks has to send them back.
    const isAsked = this.#provider.name === "openai-responses" || this.#provider.name === "gemini";
    const isForgotten = this.#ways.thinking === "is forgotten" && !isAsked;
    const forgotten = isForgotten ? "thinking" : undefined;
    const spoken = messages.filter(
      (message) => (message.role === undefined || message.content !== "") && (message.type ?? "") !== forgotten,
    );
    if (spoken.every(({ type }) => type === "thinking")) return [];
    const isKept = this.#ways.ids === "kept" && this.#provider.name === "openai-chat";
    const before = isKept ? [] : this.#messages.map((message) => message.type === "tool_call" && message.id);
    const used = new Set(before);
    const kept = spoken.map((whole) => {
      const message = this.#inShort(whole);
      if (message.type !== "tool_call") return message;
      const isRefused = this.#ways.ids === "refused" && message.id !== "";
      const id = !isRefused && (message.id === "" || used.has(message.id)) ? `odd-${(this.#ids += 1)}` : message.id;
      used.add(id);
      return this.#inOwnWords({ ...message, id });
    });
    this.#messages.push(...this.#inOwnOrder(kept));
    return kept;
  }

  #inOwnOrder(kept: readonly Message[]): Message[] {
    const isText = ({ role }: Message) => role === "assistant";
    if (this.#planted === "moves texts behind calls")
      return [...kept.filter((message) => !isText(message)), ...kept.filter(isText)];
    const isLate = (message: Message) => message.type === "tool_call" && isUnreadable(message.input);
    const first = kept.findIndex(({ type }) => type === "tool_call");
    const areTogether = kept.slice(first).every(({ type }) => type === "tool_call");
    const isSigned = codecs[this.#provider.name as keyof typeof codecs]?.leeway.firstCallIsSigned === true;
    if (this.#ways.calls === "in order" || !areTogether || isSigned) return [...kept];
    return [...kept.filter((message) => !isLate(message)), ...kept.filter(isLate)];
  }

  async #refuseRepeated(run: string, calls: readonly ToolCallMessage[]): Promise<void> {
    const ids = this.#messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));
    const repeated = ids.find((id, at) => ids.indexOf(id) < at);
    if (repeated === undefined) return;
    if (this.#planted === "refuses ids too late") await this.#executeAll(run, calls.slice(0, 1));
    throw new Error(`two calls have the id ${repeated}`);
  }

  /** A message without what came with its item, but for a phase. */
  #inShort(message: Message): Message {
    if (this.#planted === "makes up signatures" && this.#isUnsigned(message)) return withSignature(message);
    if (message.type === "thinking") return this.#planted === "forgets seals" ? withoutOpaque(message) : message;
    const isWhole = this.#ways.items === "as they came" || this.#provider.name !== "openai-responses";
    return isWhole || message.type === "provider_item" ? message : withoutOpaque(message);
  }

  #inOwnWords(call: ToolCallMessage): ToolCallMessage {
    const isBlank = call.input !== null && Object.keys(call.input).length === 0;
    if (this.#planted === "cannot read what is blank" && isBlank) return { ...call, input: { [unreadable]: "" } };
    if (call.input !== null || this.#ways.unreadable === "goes back empty") return call;
    return { ...call, input: { [unreadable]: call.raw_input ?? "" } };
  }

  async #executeAll(run: string, calls: readonly ToolCallMessage[]): Promise<void> {
    const answers: Promise<{ output: ToolResultMessage["output"] } | { thrown: unknown }>[] = [];
    const isSpoiled =
      this.#planted === "leaves siblings undone" &&
      calls.some(({ name, input }) => !this.#toolOf(name) || isUnreadable(input));
    for (const call of calls) {
      const answer = (isSpoiled ? Promise.resolve("Nothing was done.") : this.#execute(run, call)).then(
        (output) => ({ output }),
        (thrown: unknown) => ({ thrown }),
      );
      answers.push(answer);
      if (this.#ways.batch === "serial") await answer;
    }
    const settled = await Promise.all(answers);
    if (this.#planted === "forgets a batch that was cancelled") this.cancel.signal.throwIfAborted();
    if (this.#planted === "forgets results")
      settled.splice(0, settled.length, ...calls.map(() => ({ output: "It was done." })));
    if (this.#planted === "mixes up results") settled.reverse();
    const results = settled.map((answer, at): ToolResultMessage =>
      "output" in answer
        ? { type: "tool_result", id: calls[at]!.id, output: answer.output }
        : { type: "tool_result", id: calls[at]!.id, output: String(answer.thrown), is_error: true },
    );
    // Under one id, the order is all that distinguishes them.
    const isTurned = this.#ways.results === "turned round" && new Set(calls.map(({ id }) => id)).size === calls.length;
    this.#messages.push(...(isTurned ? results.toReversed() : results));
    const thrown = settled.find((answer) => "thrown" in answer);
    if (thrown && this.#ways.trouble === "ends the run") throw thrown.thrown;
  }

  #toolOf(name: string): Tool | undefined {
    return this.#tools.find((one) => one.name === name);
  }

  async #execute(
    run: string,
    { id, name, input: written, raw_input }: ToolCallMessage,
  ): Promise<ToolResultMessage["output"]> {
    const tool = this.#toolOf(name);
    if (!tool) throw new Error(`there is nothing called ${name}`);
    const input = this.#ways.types === "converted" ? converted(written, tool.input_schema) : written;
    if (isUnreadable(input)) {
      if (this.#planted !== "executes what was cut off") return `I cannot read ${raw_input}`;
    } else if ((await validateInput(tool.input_schema, input)).length > 0)
      if (this.#planted !== "executes calls that break their schema") return "These arguments will not do.";
    const { signal } = this.cancel;
    signal.throwIfAborted();
    const call = { ...(this.#ways.ids === "made anew" && { id }), name, input: input ?? {} };
    if (this.#planted === "executes calls twice") await this.#kit.request("tool/execute", { run, call });
    const { output, data, is_error } = await this.#kit.request("tool/execute", { run, call });
    const content = output ?? JSON.stringify(data);
    return is_error && typeof content === "string" ? `This did not work: ${content}` : content;
  }

  /** Of calls that nobody executed the model learns so. */
  #answerOpen(): void {
    if (this.#planted === "leaves calls open" || this.#planted === "forgets a batch that was cancelled") return;
    const answered = new Set(this.#messages.map((message) => message.type === "tool_result" && message.id));
    const open = this.#messages.filter((message) => message.type === "tool_call" && !answered.has(message.id));
    for (const message of open)
      if (message.type === "tool_call")
        this.#messages.push({ type: "tool_result", id: message.id, output: "Nobody did this.", is_error: true });
  }
}

/** Whether arguments were no JSON object, or are kept in words of the loop's own because of that. */
function isUnreadable(input: ToolCallMessage["input"]): input is null {
  return input === null || unreadable in input;
}

/** Arguments with the word true as true, where the schema asks for a boolean. */
function converted(
  input: ToolCallMessage["input"],
  { properties = {} }: Tool["input_schema"],
): ToolCallMessage["input"] {
  if (input === null) return null;
  const typeOf = (key: string) => (properties as Record<string, { type?: unknown }>)[key]?.type;
  const isWord = (key: string, value: unknown) => typeOf(key) === "boolean" && (value === "true" || value === "false");
  const entries = Object.entries(input).map(([key, value]) => [key, isWord(key, value) ? value === "true" : value]);
  return Object.fromEntries(entries) as ToolCallMessage["input"];
}

function withSignature(message: Message): Message {
  if (message.type !== "thinking" || !message.opaque) return message;
  return { ...message, opaque: { ...message.opaque, signature: "bWFkZSB1cA==" } };
}

function withoutOpaque(message: Message): Message {
  if (!("opaque" in message) || !message.opaque) return message;
  const { opaque, ...plain } = message;
  const { provider, model, phase } = opaque;
  return (phase === undefined ? plain : { ...plain, opaque: { provider, model, phase } }) as Message;
}

function providerOf({ seam, ...access }: Wire): Provider {
  return providers[seam].create({ ...access, max_tokens: 2048 });
}
