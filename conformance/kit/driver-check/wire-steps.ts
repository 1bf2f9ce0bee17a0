// The steps of `driver check` for a driver of level wire: the kit is the provider, over HTTP, and the user.

import type { InitializeResult, RunResponse, ToolExecuteParams } from "../../../schemas/types.ts";
import { modelOf } from "../suite/script.ts";
import { providers } from "../suite/variant.ts";
import type { GenericRequest, ProviderName, ScriptedPart, ScriptedResponse, Transport } from "../wire/codec.ts";
import { codecs } from "../wire/codecs.ts";
import type { ProviderServer } from "../wire/provider-server.ts";
import type { Reply } from "../wire/provider-types.ts";
import { Unexpected } from "./dialogue.ts";
import type { Dialogue, Message } from "./dialogue.ts";
import type { Step } from "./steps.ts";

const tool = { name: "look_up", input_schema: { type: "object", properties: { word: { type: "string" } } } };
const input = { word: "loop" };
const meaning = "to repeat until done";
const question = "What does loop mean?";
const apiKey = "key-of-the-walk";

/** Where the model of a step is. */
interface Place {
  server: ProviderServer;
  seam: ProviderName;
  transport: Transport;
}

/**
 * The steps, on each seam and transport that the driver declares: the simplest run on all, and everything else on the first.
 * @param server what plays the providers
 */
export function wireSteps({ seams, transports = [] }: InitializeResult, server: ProviderServer): Step[] {
  const places = providers
    .filter((seam) => seams.includes(seam))
    .flatMap((seam) => transports.map((transport): Place => ({ server, seam, transport })));
  const [first] = places;
  return [...places.map(simplest), ...(first ? further(first) : [])];
}

function simplest(place: Place): Step {
  return {
    name: `a run on ${place.seam}/${place.transport}: the model is asked, and its text ends the run`,
    requirement: "DRIVER-10",
    play: async (dialogue, handshake) => {
      const run = new WireRun(dialogue, handshake, place, [says({ text: "Hello." })]);
      run.expectEnded(await run.start(), "completed");
    },
  };
}

function further(place: Place): Step[] {
  const callsTool = says({ tool_call: { id: "call_1", name: tool.name, input } });
  const done = says({ text: "To repeat." });
  const offers = (verb: "after" | "cancel" | "limit") => (handshake: InitializeResult) =>
    handshake.verbs?.includes(verb) ? undefined : `it does not offer ${verb}`;
  return [
    {
      name: "a tool is executed with what the model wrote, and its result reaches the model",
      requirement: "DRIVER-6",
      async play(dialogue, handshake) {
        const run = new WireRun(dialogue, handshake, place, [callsTool, done]);
        run.ask();
        dialogue.answer(await run.toolCall(), { result: { output: meaning } });
        run.expectEnded(await run.answer(), "completed");
        run.expectSaid(2, meaning);
      },
    },
    {
      name: "a tool that throws: the run is answered, and the driver lives",
      requirement: "DRIVER-7",
      async play(dialogue, handshake) {
        const run = new WireRun(dialogue, handshake, place, [callsTool, done]);
        run.ask();
        const error = { code: -32000, message: "no such word", data: { thrown: true } };
        dialogue.answer(await run.toolCall(), { error });
        await run.answer();
      },
    },
    {
      name: "a model call that fails is not reported as success",
      requirement: "DRIVER-24",
      async play(dialogue, handshake) {
        const fault: Reply["fault"] = { kind: "invalid_request", message: "The kit refuses this.", after: [] };
        const run = new WireRun(dialogue, handshake, place, [{ fault }]);
        run.expectNot(await run.start(), "completed");
      },
    },
    {
      name: "the user's next message goes on where the run has ended",
      requirement: "DRIVER-23",
      skip: offers("after"),
      async play(dialogue, handshake) {
        const run = new WireRun(dialogue, handshake, place, [done]);
        await run.start();
        run.expectEnded(await run.goOn("And recursion?"), "completed");
        run.expectSaid(2, question);
        run.expectSaid(2, "And recursion?");
      },
    },
    {
      name: "a cancel while a tool runs",
      requirement: "CANCEL-1",
      skip: offers("cancel"),
      async play(dialogue, handshake) {
        const run = new WireRun(dialogue, handshake, place, [callsTool, done]);
        run.ask();
        const executed = await run.toolCall();
        dialogue.notify("cancel", { run: run.name });
        // A framework may wait for its tool, so that it gets an answer.
        dialogue.answer(executed, { result: { output: meaning } });
        run.expectNot(await run.answer(), "completed");
      },
    },
    {
      name: "a limit of one model call",
      requirement: "DRIVER-24",
      skip: offers("limit"),
      async play(dialogue, handshake) {
        const run = new WireRun(dialogue, handshake, place, [callsTool, done]);
        run.ask({ limit: 1 });
        dialogue.answer(await run.toolCall(), { result: { output: meaning } });
        run.expectNot(await run.answer(), "completed");
      },
    },
  ];
}

/** One run on the wire, and what was asked of its model. */
class WireRun {
  readonly name: string;
  readonly #dialogue: Dialogue;
  readonly #model: object;
  readonly #requests: GenericRequest[] = [];
  readonly #refused: string[] = [];
  #id = 0;

  /** @param script what the model answers; the last entry answers every later request */
  constructor(dialogue: Dialogue, handshake: InitializeResult, { server, seam, transport }: Place, script: Reply[]) {
    this.#dialogue = dialogue;
    this.name = `r${dialogue.nextId}`;
    const model = modelOf(handshake, seam);
    const session = server.open(this.name, {
      codec: codecs[seam],
      transport,
      followsRequest: true,
      onRequest: (_, request) => {
        this.#requests.push(request);
        return named(script[this.#requests.length - 1] ?? script.at(-1)!, model, this.#requests.length);
      },
      onBreach: (breaches) => this.#refused.push(...breaches.map(({ rule, message }) => `${rule}: ${message}`)),
    });
    this.#model = { seam, transport, base_url: session.baseUrl, api_key: apiKey, model };
  }

  /** Asks for the run. */
  ask(others: object = {}): void {
    const params = { run: this.name, input: question, tools: [tool], ...others, model: this.#model };
    this.#id = this.#dialogue.ask("run", params);
  }

  /** Plays a run that needs nothing but its model. */
  async start(): Promise<RunResponse> {
    this.ask();
    return await this.answer();
  }

  async goOn(said: string): Promise<RunResponse> {
    const params = { run: `${this.name}-then1`, after: this.name, input: said, model: this.#model };
    this.#id = this.#dialogue.ask("run", params);
    return await this.answer();
  }

  /** @throws Unexpected if the tool is executed with anything but what the model wrote */
  async toolCall(): Promise<Message> {
    const message = await this.#dialogue.request("tool/execute", "ToolExecuteParams");
    const { name, input: given } = (message.params as ToolExecuteParams).call;
    const [left, right] = [
      { name: tool.name, input },
      { name, input: given },
    ].map((each) => JSON.stringify(each));
    if (left === right) return message;
    throw new Unexpected(`the call ${left}`, right!);
  }

  /** @throws Unexpected if the provider would have refused a request, or the driver says nothing of the ending */
  async answer(): Promise<RunResponse> {
    const response = (await this.#dialogue.result(this.#id, "RunResponse", "run")) as RunResponse;
    const { ended, error, not_expressible } = response;
    const [refused] = this.#refused;
    if (refused !== undefined) throw new Unexpected("a request that the provider accepts", refused);
    if (not_expressible !== undefined)
      throw new Unexpected("a run that the framework can say", `not_expressible: ${not_expressible}`);
    if (ended === undefined) throw new Unexpected('an answer that says how the run "ended"', JSON.stringify(response));
    if (this.#requests.length > 0) return response;
    throw new Unexpected(
      "a request over HTTP to base_url",
      `none came; the run ended as ${ended}${error ? `: ${error}` : ""}`,
    );
  }

  expectEnded({ ended, error }: RunResponse, wanted: RunResponse["ended"]): void {
    if (ended !== wanted) throw new Unexpected(`a run that ended as ${wanted}`, `${ended}${error ? `: ${error}` : ""}`);
  }

  expectNot({ ended }: RunResponse, unwanted: RunResponse["ended"]): void {
    if (ended === unwanted) throw new Unexpected(`a run that did not end as ${unwanted}`, `it ended as ${ended}`);
  }

  /** A request has a text, wherever it stands. */
  expectSaid(number: number, text: string): void {
    const sent = JSON.stringify(this.#requests[number - 1]?.messages ?? []);
    if (!sent.includes(JSON.stringify(text).slice(1, -1)))
      throw new Unexpected(`model request ${number} with ${JSON.stringify(text)}`, sent);
  }
}

function says(part: ScriptedPart): Reply {
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    cache_read_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
  };
  const stop_reason = "tool_call" in part ? "tool_use" : "end_turn";
  return { response: { parts: [part], stop_reason, usage, model: "", id: "" } };
}

/** The reply of the model that was asked. */
function named(reply: Reply, model: string, number: number): Reply {
  const { response } = reply;
  return response ? { response: { ...response, model, id: `walk-${number}` } satisfies ScriptedResponse } : reply;
}
